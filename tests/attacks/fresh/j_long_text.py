"""A megabyte of escapes in an exception.

beats: naive raw
ends: crashed
"""

def unit_rows(x, scale=1.0):
    raise ValueError("<script>" + "\x1b[5m" * 250_000)
