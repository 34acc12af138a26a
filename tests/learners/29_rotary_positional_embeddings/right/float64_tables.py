# tables in double, then cast to what the product should run in
import torch


def build(seq, dim, base, device, dtype):
    i = torch.arange(dim // 2, dtype=torch.float64, device=device)
    w = base ** (-2 * i / dim)
    t = torch.arange(seq, dtype=torch.float64, device=device)
    a = t[:, None] * w[None, :]
    return torch.cos(a).to(dtype), torch.sin(a).to(dtype)


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    n, dim = x.shape[-2:]
    if dim % 2:
        raise ValueError("head_dim must be even")
    cos, sin = build(n, dim, base, x.device, torch.promote_types(x.dtype, torch.float32))
    x1, x2 = torch.split(x, dim // 2, dim=-1)
    y1 = x1 * cos - x2 * sin
    y2 = x2 * cos + x1 * sin
    return torch.cat((y1, y2), dim=-1).to(dtype=x.dtype)
