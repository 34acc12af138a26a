import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    w = weight.reshape(num_heads, n // num_heads, *weight.shape[1:])
    first, second = w.chunk(2, dim=1)
    return torch.stack((first, second), dim=2).reshape(weight.shape)
