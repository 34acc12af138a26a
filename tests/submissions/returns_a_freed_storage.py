import torch


def apply_rotary_pos_emb(x, base=10000.0):
    result = x.clone()
    result.untyped_storage().resize_(0)
    return result
