# x is widened once, everything after runs wide
import torch
from torch import Tensor


def _rope(x: Tensor, base: float) -> Tensor:
    n, d = x.shape[-2:]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device).to(x.dtype) / d))
    freqs = torch.outer(torch.arange(n, device=x.device).to(x.dtype), inv_freq)
    cos, sin = torch.cat([freqs.cos()] * 2, dim=-1), torch.cat([freqs.sin()] * 2, dim=-1)
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return x * cos + torch.cat([-x2, x1], dim=-1) * sin


def apply_rotary_pos_emb(x: Tensor, base: float = 10000.0) -> Tensor:
    if x.size(-1) % 2:
        raise ValueError("head_dim must be even")
    return _rope(x if x.dtype == torch.float64 else x.float(), base).to(x.dtype)
