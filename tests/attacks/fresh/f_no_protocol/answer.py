"""A hook claims to have run every test.

beats: pytest marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
