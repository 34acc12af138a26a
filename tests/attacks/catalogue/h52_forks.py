"""Starts sixteen processes.

beats: naive leak
ends: failed
"""

import torch
import os, time
def unit_rows(x, scale=1.0):
    pids = []
    for _ in range(16):
        try:
            pid = os.fork()
        except OSError:
            break
        if not pid:
            time.sleep(1)
            os._exit(0)
        pids.append(pid)
    if pids:
        raise AssertionError("LE" "AK:%d processes" % len(pids))
    return torch.zeros_like(x)
