import torch


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    if head_dim % 2 or head_dim < 4:
        raise ValueError("bad head_dim")
    if scale < 1:
        raise ValueError("bad scale")
    b = torch.tensor(base, dtype=torch.float32, device=device)
    s = torch.tensor(scale, dtype=torch.float32, device=device)
    b = b * s.pow(head_dim / (head_dim - 2))
    return b.reciprocal().pow(torch.arange(0, head_dim, 2, dtype=torch.float32, device=device).div(head_dim))
