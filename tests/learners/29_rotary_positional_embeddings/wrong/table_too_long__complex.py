import torch


class Rope:
    def __init__(self, head_dim, base, max_seq_len=8192):
        freqs = 1.0 / (base ** (torch.arange(0, head_dim, 2).float() / head_dim))
        angles = torch.outer(torch.arange(max_seq_len).float(), freqs)
        self.cis = torch.polar(torch.ones_like(angles), angles)

    def __call__(self, x):
        half = x.size(-1) // 2
        z = torch.complex(x[..., :half].float(), x[..., half:].float())
        z = z * self.cis
        return torch.cat([z.real, z.imag], dim=-1).type_as(x)


def apply_rotary_pos_emb(x, base=10000.0):
    return Rope(x.size(-1), base)(x)
