import torch


def apply_rotary_pos_emb(x, base=10000.0):
    return '\ud800\x00\x1b[31m'
