import torch


def apply_rotary_pos_emb(x, base=10000.0):
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_default_device("meta")
    torch.manual_seed(1)
    return x
