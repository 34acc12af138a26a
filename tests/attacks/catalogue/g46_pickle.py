"""A result whose unpickling runs code in the grader.

beats: pool mark
ends: failed
"""

import torch
class Code:
    def __reduce__(self):
        return eval, ("open('@MARK@', 'w').close() or __import__('torch').ones(3, 4)",)
def unit_rows(x, scale=1.0):
    return Code()
