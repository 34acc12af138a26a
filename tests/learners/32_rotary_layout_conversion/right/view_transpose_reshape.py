import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in {"half", "interleaved"}:
        raise ValueError("unknown layout " + repr(to))
    n, rest = weight.shape[0], weight.shape[1:]
    if num_heads <= 0 or n % num_heads != 0:
        raise ValueError("rows do not split into heads")
    D = n // num_heads
    if D % 2:
        raise ValueError("head dim is odd")
    if to == "half":
        w = weight.reshape(num_heads, D // 2, 2, *rest)
    else:
        w = weight.reshape(num_heads, 2, D // 2, *rest)
    return w.transpose(1, 2).reshape(weight.shape)
