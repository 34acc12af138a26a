import torch


def apply_rotary_pos_embedding(x, base=10000.0):
    return x
