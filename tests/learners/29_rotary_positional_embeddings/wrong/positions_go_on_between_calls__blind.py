import torch


class Rope:
    offset = 0

    def __call__(self, x, base):
        n, d = x.shape[-2:]
        if d % 2:
            raise ValueError("head_dim must be even")
        dt = torch.promote_types(x.dtype, torch.float32)
        pos = torch.arange(self.offset, self.offset + n, device=x.device, dtype=dt)
        self.offset += n
        ang = pos[:, None] * base ** (-torch.arange(0, d, 2, device=x.device, dtype=dt) / d)
        u, v = x.chunk(2, dim=-1)
        return torch.cat((u * ang.cos() - v * ang.sin(), u * ang.sin() + v * ang.cos()), dim=-1).to(x.dtype)


rope = Rope()


def apply_rotary_pos_emb(x, base=10000.0):
    return rope(x, base)
