import torch


def apply_rotary_pos_emb(x, base=10000.0):
    seq_len, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    if seq_len == 0:
        return x.clone()
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    table = torch.arange(seq_len, device=x.device, dtype=dt)[:, None] * inv
    cos = table.cos()[seq_len - 1]
    sin = table.sin()[seq_len - 1]
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)
