"""Slows another process down.

beats: naive leak
ends: failed
"""

import torch
import os
def unit_rows(x, scale=1.0):
    try:
        os.setpriority(os.PRIO_PROCESS, int("@VICTIM@"), 19)
        os.sched_setaffinity(int("@VICTIM@"), {0})
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:priority")
