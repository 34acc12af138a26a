# permute() from the conversion script
import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    return weight.reshape(num_heads, n // num_heads // 2, 2, *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)
