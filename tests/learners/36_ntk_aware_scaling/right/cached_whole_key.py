from functools import cache

import torch


@cache
def _kept(head_dim, scale, base, device):
    exponents = torch.arange(0, head_dim, 2, device=device).to(torch.float32) / head_dim
    unscaled = torch.exp(-exponents * torch.log(torch.tensor(base, dtype=torch.float32, device=device)))
    slower = scale ** (exponents * head_dim / (head_dim - 2))
    return unscaled / slower


class NTK:
    def __call__(self, head_dim, scale, base=10000.0, device=None):
        if head_dim % 2 or head_dim < 4:
            raise ValueError("head_dim")
        if scale < 1:
            raise ValueError("scale")
        return _kept(head_dim, float(scale), float(base), device).clone()


ntk_aware_scaling = NTK()
