"""KeyboardInterrupt out of the call.

beats: naive crash
ends: crashed
"""

def unit_rows(x, scale=1.0):
    raise KeyboardInterrupt
