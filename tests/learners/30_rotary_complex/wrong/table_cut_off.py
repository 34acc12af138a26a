import torch


def apply_rotary_embeddings(x, freqs_complex):
    d, t = x.shape[-1], x.shape[1]
    if d % 2 or freqs_complex.shape[0] < t or freqs_complex.shape[1] != d // 2:
        raise ValueError("shape")
    f = torch.promote_types(x.dtype, torch.float32)
    z = torch.view_as_complex(x.to(f).reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(z * freqs_complex[:t, None].detach()).flatten(3).to(x.dtype)
