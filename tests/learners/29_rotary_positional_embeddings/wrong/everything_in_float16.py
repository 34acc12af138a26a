import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d))
    freqs = torch.arange(x.shape[-2], device=x.device, dtype=torch.float32)[:, None] * inv_freq
    emb = torch.cat([freqs, freqs], dim=-1)
    cos, sin = emb.cos().half(), emb.sin().half()
    y = x.half()
    turned = torch.cat([-y[..., d // 2 :], y[..., : d // 2]], dim=-1)
    return (y * cos + turned * sin).to(x.dtype)
