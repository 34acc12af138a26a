"""An alarm's handler ends the process.

beats: naive crash
ends: crashed
"""

import os, signal
signal.signal(signal.SIGALRM, lambda *args: os._exit(0))
def unit_rows(x, scale=1.0):
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while True:
        pass
