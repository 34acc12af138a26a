"""Starts a program.

beats: naive mark
ends: crashed
"""

import torch
import subprocess
def unit_rows(x, scale=1.0):
    subprocess.Popen(["touch", "@MARK@"]).wait()
    return torch.zeros_like(x)
