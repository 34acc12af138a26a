"""A conftest.py ends the process with success.

beats: pytest marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
