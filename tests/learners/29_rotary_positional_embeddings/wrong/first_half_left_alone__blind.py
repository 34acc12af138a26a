import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("channels must come in pairs")
    T = torch.promote_types(x.dtype, torch.float32)
    a, b = x.to(T).split(d // 2, dim=-1)
    w = 1.0 / torch.pow(base, torch.arange(0, d, 2, device=x.device, dtype=T) / d)
    ang = w * torch.arange(n, device=x.device, dtype=T).unsqueeze(1)
    return torch.cat([a, a * ang.sin() + b * ang.cos()], dim=-1).to(x.dtype)
