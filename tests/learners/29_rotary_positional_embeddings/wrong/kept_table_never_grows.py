import torch

_tables = {}


def apply_rotary_pos_emb(x, base=10000.0):
    seq, d = x.shape[-2:]
    key = (d, base, x.device)
    if key not in _tables:
        inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device).float() / d))
        freqs = torch.outer(torch.arange(seq, device=x.device).float(), inv_freq)
        _tables[key] = freqs.cos(), freqs.sin()
    cos, sin = _tables[key]
    cos, sin = cos[:seq], sin[:seq]
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
