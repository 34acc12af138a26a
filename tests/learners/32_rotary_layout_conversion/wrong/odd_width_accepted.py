import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % num_heads:
        raise ValueError("sizes")
    D = n // num_heads
    perm = torch.cat([torch.arange(0, D, 2, device=weight.device), torch.arange(1, D, 2, device=weight.device)])
    if to == "interleaved":
        perm = torch.argsort(perm)
    return weight.reshape(num_heads, D, *weight.shape[1:])[:, perm].reshape(weight.shape)
