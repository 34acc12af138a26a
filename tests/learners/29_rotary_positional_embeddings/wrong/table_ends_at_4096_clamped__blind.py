import torch


class RotaryEmbedding:
    max_len = 4096

    def __init__(self, d, base, device, dt):
        inv = base ** (-torch.arange(0, d, 2, device=device, dtype=dt) / d)
        ang = torch.arange(self.max_len, device=device, dtype=dt)[:, None] * inv
        self.cos, self.sin = ang.cos(), ang.sin()

    def rows(self, n):
        ids = torch.arange(n, device=self.cos.device)
        ids = torch.minimum(ids, torch.full_like(ids, self.max_len - 1))
        return self.cos[ids], self.sin[ids]


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    c, s = RotaryEmbedding(d, base, x.device, torch.promote_types(x.dtype, torch.float32)).rows(n)
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c - b * s, a * s + b * c), dim=-1).to(x.dtype)
