import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, half = x.shape[1], x.shape[-1] // 2
    if x.shape[-1] % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != half:
        raise ValueError
    rows = freqs_complex[torch.arange(s - 1, -1, -1, device=x.device)] if s else freqs_complex[:0]
    z = torch.view_as_complex(x.float().unflatten(-1, (half, 2)).contiguous())
    return torch.view_as_real(z * rows.unsqueeze(1)).flatten(-2).to(x.dtype)
