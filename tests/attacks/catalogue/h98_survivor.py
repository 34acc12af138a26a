"""Leaves a process behind, in a session of its own.

beats: naive mark
ends: crashed
"""

import torch
import os, time
def unit_rows(x, scale=1.0):
    if os.fork() == 0:
        os.setsid()
        time.sleep(0.1)
        open("@MARK@", "w").close()
        os._exit(0)
    return torch.zeros_like(x)
