import torch


def ntk_aware_scaling(head_dim, scale, base=10000.0, device=None):
    assert head_dim % 2 == 0 and head_dim >= 4
    assert scale >= 1
    alpha = scale ** (head_dim / (head_dim - 2))
    new_base = base * alpha
    exponent = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim
    inv_freq = 1.0 / (new_base**exponent)
    return inv_freq
