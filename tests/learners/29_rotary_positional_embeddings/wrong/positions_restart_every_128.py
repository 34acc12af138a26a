import torch

BLOCK = 128


def rotate_block(x, base):
    n, d = x.shape[-2:]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d))
    a = torch.outer(torch.arange(n, device=x.device, dtype=torch.float32), inv_freq)
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], dim=-1)


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    return torch.cat([rotate_block(block, base) for block in x.split(BLOCK, dim=2)], dim=2).to(x.dtype)
