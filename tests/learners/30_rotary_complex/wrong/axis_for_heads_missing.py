import torch

def apply_rotary_embeddings(x, freqs_complex):
    b, s, h, d = x.shape
    z = torch.view_as_complex(x.float().reshape(b, s, h, d // 2, 2).contiguous())
    return torch.view_as_real(z * freqs_complex[:s]).flatten(3).type_as(x)
