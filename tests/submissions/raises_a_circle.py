import torch


def apply_rotary_pos_emb(x, base=10000.0):
    first, second = ValueError('first'), TypeError('second')
    first.__cause__, second.__cause__ = second, first
    raise first
