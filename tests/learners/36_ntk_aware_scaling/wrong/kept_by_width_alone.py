import torch

seen = {}


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    if head_dim % 2 or head_dim < 4 or scale < 1:
        raise ValueError("no")
    if head_dim in seen:
        return seen[head_dim]
    b = base * scale ** (head_dim / (head_dim - 2))
    seen[head_dim] = b ** (-torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    return seen[head_dim]
