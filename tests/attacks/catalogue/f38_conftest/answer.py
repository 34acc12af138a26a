"""A conftest.py beside the answer turns every outcome into passed.

beats: pytest marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
