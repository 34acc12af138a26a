import torch
import torch.nn.functional as F


def linear_attention(q, k, v, causal=True, eps=1e-6):
    if tuple(q.shape) != tuple(k.shape) or v.shape[-2] != k.shape[-2]:
        raise ValueError("shapes do not fit")
    f = torch.promote_types(q.dtype, torch.float32)
    qf, kf, vf = F.elu(q.to(f)).add(1), F.elu(k.to(f)).add(1), v.to(f)
    run = (lambda x: x.cumsum(2)) if causal else (lambda x: x.sum(2, keepdim=True))
    num = sum(qf[..., d : d + 1] * run(kf[..., d : d + 1] * vf) for d in range(q.shape[-1]))
    den = (qf * run(kf)).sum(-1, keepdim=True) + eps
    return (num / den).to(q.dtype)
