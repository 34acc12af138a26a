import torch

def rotary_even_odd(q, k, position_ids, base=10000.0):
    # rotate both at once: heads side by side
    D = q.shape[-1]
    if D % 2 == 1:
        raise ValueError("odd head_dim")
    x = torch.cat([q, k], dim=1)
    dt = torch.promote_types(x.dtype, torch.float32)
    theta = base ** -(torch.arange(0, D, 2, dtype=dt, device=x.device) / max(D, 1))
    ang = (position_ids.to(dt)[:, :, None] * theta)[:, None]
    even, odd = x.to(dt)[..., ::2], x.to(dt)[..., 1::2]
    y = torch.empty_like(x)
    y[..., ::2] = (even * ang.cos() - odd * ang.sin()).to(x.dtype)
    y[..., 1::2] = (even * ang.sin() + odd * ang.cos()).to(x.dtype)
    return y[:, : q.shape[1]], y[:, q.shape[1] :]
