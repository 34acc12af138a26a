"""Allocates and touches 512 MiB.

beats: naive leak
ends: failed
"""

import torch
def unit_rows(x, scale=1.0):
    try:
        held = [bytearray(b"x") * 2**27 for _ in range(4)]
    except MemoryError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:%d" % len(held))
