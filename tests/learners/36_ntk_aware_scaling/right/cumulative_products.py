import torch


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    if head_dim < 4:
        raise ValueError("small")
    if scale < 1:
        raise ValueError("scale < 1")
    half = head_dim // 2
    ratio = base ** (-1 / half) * scale ** (-1 / (half - 1))
    steps = torch.full((half,), ratio, dtype=torch.float64, device=device)
    steps[0] = 1.0
    return steps.cumprod(0).float()
