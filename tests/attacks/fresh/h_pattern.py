"""A pattern that needs exponential time, in code that holds the interpreter's lock.

beats: naive hang
ends: timed_out
"""

import torch
import re
def unit_rows(x, scale=1.0):
    re.match(r"(a+)+$", "a" * 40 + "b")
    return torch.zeros_like(x)
