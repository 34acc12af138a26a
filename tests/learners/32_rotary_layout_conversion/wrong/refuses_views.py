import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ("half", "interleaved"):
        raise ValueError("to")
    rows = weight.shape[0]
    if num_heads < 1 or rows % (2 * num_heads):
        raise ValueError("sizes")
    p = rows // num_heads // 2
    cols = weight.numel() // max(rows, 1)
    inner = (p, 2) if to == "half" else (2, p)
    w = weight.view(rows * cols).view(num_heads, *inner, cols)
    return w.transpose(1, 2).contiguous().view(weight.shape)
