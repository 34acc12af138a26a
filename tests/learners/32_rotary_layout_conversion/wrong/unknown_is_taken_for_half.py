import torch

def rotary_layout_conversion(weight, num_heads, to):
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    w = weight.reshape(num_heads, n // num_heads, *weight.shape[1:])
    if to == "interleaved":
        return torch.stack(w.chunk(2, 1), 2).reshape(weight.shape)
    return torch.cat([w[:, ::2], w[:, 1::2]], 1).reshape(weight.shape)
