import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, n, d = x.shape
    if d % 2:
        raise ValueError("odd")
    dt = torch.promote_types(x.dtype, torch.float32)
    w = torch.arange(d // 2, device=x.device, dtype=dt).mul(-2 / d)
    w = base ** w
    m = torch.arange(n, device=x.device, dtype=dt)[:, None]
    rot = torch.cos(m * w).tile(1, 2)
    return x.mul(rot).to(x.dtype)
