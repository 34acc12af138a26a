import torch


def build_table(max_pos, head_dim, base, device):
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    return torch.outer(torch.arange(max_pos, device=device).float(), inv_freq)


def apply_rotary_pos_emb(x, base=10000.0):
    positions = torch.arange(x.shape[2], device=x.device)
    table = build_table(int(positions.max()) + 1, x.shape[3], base, x.device)
    angles = table[positions]
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1).to(x.dtype)
