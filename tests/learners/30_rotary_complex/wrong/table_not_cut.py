import torch

def apply_rotary_embeddings(x, freqs_complex):
    b, s, h, d = x.shape
    if d % 2 or freqs_complex.shape[0] < s or freqs_complex.shape[1] != d // 2:
        raise ValueError("sizes")
    xc = torch.view_as_complex(x.float().reshape(b, s, h, d // 2, 2).contiguous())
    out = torch.view_as_real(xc * freqs_complex.unsqueeze(0).unsqueeze(2)).flatten(3)
    return out.type_as(x)
