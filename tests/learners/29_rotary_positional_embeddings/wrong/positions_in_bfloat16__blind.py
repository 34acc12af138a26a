import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    t = torch.arange(n, device=x.device).to(torch.bfloat16)
    inv_freq = 1.0 / base ** (torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    freqs = t[:, None].to(dt) * inv_freq[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    h = d // 2
    return (x * emb.cos() + torch.cat((-x[..., h:], x[..., :h]), -1) * emb.sin()).to(x.dtype)
