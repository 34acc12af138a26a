import torch

def sinusoidal_positional_encoding(seq_len, d_model, base=10000.0, device=None):
    if d_model % 2 == 1:
        raise ValueError("odd")
    kw = dict(dtype=torch.float32, device=device)
    angles = torch.einsum("p,i->pi", torch.arange(seq_len, **kw), torch.pow(1 / base, torch.arange(0, d_model, 2, **kw) / d_model))
    blocks = torch.cat([angles.sin(), angles.cos()], dim=1)
    order = torch.arange(d_model, device=device).view(2, -1).T.reshape(-1)
    return blocks[:, order]
