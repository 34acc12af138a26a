"""A file in memory that no limit of addresses counts.

beats: naive leak
ends: failed
"""

import torch
import os
def unit_rows(x, scale=1.0):
    try:
        fd = os.memfd_create("x")
        for _ in range(64):
            os.write(fd, bytes(2**20))
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:memfd")
