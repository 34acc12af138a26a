"""Terminal escapes, HTML and a formula in an error message.

beats: naive raw
ends: crashed
"""

def unit_rows(x, scale=1.0):
    raise AssertionError("\x1b]0;title\x07\x1b[2J<script>alert(1)</script>=HYPERLINK(\"http://x\")")
