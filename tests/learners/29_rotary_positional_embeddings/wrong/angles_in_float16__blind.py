import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    freqs = torch.outer(torch.arange(n, device=x.device, dtype=dt), inv).to(torch.float16)
    c, s = freqs.to(dt).cos(), freqs.to(dt).sin()
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1).to(x.dtype)
