from torch import arange, float32, stack, Tensor

def sinusoidal_positional_encoding(seq_len: int, d_model: int, base: float = 10000.0, device=None) -> Tensor:
    i = arange((d_model + 1) // 2, dtype=float32, device=device)
    omega = 1.0 / base ** (2 * i / d_model)
    pos = arange(seq_len, dtype=float32, device=device)
    angle = pos[:, None] * omega
    return stack([angle.sin(), angle.cos()], dim=2).flatten(1)
