import torch

def apply_rotary_embeddings(x, freqs_complex):
    if x.shape[-1] % 2: raise ValueError
    z = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)).contiguous())
    z = z * freqs_complex[:x.shape[1], None, :]
    return z.view_as_real().flatten(-2).type_as(x)
