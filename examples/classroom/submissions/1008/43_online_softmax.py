import torch
from torch import Tensor


class OnlineSoftmax:
    """Keeps no state between calls."""

    def __call__(self, blocks) -> tuple[Tensor, Tensor]:
        iterator = iter(blocks)
        try:
            block = next(iterator)
        except StopIteration:
            raise ValueError("no block") from None
        dtype = block.dtype
        wide = torch.float64 if dtype is torch.float64 else torch.float32
        m = torch.full(block.shape[:-1], torch.finfo(wide).min, dtype=wide, device=block.device)
        l = torch.zeros_like(m)
        while block is not None:
            if block.size(-1):
                x = block.to(wide)
                m, old = torch.maximum(m, x.amax(-1)), m
                l = l.mul((old - m).exp()).add((x - m.unsqueeze(-1)).exp().sum(-1))
            block = next(iterator, None)
        m = m.masked_fill(l == 0, -torch.inf)
        return m.to(dtype), l.to(dtype)


online_softmax = OnlineSoftmax()
