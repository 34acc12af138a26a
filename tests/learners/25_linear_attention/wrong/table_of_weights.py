import torch

def linear_attention(q, k, v, causal=True, eps=1e-6):
    if q.shape != k.shape or k.shape[:3] != v.shape[:3]:
        raise ValueError("shapes do not match")
    t = torch.promote_types(q.dtype, torch.float32)
    phi = lambda x: torch.where(x > 0, x + 1, x.clamp(max=0).exp())
    a = phi(q.to(t)) @ phi(k.to(t)).transpose(-1, -2)
    if causal:
        a = a.tril()
    return (a @ v.to(t) / (a.sum(-1, keepdim=True) + eps)).to(q.dtype)
