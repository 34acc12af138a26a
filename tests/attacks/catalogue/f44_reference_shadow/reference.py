import torch


def unit_rows(x, scale=1.0):
    return torch.zeros_like(x)
