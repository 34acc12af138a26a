import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    n = weight.shape[0]
    if num_heads < 1 or n % (2 * num_heads):
        raise ValueError("sizes")
    D = n // num_heads
    out = torch.zeros_like(weight)
    for i in range(num_heads):
        for j in range(D // 2):
            if to == "half":
                out[i * D + j] = weight[i * D + 2 * j]
                out[i * D + D // 2 + j] = weight[i * D + 2 * j + 1]
            else:
                out[i * D + 2 * j] = weight[i * D + j]
                out[i * D + 2 * j + 1] = weight[i * D + D // 2 + j]
    return out
