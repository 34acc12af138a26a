import torch


def apply_rotary_pos_emb(x, base=10000.0):
    x = x.transpose(1, 2)  # batch, seq, heads, head_dim
    seq, head_dim = x.shape[1], x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, head_dim, 2, device=x.device).float() / head_dim))
    t = torch.arange(seq, device=x.device).float()
    freqs = torch.outer(t, inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)[None, :, None, :]
    x1, x2 = x.chunk(2, dim=-1)
    out = x * emb.cos() + torch.cat((-x2, x1), dim=-1) * emb.sin()
    return out.to(x.dtype)
