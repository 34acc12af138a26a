import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    assert d % 2 == 0, "even please"
    assert freqs_complex.ndim == 2 and freqs_complex.size(0) >= s and freqs_complex.size(1) == d // 2
    w = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.to(w).unflatten(-1, (d // 2, 2)).contiguous())
    return torch.view_as_real(z * freqs_complex[:s, None]).flatten(-2).type_as(x)
