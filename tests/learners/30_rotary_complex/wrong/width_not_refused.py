import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2: raise ValueError("odd")
    if freqs_complex.shape[0] < s: raise ValueError("short")
    w = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.to(w).reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(z * freqs_complex[:s, None]).flatten(-2).type_as(x)
