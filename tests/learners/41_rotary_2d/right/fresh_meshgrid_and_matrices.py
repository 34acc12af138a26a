import torch


def rotary_2d(x, height, width, base=10000.0):
    if x.shape[-1] % 4 != 0:
        raise ValueError("D % 4")
    if x.shape[-2] != height * width:
        raise ValueError("H * W != s")
    q = x.shape[-1] // 4
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    rc = torch.stack(
        torch.meshgrid(
            torch.arange(height, device=x.device, dtype=dt),
            torch.arange(width, device=x.device, dtype=dt),
            indexing="ij",
        ),
        dim=-1,
    ).reshape(height * width, 2, 1)
    a = rc * (1.0 / base ** (torch.arange(q, device=x.device, dtype=dt) / q))
    c, s = torch.cos(a), torch.sin(a)
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)  # (n, 2, q, 2, 2)
    v = x.to(dt).unflatten(-1, (2, 2, q)).transpose(-1, -2).unsqueeze(-1)  # (..., n, 2, q, 2, 1)
    y = (R * v.transpose(-1, -2)).sum(-1)
    return y.transpose(-1, -2).flatten(-3).to(x.dtype)
