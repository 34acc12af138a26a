import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    w = weight.reshape(num_heads, D, *weight.shape[1:])
    out = torch.zeros(w.shape, dtype=w.dtype, device=w.device)
    if to == "half":
        out[:, : D // 2] = w[:, ::2]
        out[:, D // 2 :] = w[:, 1::2]
    else:
        out[:, ::2] = w[:, : D // 2]
        out[:, 1::2] = w[:, D // 2 :]
    return out.reshape(weight.shape)
