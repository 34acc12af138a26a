import torch


def learned_positional_embedding(x, table, start=0):
    if start + x.shape[1] > table.shape[0]:
        raise ValueError("beyond")
    w = torch.promote_types(x.dtype, table.dtype)
    ids = torch.arange(start, start + x.shape[1], device=x.device)
    return (x.to(w) + table[ids].to(w)).to(x.dtype)
