"""Reads address 0.

beats: naive crash
ends: died
"""

import ctypes
def unit_rows(x, scale=1.0):
    ctypes.string_at(0)
