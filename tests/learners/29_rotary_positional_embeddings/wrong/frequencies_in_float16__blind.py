import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, dim, base, device):
        super().__init__()
        if dim % 2:
            raise ValueError("dim must be even")
        inv_freq = 1.0 / base ** (torch.arange(0, dim, 2, dtype=torch.float32, device=device) / dim)
        self.register_buffer("inv_freq", inv_freq)

    def forward(self, x):
        dt = torch.promote_types(x.dtype, torch.float32)
        t = torch.arange(x.shape[-2], dtype=dt, device=x.device)
        f = t[:, None] * self.inv_freq.to(dt)
        a, b = x.chunk(2, dim=-1)
        return torch.cat((a * f.cos() - b * f.sin(), b * f.cos() + a * f.sin()), dim=-1).to(x.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    rotary = Rotary(x.shape[-1], base, x.device).half()
    return rotary(x)
