import torch


def apply_rotary_pos_emb(x, base=10000.0):
    seq, dim = x.shape[-2], x.shape[-1]
    if dim % 2:
        raise ValueError("dim")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = base ** (torch.arange(0, dim, 2, device=x.device, dtype=dt) / -dim)
    a = torch.arange(seq, device=x.device, dtype=dt)[:, None] * inv
    enc = x.new_empty(seq, dim, dtype=dt)
    enc[:, : dim // 2] = a.cos()
    enc[:, dim // 2 :] = a.sin()
    return (x + enc).to(x.dtype)
