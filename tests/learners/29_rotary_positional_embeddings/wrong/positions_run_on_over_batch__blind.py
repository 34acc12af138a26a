import torch


def apply_rotary_pos_emb(x, base=10000.0):
    B, H, T, D = x.shape
    if D % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    # every token of the batch gets its number
    pos = torch.arange(B * T, device=x.device, dtype=dt).reshape(B, 1, T, 1)
    inv = 1 / base ** (torch.arange(0, D, 2, device=x.device, dtype=dt) / D)
    emb = torch.cat([pos * inv, pos * inv], dim=-1)
    x1, x2 = x.chunk(2, dim=-1)
    return (x * emb.cos() + torch.cat([-x2, x1], dim=-1) * emb.sin()).to(x.dtype)
