import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    dim1, dim2 = weight.shape
    if num_heads < 1 or dim1 % (2 * num_heads):
        raise ValueError("sizes")
    if to == "half":
        w = weight.reshape(num_heads, dim1 // num_heads // 2, 2, dim2)
    else:
        w = weight.reshape(num_heads, 2, dim1 // num_heads // 2, dim2)
    return w.transpose(1, 2).reshape(dim1, dim2)
