import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    hd = x.size(-1)
    if hd % 2:
        raise ValueError("even head_dim please")
    freq = base ** (-torch.arange(0, hd, 2, device=x.device, dtype=torch.float32) / hd)
    ang = torch.arange(x.size(2), device=x.device, dtype=torch.float32)[:, None] * freq
    cos, sin = ang.cos(), ang.sin()
    y = x.clone()
    y[..., : hd // 2] = y[..., : hd // 2] * cos - y[..., hd // 2 :] * sin
    y[..., hd // 2 :] = y[..., hd // 2 :] * cos + y[..., : hd // 2] * sin
    return y
