import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    head, others = weight[:D], weight[D:]
    if to == "half":
        head = torch.cat([head[::2], head[1::2]])
    else:
        head = torch.stack([head[: D // 2], head[D // 2 :]], 1).reshape(head.shape)
    return torch.cat([head, others])
