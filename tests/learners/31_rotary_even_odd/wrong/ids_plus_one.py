# with a partner tensor, the way GPT-J does it
import torch
from torch import Tensor


def partner(x: Tensor) -> Tensor:
    out = torch.empty_like(x)
    out[..., ::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., ::2]
    return out


def rotary_even_odd(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0):
    B, H, S, D = q.shape
    if D & 1:
        raise ValueError(f"cannot pair {D} channels")
    wide = torch.promote_types(q.dtype, torch.float32)
    j = torch.arange(D // 2, dtype=wide, device=q.device)
    f = base ** (-2 * j / D)
    ang = (position_ids + 1).to(wide).unsqueeze(-1) * f
    ang = ang.repeat_interleave(2, dim=-1).unsqueeze(1)
    c, s = ang.cos(), ang.sin()
    rq = q * c + partner(q) * s
    rk = k * c + partner(k) * s
    return rq.to(q.dtype), rk.to(k.dtype)
