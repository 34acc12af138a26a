"""Sleeps.

beats: naive hang
ends: timed_out
"""

import time
def unit_rows(x, scale=1.0):
    time.sleep(3600)
