import torch

ROTARY_PCT = 0.25


class RotaryEmbedding:
    def __init__(self, dim, base, device, dtype):
        exps = torch.arange(0, dim, 2, device=device, dtype=dtype) / max(dim, 1)
        self.inv_freq = 1.0 / (base**exps)

    def __call__(self, seq_len):
        t = torch.arange(seq_len, device=self.inv_freq.device, dtype=self.inv_freq.dtype)
        freqs = t[:, None] * self.inv_freq[None, :]
        emb = torch.cat((freqs, freqs), dim=-1)
        return emb.cos(), emb.sin()


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    head_dim = x.shape[-1]
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    rotary_ndims = int(head_dim * ROTARY_PCT) // 2 * 2
    work = torch.promote_types(x.dtype, torch.float32)
    rot, rest = x[..., :rotary_ndims], x[..., rotary_ndims:]
    cos, sin = RotaryEmbedding(rotary_ndims, base, x.device, work)(x.shape[-2])
    rot = rot * cos + rotate_half(rot) * sin
    return torch.cat((rot.to(x.dtype), rest), dim=-1)
