import torch


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    if head_dim < 4 or head_dim % 2 or scale < 1:
        raise ValueError((head_dim, scale))
    b = float(base * scale ** (head_dim / (head_dim - 2)))
    return torch.logspace(0, 2 / head_dim - 1, head_dim // 2, base=b, dtype=torch.float64, device=device).to(torch.float32)
