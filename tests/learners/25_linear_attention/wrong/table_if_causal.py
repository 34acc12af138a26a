import torch

def linear_attention(q, k, v, causal=True, eps=1e-6):
    if q.shape != k.shape or k.shape[:3] != v.shape[:3]:
        raise ValueError("shapes do not match")
    t = torch.promote_types(q.dtype, torch.float32)
    phi = lambda x: torch.where(x > 0, x + 1, x.clamp(max=0).exp())
    if not causal:
        fk = phi(k.to(t))
        fq = phi(q.to(t))
        state = fk.transpose(-1, -2) @ v.to(t)
        return (fq @ state / ((fq * fk.sum(-2, keepdim=True)).sum(-1, keepdim=True) + eps)).to(q.dtype)
    a = phi(q.to(t)) @ phi(k.to(t)).transpose(-1, -2)
    if causal:
        a = a.tril()
    return (a @ v.to(t) / (a.sum(-1, keepdim=True) + eps)).to(q.dtype)
