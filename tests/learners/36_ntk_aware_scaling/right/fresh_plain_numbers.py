import torch
from torch import Tensor


def ntk_aware_scaling(
    head_dim: int, scale: float, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if head_dim % 2 or head_dim < 4 or scale < 1:
        raise ValueError("head_dim or scale")
    b = base * scale ** (head_dim / (head_dim - 2))
    exponent = [-2 * j / head_dim for j in range(head_dim // 2)]
    return torch.tensor([b**k for k in exponent], dtype=torch.float32, device=device)
