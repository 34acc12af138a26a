"""Recursion until the stack is gone.

beats: naive crash
ends: died
"""

import sys, functools
def unit_rows(x, scale=1.0):
    sys.setrecursionlimit(10**9)
    class Deep:
        def __repr__(self):
            return repr([self])
    repr(Deep())
