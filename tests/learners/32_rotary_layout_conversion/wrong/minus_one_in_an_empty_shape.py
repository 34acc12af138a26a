import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    if num_heads < 1 or weight.shape[0] % (2 * num_heads):
        raise ValueError("sizes")
    if to == "half":
        w = weight.reshape(num_heads, -1, 2, *weight.shape[1:])
    else:
        w = weight.reshape(num_heads, 2, -1, *weight.shape[1:])
    return w.transpose(1, 2).reshape(weight.shape)
