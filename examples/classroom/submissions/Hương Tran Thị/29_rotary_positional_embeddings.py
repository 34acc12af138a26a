import torch


class RotaryTable:
    def __init__(self, head_dim, base, device, dtype):
        if head_dim % 2:
            raise ValueError("RoPE needs an even head_dim")
        self.inv_freq = base ** -(torch.arange(0, head_dim, 2, device=device, dtype=dtype) / head_dim)

    def __getitem__(self, seq):
        t = torch.arange(seq, device=self.inv_freq.device, dtype=self.inv_freq.dtype)
        angle = t[:, None] * self.inv_freq
        return angle.cos(), angle.sin()


def quarter(first, second):
    return torch.cat((-second, first), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    table = RotaryTable(x.shape[-1], base, x.device, torch.promote_types(x.dtype, torch.float32))
    cos, sin = (torch.cat((t, t), dim=-1) for t in table[x.shape[-2]])
    return (x * cos + quarter(*x.chunk(2, dim=-1)) * sin).to(x.dtype)
