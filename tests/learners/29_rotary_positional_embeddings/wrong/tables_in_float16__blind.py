import torch


def cos_sin_table(n, d, base, device):
    inv = base ** (-torch.arange(0, d, 2, device=device, dtype=torch.float32) / d)
    ang = torch.arange(n, device=device, dtype=torch.float32)[:, None] * inv
    ang = ang.repeat(1, 2)
    return ang.cos().half(), ang.sin().half()  # half the memory


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    cos, sin = cos_sin_table(n, d, base, x.device)
    dt = torch.promote_types(x.dtype, torch.float32)
    turned = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return (x.to(dt) * cos.to(dt) + turned.to(dt) * sin.to(dt)).to(x.dtype)
