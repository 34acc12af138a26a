import math
import torch

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    B, Lq, C = x.shape
    Lk = context.shape[1]
    inner = w_q.shape[0]
    if num_heads < 1 or inner % num_heads != 0:
        raise ValueError("inner width must be divisible by num_heads")
    D = inner // num_heads
    dtype = x.dtype
    if dtype in (torch.float16, torch.bfloat16):
        x, context = x.float(), context.float()
        w_q, w_k, w_v, w_o = w_q.float(), w_k.float(), w_v.float(), w_o.float()
    q = torch.matmul(x, w_q.t())
    k = torch.matmul(context, w_k.t())
    v = torch.matmul(context, w_v.t())
    q = q.reshape(B, Lq, num_heads, D).transpose(1, 2)
    k = k.reshape(B, Lk, num_heads, D).transpose(1, 2)
    v = v.reshape(B, Lk, num_heads, D).transpose(1, 2)
    att = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D)
    if context_mask is not None:
        drop = ~context_mask.view(B, 1, 1, Lk)
        att = att.masked_fill(drop, float("-inf"))
    p = torch.softmax(att, dim=-2)
    if context_mask is not None:
        p = p.masked_fill(drop, 0.0)
    y = torch.matmul(p, v)
    y = y.transpose(1, 2).reshape(B, Lq, inner)
    y = torch.matmul(y, w_o.t())
    return y.to(dtype)
