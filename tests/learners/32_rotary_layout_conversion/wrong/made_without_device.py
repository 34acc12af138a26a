import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    perm = torch.cat([torch.arange(0, D, 2), torch.arange(1, D, 2)])
    if to == "interleaved":
        perm = perm.argsort()
    return weight.unflatten(0, (num_heads, D)).index_select(1, perm).flatten(0, 1)
