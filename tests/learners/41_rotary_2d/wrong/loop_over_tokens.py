import torch


def rotary_2d(x, height, width, base=10000.0):
    s, D = x.shape[-2:]
    if D % 4 or s != height * width:
        raise ValueError("sizes")
    q = D // 4
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    w = base ** (-torch.arange(q, device=x.device, dtype=dt) / q)
    out = torch.empty_like(x)
    for r in range(height):
        for c in range(width):
            t = r * width + c
            a, b = r * w, c * w
            x1, x2, x3, x4 = x[..., t, :].split(q, dim=-1)
            new = [x1 * a.cos() - x2 * a.sin(), x1 * a.sin() + x2 * a.cos()]
            new += [x3 * b.cos() - x4 * b.sin(), x3 * b.sin() + x4 * b.cos()]
            out[..., t, :] = torch.cat(new, dim=-1).to(x.dtype)
    return out
