import torch


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2 != 0:
        raise ValueError("RoPE needs an even head_dim")
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, dtype=torch.float32, device=x.device) / d))
    t = torch.arange(x.shape[-2], dtype=torch.float32, device=x.device)
    freqs = t[:, None] * inv_freq[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    return (x * emb.cos() + rotate_half(x) * emb.sin()).to(x.dtype)
