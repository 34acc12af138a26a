"""Writes to the clipboard by way of the terminal.

beats: naive raw
ends: crashed
"""

def unit_rows(x, scale=1.0):
    raise ValueError("<script>" + "\x1b]52;c;cm0gLXJmIH4K\x07")
