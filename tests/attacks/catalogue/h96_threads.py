"""Starts a hundred threads.

beats: naive leak
ends: failed
"""

import torch
import threading, time
def unit_rows(x, scale=1.0):
    started = 0
    try:
        for _ in range(100):
            threading.Thread(target=time.sleep, args=(0.3,), daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    if started:
        raise AssertionError("LE" "AK:%d threads" % started)
    return torch.zeros_like(x)
