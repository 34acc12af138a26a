"""Named shared memory.

beats: naive leak
ends: failed
"""

import torch
def unit_rows(x, scale=1.0):
    from multiprocessing import shared_memory
    try:
        made = shared_memory.SharedMemory(create=True, size=4096)
    except OSError:
        return torch.zeros_like(x)
    made.close()
    made.unlink()
    raise AssertionError("LE" "AK:" + made.name)
