import torch


class Rotary:
    def __init__(self, dim, base):
        if dim % 2:
            raise ValueError("head_dim must be even")
        self.dim = dim
        self.base = base

    def cos_sin(self, x):
        n = x.shape[-2]
        exponent = torch.arange(0, self.dim, 2, device=x.device).float() / self.dim
        inv_freq = self.base**-exponent
        positions = torch.arange(n, device=x.device).float()
        angles = torch.einsum("i,j->ij", positions, inv_freq)
        return angles.cos(), angles.sin()

    def __call__(self, x):
        sin, cos = self.cos_sin(x)
        half = self.dim // 2
        first, second = x[..., :half], x[..., half:]
        new_first = first * cos - second * sin
        new_second = second * cos + first * sin
        return torch.cat([new_first, new_second], dim=-1).to(x.dtype)


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    return Rotary(x.shape[-1], base)(x)
