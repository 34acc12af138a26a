import torch

def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.shape[-1]
    if d % 2:
        raise ValueError("even head_dim only")
    dt = torch.promote_types(q.dtype, torch.float32)
    f = base ** (torch.arange(0, d, 2, device=q.device, dtype=dt) / -d) if d else torch.ones(0, device=q.device)
    a = torch.cat([position_ids[..., None].to(dt) * f] * 2, dim=-1)[:, None]

    def one(x):
        y = torch.cat([x[..., ::2], x[..., 1::2]], -1)
        h = d // 2
        y = y * a.cos() + torch.cat([-y[..., h:], y[..., :h]], -1) * a.sin()
        return y.unflatten(-1, (2, h)).transpose(-1, -2).flatten(-2).to(x.dtype)

    return one(q), one(k)
