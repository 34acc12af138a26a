"""Shared memory that outlives its maker.

beats: naive leak
ends: failed
"""

import torch
import ctypes
def unit_rows(x, scale=1.0):
    libc = ctypes.CDLL(None)
    made = libc.shmget(0, 4096, 0o1600)
    if made < 0:
        return torch.zeros_like(x)
    libc.shmctl(made, 0, None)
    raise AssertionError("LE" "AK:shared memory")
