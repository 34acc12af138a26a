import torch

offset = 0


def apply_rotary_pos_emb(x, base=10000.0):
    global offset
    seq, head_dim = x.shape[-2], x.shape[-1]
    positions = torch.arange(offset, offset + seq, device=x.device).float()
    offset += seq
    inv_freq = 1.0 / base ** (torch.arange(0, head_dim, 2, device=x.device).float() / head_dim)
    ang = torch.outer(positions, inv_freq)
    cos, sin = ang.cos(), ang.sin()
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
