"""One lambda; torch.pow with a negative exponent."""
import torch


def _check(x):
    if x.shape[-1] % 2:
        raise ValueError("odd head_dim")
    return x


def _angles(x, base):
    wide = torch.promote_types(x.dtype, torch.float32)
    half = x.shape[-1] // 2
    f = torch.pow(base, -torch.arange(half, dtype=wide, device=x.device) / half)
    return torch.einsum("p,i->pi", torch.arange(x.shape[-2], dtype=wide, device=x.device), f)


def _rot(x, a):
    l, r = x.tensor_split(2, dim=-1)
    return torch.cat([l * a.cos() - r * a.sin(), r * a.cos() + l * a.sin()], dim=-1)


apply_rotary_pos_emb = lambda x, base=10000.0: _rot(_check(x), _angles(x, base)).to(x.dtype)
