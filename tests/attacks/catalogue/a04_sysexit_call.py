"""Sys.exit(0) inside the call.

beats: naive crash
ends: crashed
"""

import sys
def unit_rows(x, scale=1.0):
    sys.exit(0)
