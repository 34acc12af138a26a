import torch


def apply_rotary_pos_emb(x, base=10000.0):
    return {None: x, 1.5: x, (1, 2): x, float('nan'): x, b'\xff': x, '\ud800': x}
