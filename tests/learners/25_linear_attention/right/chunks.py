import torch

def phi(x):
    return torch.where(x > 0, x, torch.zeros_like(x)) + torch.exp(torch.minimum(x, torch.zeros_like(x)))

def linear_attention(q, k, v, causal=True, eps=1e-6, chunk=64):
    b, h, s, d = q.shape
    if k.shape != (b, h, s, d) or v.shape[:-1] != (b, h, s):
        raise ValueError("q, k, v must agree")
    t = torch.float64 if q.dtype == torch.float64 else torch.float32
    fq, fk, vv = phi(q.to(t)), phi(k.to(t)), v.to(t)
    if not causal:
        out = fq @ (fk.transpose(2, 3) @ vv)
        return (out / (fq @ fk.sum(2).unsqueeze(-1) + eps)).to(q.dtype)
    mem = fk.new_zeros(b, h, d, v.shape[-1])
    tot = fk.new_zeros(b, h, d, 1)
    outs = [vv[:, :, :0]]
    for i in range(0, s, chunk):
        a, c, w = fq[:, :, i:i + chunk], fk[:, :, i:i + chunk], vv[:, :, i:i + chunk]
        local = torch.tril(a @ c.transpose(2, 3))
        top = a @ mem + local @ w
        bottom = a @ tot + local.sum(-1, keepdim=True)
        outs.append(top / (bottom + eps))
        mem = mem + c.transpose(2, 3) @ w
        tot = tot + c.sum(2).unsqueeze(-1)
    return torch.cat(outs, 2).to(q.dtype)
