import torch


def rotary_kv_offset(x, start_pos=0, base=10000):
    if start_pos < 0 or x.shape[-1] % 2:
        raise ValueError("start_pos or head_dim")
    wide = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, x.shape[-1], 2, dtype=wide, device=x.device) / x.shape[-1]
    places = torch.arange(start_pos, start_pos + x.shape[-2], dtype=wide, device=x.device)
    angle = places[:, None] / int(base) ** exponent
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1).to(x.dtype)
