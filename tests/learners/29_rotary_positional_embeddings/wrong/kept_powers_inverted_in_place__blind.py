import torch

POWERS = {}


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    key = (d, base, dt, x.device)
    if key not in POWERS:
        with torch.inference_mode(False):
            POWERS[key] = base ** (torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    inv_freq = POWERS[key].reciprocal_()
    ang = torch.arange(n, device=x.device, dtype=dt)[:, None] * inv_freq
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)
