import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, s, d = x.shape
    if d % 2:
        raise ValueError("odd head_dim")
    half = d // 2
    dt = torch.promote_types(x.dtype, torch.float32)

    inv = base ** (-2 * torch.arange(half, dtype=dt, device=x.device) / d)
    theta = torch.arange(s, dtype=dt, device=x.device)[:, None] * inv[None, :]
    z = torch.complex(x[..., :half].to(dt), x[..., half:].to(dt))
    w = torch.complex(theta.cos(), theta.sin())
    z = z * w
    return torch.view_as_real(z).reshape(b, h, s, d).to(x.dtype)
