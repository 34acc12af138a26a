"""Unpickling the result starts a program.

beats: pool mark
ends: failed
"""

import os
class Code:
    def __reduce__(self):
        return os.system, ("touch '@MARK@'",)
def unit_rows(x, scale=1.0):
    return Code()
