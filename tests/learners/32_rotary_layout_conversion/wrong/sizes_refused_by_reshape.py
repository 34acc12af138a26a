import torch

def rotary_layout_conversion(weight, num_heads, to):
    D = weight.shape[0] // num_heads
    rest = weight.shape[1:]
    if to == "half":
        return weight.reshape(num_heads, D // 2, 2, *rest).transpose(1, 2).reshape(weight.shape)
    if to == "interleaved":
        return weight.reshape(num_heads, 2, D // 2, *rest).transpose(1, 2).reshape(weight.shape)
    raise ValueError(to)
