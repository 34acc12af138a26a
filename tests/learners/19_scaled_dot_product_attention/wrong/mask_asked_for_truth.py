import math
import torch

def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    B, H, Lq, D = q.shape
    Lk, Dv = v.shape[2], v.shape[3]
    if k.shape[3] != D or k.shape[2] != Lk:
        raise ValueError("q/k/v shapes do not fit together")
    qf, kf, vf = q, k, v
    if q.dtype in (torch.float16, torch.bfloat16):
        qf, kf, vf = q.float(), k.float(), v.float()
    if scale is None:
        scale = 1.0 / math.sqrt(D)
    att = torch.matmul(qf, kf.transpose(-2, -1)) * scale
    if mask:
        att = att.masked_fill(~mask, float("-inf"))
    att = torch.softmax(att, dim=-1)
    if mask:
        att = att.masked_fill(~mask, 0)
    out = torch.matmul(att, vf)
    return out.to(q.dtype)
