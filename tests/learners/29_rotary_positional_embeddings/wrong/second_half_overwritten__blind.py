import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2 != 0:
        raise ValueError("need an even head_dim")
    half = d // 2
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32

    pos = torch.arange(x.shape[2], dtype=dt, device=x.device)
    log_base = torch.log(torch.tensor(base, dtype=dt, device=x.device))
    inv_freq = torch.exp(torch.arange(half, dtype=dt, device=x.device) * (-2.0 / d) * log_base)
    ang = pos[:, None] * inv_freq

    out = x.to(dt).clone()
    out[..., half:] = out[..., :half] * ang.sin() + out[..., half:] * ang.cos()
    out[..., :half] = out[..., :half] * ang.cos() - out[..., half:] * ang.sin()
    return out.to(x.dtype)
