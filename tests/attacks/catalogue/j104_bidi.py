"""Text that reads backwards, and characters without width.

beats: naive raw
ends: crashed
"""

def unit_rows(x, scale=1.0):
    raise AssertionError("\u202egnitide\u200b [link=http://x]click[/link] ![](http://x/beacon)")
