"""Nothing at all: the traceback of a failed test shows the hidden test.

beats: shown leak
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
