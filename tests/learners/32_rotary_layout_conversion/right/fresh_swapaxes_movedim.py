import torch
from torch import Tensor

LAYOUTS = {"half": lambda p: (p, 2), "interleaved": lambda p: (2, p)}

def rotary_layout_conversion(weight: Tensor, num_heads: int, to: str) -> Tensor:
    try:
        layout = LAYOUTS[to]
    except KeyError:
        raise ValueError(f"no such layout: {to}") from None
    if num_heads < 1:
        raise ValueError("num_heads")
    pairs, left = divmod(weight.shape[0], 2 * num_heads)
    if left:
        raise ValueError("heads must be even and whole")
    cut = weight.unflatten(0, (num_heads,) + layout(pairs))
    return cut.movedim(2, 1).contiguous().reshape_as(weight)
