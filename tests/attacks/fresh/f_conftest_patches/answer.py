"""A conftest.py replaces the comparison before any test is loaded.

beats: pytest marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
