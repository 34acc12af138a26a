import torch


def ntk_aware_scaling(head_dim: int, scale: float, base: float = 10000.0, device=None) -> torch.Tensor:
    if head_dim & 1:
        raise ValueError("odd")
    if head_dim <= 2:
        raise ValueError("too small")
    if scale < 1:
        raise ValueError("too short")
    ratio = head_dim / (head_dim - 2)
    j = torch.arange(head_dim // 2, device=device, dtype=torch.int64)
    unscaled = torch.float_power(base, -(j + j).double() / head_dim)
    return torch.mul(unscaled, torch.float_power(scale, -(j + j).double() * ratio / head_dim)).to(torch.float32)
