"""A folder named like the reference is found before it.

beats: naive marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
