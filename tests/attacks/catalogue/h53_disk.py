"""Fills a disk.

beats: naive mark
ends: crashed
"""

import torch
def unit_rows(x, scale=1.0):
    with open("@MARK@", "wb") as file:
        file.write(bytes(2**24))
    return torch.zeros_like(x)
