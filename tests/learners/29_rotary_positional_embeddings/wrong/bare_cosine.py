import torch


def apply_rotary_pos_emb(x, base=10000.0):
    half = x.shape[-1] // 2
    theta = base ** (-torch.arange(half, device=x.device) / half)
    m = torch.arange(x.shape[-2], device=x.device)[:, None]
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [
            first * cos(m * theta) - second * sin(m * theta),
            first * sin(m * theta) + second * cos(m * theta),
        ],
        dim=-1,
    )
