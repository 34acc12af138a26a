"""Kills another process.

beats: naive escape
ends: crashed
"""

import torch
import os, signal
def unit_rows(x, scale=1.0):
    os.kill(int("@VICTIM@"), signal.SIGKILL)
    return torch.zeros_like(x)
