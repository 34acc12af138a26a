import torch


def apply_rotary_pos_emb(x, base=10000.0):
    # x: (seq, batch, heads, dim) as in fairseq
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    freq = base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    t = torch.arange(x.shape[0], device=x.device, dtype=dt).reshape(-1, 1, 1, 1)
    ang = t * freq
    x1, x2 = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat((x1 * ang.cos() - x2 * ang.sin(), x1 * ang.sin() + x2 * ang.cos()), dim=-1).to(x.dtype)
