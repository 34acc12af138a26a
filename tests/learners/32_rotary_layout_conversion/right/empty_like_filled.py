import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    if num_heads < 1 or weight.shape[0] % num_heads or (weight.shape[0] // num_heads) % 2:
        raise ValueError("sizes")
    D = weight.shape[0] // num_heads
    w = weight.reshape((num_heads, D) + tuple(weight.shape[1:]))
    out = torch.empty_like(w)
    if to == "half":
        out[:, : D // 2] = w[:, ::2]
        out[:, D // 2 :] = w[:, 1::2]
    else:
        out[:, ::2] = w[:, : D // 2]
        out[:, 1::2] = w[:, D // 2 :]
    return out.reshape(weight.shape)
