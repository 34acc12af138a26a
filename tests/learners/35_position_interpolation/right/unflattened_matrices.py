import torch


def position_interpolation(x, scale, base=10000.0):
    dim = x.shape[-1]
    if dim % 2 == 1:
        raise ValueError
    if scale < 1:
        raise ValueError
    kind = torch.promote_types(x.dtype, torch.float32)
    exponents = torch.arange(dim // 2, dtype=kind, device=x.device) * 2 / dim
    speed = torch.pow(torch.full_like(exponents, base), -exponents)
    turns = torch.arange(x.shape[2], dtype=kind, device=x.device).view(-1, 1) * (speed / scale)
    c, s = torch.cos(turns), torch.sin(turns)
    m = torch.stack((torch.stack((c, -s), -1), torch.stack((s, c), -1)), -2)  # (seq, half, 2, 2)
    pairs = x.unflatten(-1, (2, dim // 2)).to(kind)  # (b, h, seq, 2, half)
    turned = (m * pairs.transpose(-1, -2).unsqueeze(-2)).sum(-1)  # (b, h, seq, half, 2)
    return turned.transpose(-1, -2).flatten(-2).to(x.dtype)
