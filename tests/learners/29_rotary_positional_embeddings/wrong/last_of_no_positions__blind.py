import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    position_ids = list(range(n))
    max_pos = position_ids[-1]
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    table = torch.arange(max_pos + 1, device=x.device, dtype=dt)[:, None] * inv
    cos, sin = table.cos(), table.sin()
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1).to(x.dtype)
