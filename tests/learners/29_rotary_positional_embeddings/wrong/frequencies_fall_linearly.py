import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("odd")
    lowest = 1 / base
    freqs = torch.stack([torch.tensor(1 - (1 - lowest) * i / (d // 2), device=x.device) for i in range(d // 2)])
    angle = torch.arange(n, device=x.device, dtype=torch.float32)[:, None] * freqs
    c, s = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
    u, v = x.chunk(2, -1)
    return (x * c + torch.cat([-v, u], -1) * s).to(x.dtype)
