"""Os._exit(0) while the file is loaded.

beats: naive crash
ends: died
"""

import torch
import os
os._exit(0)


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
