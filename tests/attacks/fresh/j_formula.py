"""A formula for the instructor's spreadsheet.

beats: naive raw
ends: crashed
"""

def unit_rows(x, scale=1.0):
    raise ValueError('=HYPERLINK("http://x","click")')
