import torch

MAX_POSITIONS = 2048


class DynamicNTKRotary:
    def __init__(self, dim, base):
        if dim % 2:
            raise ValueError("dim must be even")
        self.dim, self.base = dim, base

    def inv_freq(self, seq_len, device, dtype):
        base = self.base
        if seq_len > MAX_POSITIONS and self.dim > 2:
            ratio = seq_len / MAX_POSITIONS
            base = base * ratio ** (self.dim / (self.dim - 2))
        return 1.0 / base ** (torch.arange(0, self.dim, 2, device=device, dtype=dtype) / self.dim)

    def cos_sin(self, seq_len, device, dtype):
        t = torch.arange(seq_len, device=device, dtype=dtype)
        f = t[:, None] * self.inv_freq(seq_len, device, dtype)[None, :]
        f = torch.cat((f, f), dim=-1)
        return f.cos(), f.sin()


def apply_rotary_pos_emb(x, base=10000.0):
    dt = torch.promote_types(x.dtype, torch.float32)
    cos, sin = DynamicNTKRotary(x.shape[-1], base).cos_sin(x.shape[-2], x.device, dt)
    x1, x2 = x.chunk(2, dim=-1)
    return (x * cos + torch.cat((-x2, x1), dim=-1) * sin).to(x.dtype)
