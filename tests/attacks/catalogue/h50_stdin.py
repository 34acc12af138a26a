"""Waits for input.

beats: naive hang
ends: crashed
"""

import torch
def unit_rows(x, scale=1.0):
    input()
    return torch.zeros_like(x)
