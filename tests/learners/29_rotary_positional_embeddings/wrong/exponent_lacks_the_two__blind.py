import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    half = d // 2
    theta = base ** (-torch.arange(half, dtype=dt, device=x.device) / d)
    m = torch.arange(x.shape[-2], dtype=dt, device=x.device)
    mt = m.unsqueeze(-1) * theta
    left, right = x[..., :half], x[..., half:]
    return torch.cat(
        [left * mt.cos() - right * mt.sin(), left * mt.sin() + right * mt.cos()], dim=-1
    ).to(x.dtype)
