import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    idx = torch.arange(n, device=weight.device).view(num_heads, -1, 2)
    order = idx.transpose(1, 2).flatten()
    if to == "interleaved":
        order = torch.argsort(order)
    return weight[order][..., order]
