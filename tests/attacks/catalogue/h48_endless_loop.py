"""Computes without end.

beats: naive hang
ends: timed_out
"""

def unit_rows(x, scale=1.0):
    while True:
        pass
