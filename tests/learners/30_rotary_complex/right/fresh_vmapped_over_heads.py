import torch

def one_head(x, f):
    z = torch.view_as_complex(x.unflatten(-1, (f.shape[-1], 2)).contiguous())
    return torch.view_as_real(z * f).flatten(-2)

def apply_rotary_embeddings(x, freqs_complex):
    d = x.shape[-1]
    if d % 2 or freqs_complex.shape[0] < x.shape[1] or freqs_complex.shape[1] * 2 != d:
        raise ValueError("shape mismatch")
    dt = torch.promote_types(x.dtype, torch.float32)
    f = freqs_complex[: x.shape[1]]
    return torch.stack([one_head(x[:, :, h].to(dt), f) for h in range(x.shape[2])], dim=2).to(x.dtype)
