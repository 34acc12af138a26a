from torch import arange, float32, stack, Tensor

def sinusoidal_positional_encoding(seq_len: int, d_model: int, base: float = 10000.0, device=None) -> Tensor:
    if d_model & 1:
        raise ValueError(f"odd width {d_model}")
    i = arange(d_model // 2, dtype=float32, device=device)
    omega = 1.0 / base ** (2 * i / d_model)
    pos = 2 * arange(seq_len, dtype=float32, device=device)
    angle = pos[:, None] * omega
    return stack([angle.sin(), angle.cos()], dim=2).reshape(seq_len, d_model)
