import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv_freq = 1.0 / base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    pos = torch.arange(x.shape[-2], device=x.device, dtype=dt)
    freqs = pos.unsqueeze(1) * inv_freq.unsqueeze(0)
    freqs = torch.cat((freqs, freqs), dim=-1)
    half = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return (freqs.cos() * x + freqs.sin() * half).to(x.dtype)
