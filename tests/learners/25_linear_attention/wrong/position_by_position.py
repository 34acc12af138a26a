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
    q = feature_map(q)
    k = feature_map(k)
    if causal:
        state = q.new_zeros(*q.shape[:2], D, v.shape[-1])
        z = q.new_zeros(*q.shape[:2], D)
        rows = [v[:, :, :0]]
        for t in range(q.shape[2]):
            state = state + k[:, :, t].unsqueeze(-1) * v[:, :, t].unsqueeze(-2)
            z = z + k[:, :, t]
            num = (q[:, :, t].unsqueeze(-1) * state).sum(-2)
            den = (q[:, :, t] * z).sum(-1, keepdim=True)
            rows.append((num / (den + eps)).unsqueeze(2))
        return torch.cat(rows, dim=2).to(dtype)
    else:
        kv = torch.einsum("bhsd,bhsv->bhsdv", k, v)
        kv = kv.sum(dim=2, keepdim=True)
        z = k.sum(dim=2, keepdim=True)
    num = (q.unsqueeze(-1) * kv).sum(dim=3)
    den = (q * z).sum(dim=-1, keepdim=True)
    out = num / (den + eps)
    return out.to(dtype)
