import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    d = x.shape[-1]
    flat = x.reshape(x.shape[0] * x.shape[1] * x.shape[2], d)
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d))
    a = torch.arange(flat.shape[0], device=x.device, dtype=torch.float32)[:, None] * inv_freq
    l, r = flat[:, : d // 2], flat[:, d // 2 :]
    return torch.cat([l * a.cos() - r * a.sin(), r * a.cos() + l * a.sin()], 1).reshape(x.shape).to(x.dtype)
