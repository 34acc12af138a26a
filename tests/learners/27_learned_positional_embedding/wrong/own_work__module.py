import torch
from torch import nn

def learned_positional_embedding(x, table, start=0):
    n = x.shape[1]
    if start < 0 or start + n > table.shape[0]:
        raise ValueError
    wpe = nn.Embedding.from_pretrained(table, freeze=False)
    return (x + wpe(torch.arange(start, start + n, device=x.device))).to(x.dtype)
