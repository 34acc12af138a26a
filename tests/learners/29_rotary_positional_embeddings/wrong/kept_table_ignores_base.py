import torch

_cos_sin = {}


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[2], x.shape[3]
    if (n, d) not in _cos_sin:
        f = base ** (-torch.arange(0, d, 2, dtype=torch.float32, device=x.device) / d)
        a = torch.arange(n, dtype=torch.float32, device=x.device)[:, None] * f
        _cos_sin[n, d] = (a.cos(), a.sin())
    c, s = _cos_sin[n, d]
    u, v = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([u * c - v * s, u * s + v * c], dim=-1).to(x.dtype)
