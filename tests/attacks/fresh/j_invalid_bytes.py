"""Bytes that are no text, with an escape among them.

beats: naive raw
ends: failed
"""

import torch
import os
def unit_rows(x, scale=1.0):
    os.write(1, b"\xff\xfe\x1b[31m\xc3\x28\x9b31m\n")
    return torch.zeros_like(x)
