"""A reference of one's own lies beside the answer.

beats: naive marks
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
