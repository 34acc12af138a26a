# a permutation is a matrix too
import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    i = torch.arange(D, device=weight.device)
    src = torch.cat([i[0::2], i[1::2]])
    P = (src[:, None] == i[None, :]).to(weight.dtype)
    if to == "interleaved":
        P = P.T
    w = weight.reshape(num_heads, D, *weight.shape[1:])
    return torch.einsum("ij,hj...->hi...", P, w).reshape(weight.shape)
