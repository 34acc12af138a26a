import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    head_dim = x.shape[3]
    if head_dim % 2 != 0:
        raise ValueError("head_dim must be even")
    h = head_dim // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    freqs = torch.pow(torch.full((h,), base, dtype=dt, device=x.device), -torch.arange(h, dtype=dt, device=x.device) / h)
    angles = torch.arange(x.shape[2], dtype=dt, device=x.device).unsqueeze(-1) * freqs
    out = torch.empty_like(x)
    out[..., :h] = x[..., :h] * angles.cos() - x[..., h:] * angles.sin()
    out[..., h:] = x[..., :h] * angles.sin() + x[..., h:] * angles.cos()
    return out
