import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    inv = 1.0 / base ** (torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
    t = torch.arange(n, device=x.device, dtype=dt)
    freqs = (inv[None, :, None] @ t[None, None, :]).transpose(1, 2)  # as in modeling_llama
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * freqs.cos() - v * freqs.sin(), u * freqs.sin() + v * freqs.cos()), dim=-1).to(x.dtype)
