import torch


def apply_rotary_pos_emb(x, base=10000.0):
    seq, hd = x.shape[-2:]
    if hd % 2:
        raise ValueError("head_dim must be even")
    half = hd // 2
    for i in range(half):
        freq = base ** (-2 * i / hd)
    angles = torch.arange(seq, device=x.device, dtype=torch.float32)[:, None] * freq
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)
