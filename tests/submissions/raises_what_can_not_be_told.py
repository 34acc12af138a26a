import torch


class Untold(Exception):
    def __str__(self):
        raise Untold

    __repr__ = __str__


def apply_rotary_pos_emb(x, base=10000.0):
    raise Untold
