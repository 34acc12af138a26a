import torch

def swap(x):
    # (a, b) -> (-b, a) for neighbours
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1) if x.numel() else (x[..., ::2], x[..., 1::2])
    return torch.stack([-b, a], -1).flatten(-2)

def apply_rotary_embeddings(x, freqs_complex):
    if x.size(-1) % 2 == 1:
        raise ValueError("odd")
    if freqs_complex.size(0) < x.size(1) or freqs_complex.size(1) != x.size(-1) // 2:
        raise ValueError("freqs")
    t = torch.promote_types(x.dtype, torch.float32)
    f = freqs_complex[: x.size(1)].repeat_interleave(2, dim=-1)[None, :, None, :]
    xx = x.to(t)
    return (xx * f.real.to(t) + swap(xx) * f.imag.to(t)).to(x.dtype)
