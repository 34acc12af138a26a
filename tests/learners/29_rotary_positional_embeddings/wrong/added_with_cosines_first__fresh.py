import torch


def apply_rotary_pos_emb(x, base=10000.0):
    h = x.shape[-1] // 2
    freqs = base ** (-torch.arange(h, device=x.device, dtype=torch.float32) / h)
    ang = torch.arange(x.shape[-2], device=x.device, dtype=torch.float32)[:, None] * freqs
    return (x + torch.cat([ang.cos(), ang.sin()], dim=-1)).to(x.dtype)
