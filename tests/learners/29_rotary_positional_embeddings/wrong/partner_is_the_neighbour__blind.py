import torch
from math import log


def _turn(x):
    # (a, b) -> (-b, a)
    out = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1)
    return out.reshape(x.shape)


def _tables(n, d, base, like):
    i = torch.arange(d // 2, device=like.device, dtype=like.dtype)
    w = torch.exp(-log(base) * 2 * i / d)
    a = torch.arange(n, device=like.device, dtype=like.dtype).view(n, 1) * w
    a = torch.cat([a, a], dim=1)
    return a.cos(), a.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("can't make pairs of %d channels" % x.shape[-1])
    y = x if x.dtype == torch.float64 else x.float()
    cos, sin = _tables(x.shape[2], x.shape[3], base, y)
    y = y * cos + _turn(y) * sin
    return y.to(x.dtype)
