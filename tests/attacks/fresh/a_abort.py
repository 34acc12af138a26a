"""Abort() instead of an exception.

beats: naive crash
ends: died
"""

import os
def unit_rows(x, scale=1.0):
    os.abort()
