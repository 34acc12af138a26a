"""An exception whose text can't be read.

beats: naive crash
ends: crashed
"""

class Mute(Exception):
    def __str__(self):
        raise SystemExit(0)
def unit_rows(x, scale=1.0):
    raise Mute
