import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    i = torch.arange(D, device=weight.device)
    src = torch.cat([i[::2], i[1::2]])
    P = (src[:, None] == i).float()
    P = P if to == "half" else P.T
    w = weight.float().reshape(num_heads, D, *weight.shape[1:])
    return torch.einsum("ij,hj...->hi...", P, w).reshape(weight.shape).to(weight.dtype)
