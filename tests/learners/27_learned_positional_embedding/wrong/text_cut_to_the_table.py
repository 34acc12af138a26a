import torch

def learned_positional_embedding(x, table, start=0):
    seq_len = x.shape[1]
    max_len = table.shape[0]
    if start < 0:
        raise ValueError("start must not be negative")
    seq_len = min(seq_len, max(max_len - start, 0))
    x = x[:, :seq_len]
    pos = table[start : start + seq_len]
    out = x + pos
    return out.to(x.dtype)
