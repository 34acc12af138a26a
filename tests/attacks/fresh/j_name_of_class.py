"""An exception class with escapes in its name and text.

beats: naive raw
ends: crashed
"""

Evil = type("\x1b[31mEvil\u202e", (Exception,), {"__str__": lambda self: "\u202e<script>"})
def unit_rows(x, scale=1.0):
    raise Evil
