import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    inner = (2, n // 2) if to == "half" else (n // 2, 2)
    return weight.reshape(*inner, *weight.shape[1:]).transpose(0, 1).reshape(weight.shape)
