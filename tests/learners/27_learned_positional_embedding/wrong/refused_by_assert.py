import torch

def learned_positional_embedding(x, table, start=0):
    seq_len = x.shape[1]
    max_len = table.shape[0]
    assert start >= 0 and start + seq_len <= max_len
    pos = table[start : start + seq_len]
    out = x + pos
    return out.to(x.dtype)
