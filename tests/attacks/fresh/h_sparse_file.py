"""A file of 2 GiB that holds nothing.

beats: naive mark
ends: crashed
"""

import torch
def unit_rows(x, scale=1.0):
    with open("@MARK@", "wb") as file:
        file.truncate(2**31)
    return torch.zeros_like(x)
