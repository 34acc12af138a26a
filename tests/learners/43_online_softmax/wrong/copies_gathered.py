import torch


def online_softmax(blocks):
    parts = []
    for b in blocks:
        parts.append(b.clone())
    if not parts:
        raise ValueError("no blocks")
    dtype = parts[0].dtype
    if dtype in (torch.float16, torch.bfloat16):
        parts = [p.float() for p in parts]
    m = torch.full(parts[0].shape[:-1], -torch.inf, dtype=parts[0].dtype, device=parts[0].device)
    for p in parts:
        if p.shape[-1]:
            m = torch.maximum(m, p.amax(-1))
    safe = torch.where(m == -torch.inf, torch.zeros_like(m), m)
    l = sum((p - safe[..., None]).exp().sum(-1) for p in parts)
    return m.to(dtype), l.to(dtype)
