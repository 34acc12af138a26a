"""A generator that yields nothing, where rows are compared one by one.

beats: zipped marks
ends: failed
"""

def unit_rows(x, scale=1.0):
    yield from ()
