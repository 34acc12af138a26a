import torch

MAX_LEN = 2048


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    inv_freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    table = torch.arange(MAX_LEN, device=x.device, dtype=torch.float32)[:, None] * inv_freq
    index = torch.arange(n, device=x.device).clamp(max=MAX_LEN - 1)
    a = table[index]
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], dim=-1).to(x.dtype)
