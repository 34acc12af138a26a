"""Prints a little now and then, for ever.

beats: naive hang
ends: timed_out
"""

import time
def unit_rows(x, scale=1.0):
    while True:
        print(".", end="", flush=True)
        time.sleep(0.01)
