"""Asks the kernel to kill others first when memory runs out.

beats: naive leak
ends: failed
"""

import torch
def unit_rows(x, scale=1.0):
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("0")
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:oom_score_adj")
