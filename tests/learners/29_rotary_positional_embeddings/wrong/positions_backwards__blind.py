import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    dist = n - 1 - torch.arange(n, device=x.device, dtype=dt)
    freq = torch.pow(base, -2 * torch.arange(d // 2, device=x.device, dtype=dt) / d)
    phase = dist[:, None] * freq
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * phase.cos() - b * phase.sin(), b * phase.cos() + a * phase.sin()], -1).to(x.dtype)
