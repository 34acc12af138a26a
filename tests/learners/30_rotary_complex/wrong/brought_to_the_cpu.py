import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    w = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.cpu().to(w).unflatten(-1, (d // 2, 2)).contiguous())
    return torch.view_as_real(z * freqs_complex[:s, None].cpu()).flatten(-2).to(x)
