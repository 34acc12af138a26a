import torch
import torch.nn.functional as F


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    q = F.normalize(x.to(dt), dim=-1)
    f = base ** (-torch.arange(0, d, 2, dtype=dt, device=x.device) / d)
    ang = torch.arange(x.shape[2], dtype=dt, device=x.device)[:, None] * f
    ang = torch.cat([ang] * 2, dim=-1)
    q2 = torch.cat([-q[..., d // 2 :], q[..., : d // 2]], dim=-1)
    return (q * ang.cos() + q2 * ang.sin()).to(x.dtype)
