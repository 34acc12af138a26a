import torch


def rotations(width, length, base):
    speeds = base ** (-torch.arange(0, width, 2).float() / width)
    grid = torch.einsum("p,f->pf", torch.arange(length).float(), speeds)
    return torch.polar(torch.ones_like(grid), grid)


def turned(x, table):
    z = x.float().reshape(*x.shape[:-1], -1, 2).view_as_complex()
    return torch.view_as_real(z * table[None, :, None]).flatten(3).type_as(x)


def apply_rotary_pos_emb(x, base=10000.0):
    return turned(x, rotations(x.shape[-1], 4096, base))
