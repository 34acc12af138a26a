import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    half = d // 2
    steps = torch.linspace(0, 1, half, dtype=dt, device=x.device)
    inv_freq = base ** (-steps)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * inv_freq
    cos = ang.cos().repeat(1, 2)
    sin = ang.sin().repeat(1, 2)
    y = torch.cat([x[..., half:].neg(), x[..., :half]], dim=-1)
    return (x * cos + y * sin).to(x.dtype)
