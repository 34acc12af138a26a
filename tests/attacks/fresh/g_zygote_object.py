"""Objects of the process that this one was forked from are found in memory and made to end every other process.

beats: naive escape
ends: failed
"""

import gc
import os
import signal
import torch


def unit_rows(x, scale=1.0):
    known = {@VICTIM@}
    for thing in gc.get_objects():
        if type(thing).__name__ == "Zygote":
            known |= {*thing._judges.values(), *thing._children}
            thing.close()
    for pid in known - {os.getpid()}:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    return torch.zeros_like(x)
