import torch


def apply_rotary_pos_emb(x, base=10000.0):
    result = []
    for _ in range(100_000):
        result = [result]
    return result
