import math
import torch

def grouped_query_attention(q, k, v, mask=None):
    B, H, Lq, D = q.shape
    K, Lk = k.shape[1], k.shape[2]
    if K == 0 or H % K != 0:
        raise ValueError("query heads must be divisible by kv heads")
    n_rep = H // K
    dtype = q.dtype
    if dtype in (torch.float16, torch.bfloat16):
        q, k, v = q.float(), k.float(), v.float()
    k = torch.repeat_interleave(k, n_rep, dim=1)
    v = torch.repeat_interleave(v, n_rep, dim=1)
    att = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(D)
    if mask is not None:
        att = att.masked_fill(~mask, -1e4)
    att = torch.softmax(att, dim=-1)
    if mask is not None:
        att = att.masked_fill(~mask, 0.0)
    out = torch.matmul(att, v)
    return out.to(dtype)
