"""RoPE, the way the Llama paper's code does it."""
import torch


def precompute_freqs_cis(dim, end, theta, device, dtype):
    exps = torch.arange(0, dim, 2, device=device, dtype=dtype) / dim
    freqs = 1.0 / (theta ** exps)
    t = torch.arange(end, device=device, dtype=dtype)
    angles = t.unsqueeze(1) * freqs.unsqueeze(0)
    return torch.polar(torch.ones_like(angles), angles)


def apply_rotary_pos_emb(x, base=10000.0):
    dim = x.size(-1)
    if dim % 2 == 1:
        raise ValueError(f"head_dim has to be even, got {dim}")
    work = torch.float64 if x.dtype == torch.float64 else torch.float32
    cis = precompute_freqs_cis(dim, x.size(2), base, x.device, work)
    x_ = torch.view_as_complex(x.to(work).reshape(*x.shape[:-1], dim // 2, 2))
    out = torch.view_as_real(x_ * cis)
    return out.flatten(3).to(x.dtype)
