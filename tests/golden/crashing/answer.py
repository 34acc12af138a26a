import torch


def turn_table(seq, head_dim, base):
    theta = base ** (-torch.arange(0, head_dim, 2) / head_dim)
    print("theta:", tuple(theta.shape))
    return torch.outer(torch.arange(seq), theta)


def apply_rotary_pos_emb(x, base=10000.0):
    angle = turn_table(x.shape[-2], x.shape[-1], base)
    turn = torch.polar(torch.ones_like(angle), angle)
    return (x.view_as_complex() * turn).view_as_real()
