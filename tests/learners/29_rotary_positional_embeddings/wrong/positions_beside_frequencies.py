import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    theta = 1.0 / (base ** (torch.arange(0, d, 2) / d))
    m = torch.arange(x.shape[2])
    angles = m * theta
    first, second = x.chunk(2, dim=-1)
    return torch.cat(
        [first * torch.cos(angles) - second * torch.sin(angles), first * torch.sin(angles) + second * torch.cos(angles)],
        dim=-1,
    )
