import torch

_tables = {}


def rotary_kv_offset(x, start_pos=0, base=10000.0):
    if start_pos < 0 or x.shape[-1] % 2:
        raise ValueError("start_pos or head_dim")
    half, end = x.shape[-1] // 2, start_pos + x.shape[-2]
    wide = torch.promote_types(x.dtype, torch.float32)
    table = _tables.get((half, wide, x.device))
    if table is None or table.shape[0] < end:  # the text has grown
        with torch.inference_mode(False):
            freqs = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
            table = torch.arange(end, dtype=wide, device=x.device)[:, None] * freqs
        _tables[half, wide, x.device] = table
    angles = table[start_pos:end]
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).to(x.dtype)
