# the order of Hugging Face's Llama: cos and sin take x's dtype before the product
import torch


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def cos_sin(x, base):
    dim = x.shape[-1]
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2, dtype=dtype, device=x.device) / dim))
    position_ids = torch.arange(x.shape[-2], dtype=dtype, device=x.device)
    freqs = position_ids[:, None] * inv_freq[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    return emb.cos().to(x.dtype), emb.sin().to(x.dtype)


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    cos, sin = cos_sin(x, base)
    return (x * cos) + (rotate_half(x) * sin)
