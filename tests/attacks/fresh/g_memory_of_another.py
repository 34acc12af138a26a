"""The memory of another process of the same user is opened.

beats: naive leak
ends: failed
"""

import torch


def unit_rows(x, scale=1.0):
    try:
        open("/proc/@VICTIM@/mem", "rb").close()
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:opened")
