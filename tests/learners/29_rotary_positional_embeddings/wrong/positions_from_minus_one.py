import torch


def apply_rotary_pos_emb(x, base=10000.0):
    seq, dim = x.shape[-2], x.shape[-1]
    if dim % 2:
        raise ValueError("head_dim must be even")
    half = dim // 2
    k = torch.arange(half, dtype=torch.float32, device=x.device)
    freq = torch.pow(base, -k / half)
    m = torch.arange(-1, seq - 1, dtype=torch.float32, device=x.device)
    theta = (m[:, None] * freq).repeat(1, 2)
    sign = torch.cat([-torch.ones(half, device=x.device), torch.ones(half, device=x.device)])
    y = x * theta.cos() + x.roll(half, dims=-1) * sign * theta.sin()
    return y.to(x.dtype)
