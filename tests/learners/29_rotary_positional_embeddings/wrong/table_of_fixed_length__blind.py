import torch


class RotaryEmbedding(torch.nn.Module):
    def __init__(self, dim, max_position_embeddings=4096, base=10000.0, device=None, dtype=torch.float32):
        super().__init__()
        inv = 1.0 / base ** (torch.arange(0, dim, 2, device=device, dtype=dtype) / dim)
        f = torch.arange(max_position_embeddings, device=device, dtype=dtype)[:, None] * inv
        emb = torch.cat((f, f), dim=-1)
        self.register_buffer("cos", emb.cos(), persistent=False)
        self.register_buffer("sin", emb.sin(), persistent=False)

    def forward(self, x):
        n = x.shape[-2]
        a, b = x.chunk(2, dim=-1)
        return x * self.cos[:n] + torch.cat((-b, a), dim=-1) * self.sin[:n]


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    rope = RotaryEmbedding(x.shape[-1], base=base, device=x.device, dtype=dt)
    return rope(x).to(x.dtype)
