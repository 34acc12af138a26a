import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, s, d = x.shape
    inv_freq = base ** (-torch.arange(0, d, 2, device=x.device).float() / d)
    ang = torch.arange(s, device=x.device).float()[:, None] * inv_freq
    pairs = x.reshape(b * h, -1, 2, d // 2)  # bh, seq, which half, pair
    p, q = pairs[:, :, 0], pairs[:, :, 1]
    out = torch.stack([p * ang.cos() - q * ang.sin(), p * ang.sin() + q * ang.cos()], dim=2)
    return out.reshape(b, h, s, d).to(x.dtype)
