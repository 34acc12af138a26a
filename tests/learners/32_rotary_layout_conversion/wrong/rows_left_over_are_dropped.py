import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    half = weight.shape[0] // num_heads // 2
    head = torch.arange(num_heads, device=weight.device)[:, None, None] * (2 * half)
    j = torch.arange(half, device=weight.device)
    if to == "half":
        inner = torch.stack([2 * j, 2 * j + 1], 0)
    else:
        inner = torch.stack([j, half + j], 1)
    return weight[(head + inner).flatten()]
