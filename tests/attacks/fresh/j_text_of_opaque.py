"""A result whose repr holds escapes, printed too.

beats: naive raw
ends: failed
"""

class Odd:
    def __repr__(self):
        return "\x1b[2J\u202e" * 1000
def unit_rows(x, scale=1.0):
    print(Odd())
    return Odd()
