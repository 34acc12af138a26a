import torch


def online_softmax(blocks):
    m = l = None
    for block in blocks:
        work = block if block.dtype == torch.float64 else block.float()
        if m is None:
            dtype = block.dtype
            m = work.new_full(block.shape[:-1], -torch.inf)
            l = work.new_zeros(block.shape[:-1])
        for j in range(block.shape[-1]):
            x = work[..., j]
            bigger = torch.maximum(m, x)
            ref = bigger.masked_fill(bigger == -torch.inf, 0)
            l = l * torch.exp(m - ref) + torch.exp(x - ref)
            m = bigger
    if m is None:
        raise ValueError("no blocks")
    return m.to(dtype), l.to(dtype)
