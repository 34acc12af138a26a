import torch

def rotary_layout_conversion(weight: torch.Tensor, num_heads: int, to: str) -> torch.Tensor:
    if to != "half" and to != "interleaved":
        raise ValueError(to)
    rows = weight.size(0)
    if num_heads < 1 or rows % (num_heads * 2) != 0:
        raise ValueError(f"{rows} rows, {num_heads} heads")
    D = max(rows // num_heads, 1)
    r = torch.arange(rows, device=weight.device)
    head, c = r // D, r % D
    if to == "half":
        src = torch.where(c < D // 2, 2 * c, 2 * (c - D // 2) + 1)
    else:
        src = torch.where(c % 2 == 0, c // 2, D // 2 + c // 2)
    return weight.index_select(0, head * D + src)
