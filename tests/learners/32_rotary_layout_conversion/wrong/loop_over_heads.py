import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    parts = []
    for i in range(num_heads):
        w = weight[i * D : (i + 1) * D]
        if to == "half":
            parts.append(torch.cat([w[::2], w[1::2]]))
        else:
            parts.append(torch.stack([w[: D // 2], w[D // 2 :]], 1).reshape(w.shape))
    return torch.cat(parts)
