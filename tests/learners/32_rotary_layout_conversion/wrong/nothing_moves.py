import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    p = n // num_heads // 2
    rest = weight.shape[1:]
    if to == "half":
        w = weight.reshape(num_heads, p, 2, *rest).reshape(num_heads, 2, p, *rest)
    else:
        w = weight.reshape(num_heads, 2, p, *rest).reshape(num_heads, p, 2, *rest)
    return w.reshape(weight.shape).clone()
