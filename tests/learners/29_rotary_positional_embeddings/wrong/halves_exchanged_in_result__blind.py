import torch


class Rotary:
    def __init__(self, head_dim, base):
        if head_dim % 2:
            raise ValueError("head_dim must be even")
        self.d = head_dim
        self.base = base

    def angles(self, n, device, dtype):
        i = torch.arange(self.d // 2, device=device, dtype=dtype)
        p = torch.arange(n, device=device, dtype=dtype)
        return p[:, None] / self.base ** (2 * i / self.d)

    def __call__(self, x):
        dt = torch.promote_types(x.dtype, torch.float32)
        a = self.angles(x.shape[-2], x.device, dt)
        u, v = x.split(self.d // 2, dim=-1)
        new_u = u * a.cos() - v * a.sin()
        new_v = v * a.cos() + u * a.sin()
        return torch.cat((new_v, new_u), dim=-1).to(x.dtype)


def apply_rotary_pos_emb(x, base=10000.0):
    return Rotary(x.shape[-1], base)(x)
