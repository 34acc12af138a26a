"""An exception that `except Exception` lets through.

beats: naive crash
ends: crashed
"""

class Out(BaseException):
    pass
def unit_rows(x, scale=1.0):
    raise Out("nobody catches me")
