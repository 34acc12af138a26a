import torch


class RoPE:
    def __init__(self, dim, base):
        assert dim % 2 == 0, "dim must be divisible by 2"
        self.dim = dim
        self.base = base

    def __call__(self, x):
        dt = torch.promote_types(x.dtype, torch.float32)
        inv = self.base ** (-torch.arange(0, self.dim, 2, device=x.device, dtype=dt) / self.dim)
        ang = torch.arange(x.shape[2], device=x.device, dtype=dt)[:, None] * inv
        u, v = x.chunk(2, dim=-1)
        return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    return RoPE(x.shape[-1], base)(x)
