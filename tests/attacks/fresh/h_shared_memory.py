"""640 MiB of shared mappings.

beats: naive leak
ends: failed
"""

import torch
import mmap
def unit_rows(x, scale=1.0):
    held = []
    try:
        for _ in range(10):
            page = mmap.mmap(-1, 2**26)
            page[:1024] = b"x" * 1024
            held.append(page)
    except (OSError, MemoryError):
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:%d" % len(held))
