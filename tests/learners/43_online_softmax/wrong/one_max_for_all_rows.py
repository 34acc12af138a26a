import torch


def online_softmax(blocks):
    m, total, seen = None, None, False
    for block in blocks:
        if not seen:
            m = torch.full(block.shape[:-1], float("-inf"))
            total = torch.zeros(block.shape[:-1])
            seen = True
        if block.numel() == 0:
            continue
        new = torch.maximum(m, block.max())
        safe = torch.nan_to_num(new, neginf=0.0)
        total = total * torch.exp(m - safe) + torch.exp(block - safe.unsqueeze(-1)).sum(-1)
        m = new
    if not seen:
        raise ValueError("no block was given")
    return m, total
