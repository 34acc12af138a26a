import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if n % num_heads != 0:
        raise ValueError("rows must be divisible by num_heads")
    D = n // num_heads
    if D % 2:
        raise ValueError("D must be even")
    inner = (D // 2, 2) if to == "half" else (2, D // 2)
    return weight.reshape(num_heads, *inner, *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)
