import torch

MAX_SEQ_LEN = 2048


def rope_table(head_dim, base, device):
    theta = 1.0 / (base ** (torch.arange(0, head_dim, 2, device=device).float() / head_dim))
    idx = torch.arange(MAX_SEQ_LEN, device=device).float()
    angles = idx[:, None] * theta[None, :]
    return angles.cos(), angles.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    cos, sin = rope_table(x.shape[-1], base, x.device)
    seq = x.shape[-2]
    cos, sin = cos[:seq], sin[:seq]
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
