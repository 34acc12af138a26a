import torch


def online_softmax(blocks):
    biggest, total = None, None
    for block in blocks:
        if biggest is None:
            biggest = torch.full(block.shape[:-1], -torch.inf)
            total = torch.zeros(block.shape[:-1])
        if block.shape[-1]:
            biggest = torch.maximum(biggest, block.amax(-1))
            total = total + torch.exp(block).sum(-1)
    if biggest is None:
        raise ValueError("nothing to do")
    return biggest, total / torch.exp(biggest)
