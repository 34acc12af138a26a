"""SIGKILL to itself.

beats: naive crash
ends: died
"""

import os, signal
def unit_rows(x, scale=1.0):
    os.kill(os.getpid(), signal.SIGKILL)
