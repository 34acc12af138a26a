import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    h = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    t = torch.arange(n, device=x.device, dtype=dt)
    tops, bottoms = [], []
    for i in range(h):
        ang = t * inv[i].item()
        u, v = x[..., i], x[..., i + h]
        tops.append(u * ang.cos() - v * ang.sin())
        bottoms.append(u * ang.sin() + v * ang.cos())
    return torch.stack(tops + bottoms, dim=-1).to(x.dtype)
