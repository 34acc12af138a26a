import torch


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    b, h, s, d = x.shape
    if d % 2 != 0:
        raise ValueError("head_dim must be even")
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device).float() / d))
    t = torch.arange(s, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    cos, sin = emb.cos(), emb.sin()
    x = x.bfloat16().float()
    return (x * cos + rotate_half(x) * sin).to(x.dtype)
