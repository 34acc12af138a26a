import torch


def rotate_half(v):
    a, b = v.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


def rotary_2d(x, height, width, base=10000.0):
    b, h, s, D = x.shape
    if D % 4 != 0:
        raise ValueError("head_dim must be a multiple of 4")
    if s != height * width:
        raise ValueError("tokens do not fill the grid")
    acc = torch.float64 if x.dtype == torch.float64 else torch.float32
    half = D // 2
    inv_freq = 1.0 / base ** (torch.arange(0, half, 2, device=x.device, dtype=acc) / D)
    rows = torch.arange(height, device=x.device, dtype=acc)
    cols = torch.arange(width, device=x.device, dtype=acc)
    row = rows[:, None].expand(height, width).reshape(-1)
    col = cols[None, :].expand(height, width).reshape(-1)
    ang_r = row[:, None] * inv_freq
    ang_c = col[:, None] * inv_freq
    emb_r = torch.cat((ang_r, ang_r), dim=-1)
    emb_c = torch.cat((ang_c, ang_c), dim=-1)
    xr, xc = x[..., :half], x[..., half:]
    out_r = xr * emb_r.cos() + rotate_half(xr) * emb_r.sin()
    out_c = xc * emb_c.cos() + rotate_half(xc) * emb_c.sin()
    return torch.cat((out_r, out_c), dim=-1).to(x.dtype)
