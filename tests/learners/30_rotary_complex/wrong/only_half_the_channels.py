import torch

def apply_rotary_embeddings(x, freqs_complex):
    b, s, h, d = x.shape
    if d % 2 or freqs_complex.shape[0] < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    w = torch.promote_types(x.dtype, torch.float32)
    rd = int(d * 0.5) // 2 * 2
    rest, x = x[..., rd:], x[..., :rd]
    z = torch.view_as_complex(x.to(w).unflatten(-1, (rd // 2, 2)).contiguous())
    f = freqs_complex[:s, None, : rd // 2]
    return torch.cat([torch.view_as_real(z * f).flatten(-2).type_as(x), rest], dim=-1)
