import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    rows = []
    for p in range(n):
        rows.append(p * inv)
    if rows:
        ang = torch.stack(rows)
    else:
        ang = inv.new_zeros(0, d // 2)
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)
