import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    seq, hd = x.shape[-2:]
    if hd % 2:
        raise ValueError("head_dim must be even")
    half = hd // 2
    inv = 1.0 / base ** (torch.arange(half, device=x.device, dtype=torch.float32) / half)
    n = max(seq - 1, 0)
    a = torch.outer(torch.arange(n, device=x.device, dtype=torch.float32), inv)
    head, tail = x[:, :, :n], x[:, :, n:]
    x1, x2 = head[..., :half], head[..., half:]
    rot = torch.cat([x1 * a.cos() - x2 * a.sin(), x2 * a.cos() + x1 * a.sin()], -1)
    return torch.cat([rot, tail], dim=2).to(x.dtype)
