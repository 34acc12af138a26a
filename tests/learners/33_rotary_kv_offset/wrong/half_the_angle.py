import torch

def rotary_kv_offset(x, start_pos=0, base=10000.0):
    b, h, s, d = x.shape
    if start_pos < 0:
        raise ValueError("start_pos is negative")
    if d % 2 != 0:
        raise ValueError("head_dim must be even")
    acc = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device, dtype=acc) / d)
    t = torch.arange(start_pos, start_pos + s, device=x.device, dtype=acc) / 2
    freqs = t[:, None] * inv_freq[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    cos, sin = emb.cos(), emb.sin()
    x1 = x[..., : d // 2]
    x2 = x[..., d // 2 :]
    rotated = torch.cat((-x2, x1), dim=-1)
    out = x * cos + rotated * sin
    return out.to(x.dtype)
