import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    rows = weight.shape[0]
    if num_heads < 1 or rows % (2 * num_heads):
        raise ValueError("sizes")
    flat = weight.flatten(1) if weight.dim() > 1 else weight[:, None]
    w = flat.reshape(num_heads, rows // num_heads, flat.shape[1])
    if to == "half":
        w = torch.cat([w[:, ::2], w[:, 1::2]], 1)
    else:
        w = torch.stack(w.chunk(2, 1), 2)
    return w.reshape(flat.shape)
