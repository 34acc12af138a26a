"""Makes folders.

beats: naive mark
ends: crashed
"""

import torch
import os
def unit_rows(x, scale=1.0):
    os.makedirs("@MARK@/deep")
    return torch.zeros_like(x)
