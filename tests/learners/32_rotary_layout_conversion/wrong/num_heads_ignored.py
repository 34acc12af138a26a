import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    if to == "half":
        return torch.cat([weight[0::2], weight[1::2]])
    out = torch.empty_like(weight)
    out[0::2], out[1::2] = weight[: n // 2], weight[n // 2 :]
    return out
