import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    batch, heads, seq, head_dim = x.shape
    half = head_dim // 2
    inv_freq = base ** (-torch.arange(half, device=x.device).float() / half)
    angles = torch.arange(seq, device=x.device).float()[:, None] * inv_freq
    flat = x.view(batch * heads, seq, head_dim)
    x1, x2 = flat[..., :half], flat[..., half:]
    cos, sin = angles.cos(), angles.sin()
    out = torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1)
    return out.view(batch, heads, seq, head_dim).type_as(x)
