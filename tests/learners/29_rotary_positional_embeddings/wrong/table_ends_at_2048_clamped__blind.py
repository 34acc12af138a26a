import torch

MAX_LEN = 2048


def table(d, base, device, dt):
    inv = base ** (-torch.arange(0, d, 2, device=device, dtype=dt) / d)
    t = torch.arange(MAX_LEN, device=device, dtype=dt)[:, None] * inv
    t = torch.cat((t, t), dim=1)
    return t.cos(), t.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    cos, sin = table(d, base, x.device, torch.promote_types(x.dtype, torch.float32))
    ids = torch.arange(n, device=x.device).clamp(max=MAX_LEN - 1)
    h = d // 2
    return (x * cos[ids] + torch.cat((-x[..., h:], x[..., :h]), dim=-1) * sin[ids]).to(x.dtype)
