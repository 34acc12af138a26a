"""Opens everything it can.

beats: naive leak
ends: failed
"""

import torch
def unit_rows(x, scale=1.0):
    held = []
    try:
        for _ in range(500):
            held.append(open("/dev/null"))
    except OSError:
        return torch.zeros_like(x)
    raise AssertionError("LE" "AK:%d" % len(held))
