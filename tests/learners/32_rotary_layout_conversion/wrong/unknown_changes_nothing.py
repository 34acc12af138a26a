import torch

def rotary_layout_conversion(weight, num_heads, to):
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    w = weight.reshape(num_heads, n // num_heads, *weight.shape[1:])
    if to == "half":
        w = torch.cat([w[:, ::2], w[:, 1::2]], 1)
    elif to == "interleaved":
        w = torch.stack(w.chunk(2, 1), 2)
    return w.reshape(weight.shape)
