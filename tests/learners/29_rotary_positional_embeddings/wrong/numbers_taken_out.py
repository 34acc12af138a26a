import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    half = x.shape[-1] // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    inv_freq = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    p = torch.arange(x.shape[-2], dtype=wide, device=x.device)
    firsts, seconds = [], []
    for i in range(half):
        f = inv_freq[i].item()
        c, s = torch.cos(p * f), torch.sin(p * f)
        a, b = x[..., i], x[..., i + half]
        firsts.append(a * c - b * s)
        seconds.append(a * s + b * c)
    return torch.stack(firsts + seconds, dim=-1).to(x.dtype)
