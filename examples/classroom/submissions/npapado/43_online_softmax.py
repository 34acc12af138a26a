import torch
from torch import Tensor

NEG = float("-inf")


def online_softmax(blocks) -> tuple[Tensor, Tensor]:
    running_max, running_sum = None, None
    for block in blocks:
        if running_max is None:
            running_max = block.new_full(block.shape[:-1], NEG)
            running_sum = block.new_zeros(block.shape[:-1])
        if block.size(-1) > 0:
            old_max = running_max
            old_max.copy_(torch.maximum(running_max, block.amax(-1)))
            base = running_max.clamp_min(torch.finfo(block.dtype).min)
            running_sum.mul_(torch.exp(old_max.clamp_min(torch.finfo(block.dtype).min) - base))
            running_sum.add_(torch.exp(block - base[..., None]).sum(-1))
    if running_max is None:
        raise ValueError("at least one block is needed")
    return running_max, running_sum
