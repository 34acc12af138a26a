import torch

# bring the wanted row to the front, then cut
def learned_positional_embedding(x, table, start=0):
    s = x.shape[1]
    if start < 0 or start + s > table.shape[0]:
        raise ValueError((start, s, table.shape))
    return torch.einsum("bsd->bsd", x + torch.roll(table, -start, 0)[:s].unsqueeze(0)).to(x.dtype)
