import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    f = 1.0 / base ** (torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
    a = torch.outer(torch.arange(x.shape[2], device=x.device, dtype=torch.float32), f)
    x1, x2 = x.chunk(2, dim=-1)
    x[..., : d // 2] = x1 * a.cos() - x2 * a.sin()
    x[..., d // 2 :] = x1 * a.sin() + x2 * a.cos()
    return x
