import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    h = n // num_heads
    p = num_heads // 2
    inner = (p, 2) if to == "half" else (2, p)
    return weight.reshape(h, *inner, *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)
