import torch
import torch.nn.functional as F

def feature_map(x):
    return F.elu(x) + 1

def linear_attention(q, k, v, causal=True, eps=1e-6):
    if q.shape != k.shape or k.shape[:3] != v.shape[:3]:
        raise ValueError("shapes do not match")
    dtype = q.dtype
    D = q.shape[-1]
    if dtype in (torch.float16, torch.bfloat16):
        q, k, v = q.float(), k.float(), v.float()
    q = feature_map(q * D ** -0.25)
    k = feature_map(k * D ** -0.25)
    kv = torch.einsum("bhsd,bhsv->bhsdv", k, v)
    if causal:
        kv = kv.cumsum(dim=2)
        z = k.cumsum(dim=2)
    else:
        kv = kv.sum(dim=2, keepdim=True)
        z = k.sum(dim=2, keepdim=True)
    num = (q.unsqueeze(-1) * kv).sum(dim=3)
    den = (q * z).sum(dim=-1, keepdim=True)
    out = num / (den + eps)
    return out.to(dtype)
