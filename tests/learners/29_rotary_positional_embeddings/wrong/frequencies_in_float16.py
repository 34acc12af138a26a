import torch
from torch import nn


class RotaryEmbedding(nn.Module):
    def __init__(self, dim, base, device):
        super().__init__()
        inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, device=device).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent=False)

    def forward(self, seq):
        t = torch.arange(seq, device=self.inv_freq.device, dtype=torch.float32)
        freqs = t[:, None] * self.inv_freq
        return torch.cat((freqs, freqs), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    emb = RotaryEmbedding(x.shape[-1], base, x.device).half()(x.shape[-2])
    a, b = x.chunk(2, dim=-1)
    return (x * emb.cos() + torch.cat((-b, a), dim=-1) * emb.sin()).to(x.dtype)
