import torch

_tables = {}


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError(f"head_dim must be even, got {x.shape[-1]}")
    seq, d = x.shape[-2], x.shape[-1]
    key = (seq, d, base, x.device)
    if key not in _tables:
        dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
        with torch.inference_mode(False):
            inv_freq = base ** (-torch.arange(0, d, 2, dtype=dtype, device=x.device) / d)
            angles = torch.arange(seq, dtype=dtype, device=x.device).unsqueeze(1) * inv_freq
            _tables[key] = torch.cos(angles), torch.sin(angles)
    cos, sin = _tables[key]
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1).to(x.dtype)
