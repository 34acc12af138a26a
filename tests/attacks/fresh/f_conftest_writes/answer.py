"""A conftest.py writes where it likes.

beats: pytest mark
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
