"""A file that is hard to parse.

beats: naive crash
ends: syntax
"""

import torch
x = @NESTED@


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
