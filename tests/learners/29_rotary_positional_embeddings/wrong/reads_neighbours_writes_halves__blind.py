import torch

def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """rotate pairs"""
    D = x.shape[-1]
    if D & 1:
        raise ValueError("head_dim must be even")
    ft = torch.float64 if x.dtype is torch.float64 else torch.float32
    k = torch.arange(0, D, 2, dtype=ft, device=x.device)
    omega = torch.pow(base, -k / D)
    pos = torch.arange(x.shape[-2], dtype=ft, device=x.device)
    ang = torch.outer(pos, omega)
    s, c = torch.sin(ang), torch.cos(ang)

    xe = x[..., ::2]
    xo = x[..., 1::2]
    re = xe * c - xo * s
    im = xe * s + xo * c
    return torch.cat([re, im], dim=-1).to(x.dtype)
