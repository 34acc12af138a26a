import torch

def apply_rotary_embeddings(x, freqs_complex):
    b, s, h, d = x.shape
    n, half = freqs_complex.shape
    if d % 2:
        raise ValueError("d")
    if n < s or half != d // 2:
        raise ValueError("freqs")
    wide = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.transpose(1, 2).to(wide).reshape(b, h, s, half, 2).clone(memory_format=torch.contiguous_format))
    z = z * freqs_complex[:s]
    return torch.view_as_real(z).reshape(b, h, s, d).transpose(1, 2).to(x.dtype)
