import torch


def apply_rotary_pos_emb(x, base=10000.0):
    *_, seq, head_dim = x.shape
    half = head_dim // 2
    if seq == 1:
        pos = torch.ones(1, device=x.device)  # decoding: one new token
    else:
        pos = torch.arange(seq, device=x.device).float()
    inv_freq = base ** (-torch.arange(half, device=x.device).float() / half)
    ang = pos.unsqueeze(-1) * inv_freq
    a, b = x[..., :half], x[..., half:]
    y = torch.cat([a * ang.cos() - b * ang.sin(), a * ang.sin() + b * ang.cos()], dim=-1)
    return y.to(x.dtype)
