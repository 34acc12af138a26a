import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    if num_heads < 1 or weight.shape[0] % (2 * num_heads):
        raise ValueError("sizes")
    D = weight.shape[0] // num_heads
    w = weight.to(torch.float32).unflatten(0, (num_heads, D))
    if to == "half":
        w = torch.cat([w[:, ::2], w[:, 1::2]], 1)
    else:
        w = torch.stack([w[:, : D // 2], w[:, D // 2 :]], 2)
    return w.reshape(weight.shape)
