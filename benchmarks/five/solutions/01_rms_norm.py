"""# RMS norm: a worked answer"""

import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """x of shape (…, dim), weight of shape (dim,): the normalised x."""
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight
