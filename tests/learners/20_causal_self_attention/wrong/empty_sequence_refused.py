import math
import torch

def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    B, T, C = x.shape
    if num_heads <= 0 or C % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    hs = C // num_heads
    dtype = x.dtype
    if dtype in (torch.float16, torch.bfloat16):
        x, w_q, w_k, w_v, w_o = x.float(), w_q.float(), w_k.float(), w_v.float(), w_o.float()
    q = x @ w_q.T
    k = x @ w_k.T
    v = x @ w_v.T
    q = q.view(B, T, num_heads, -1).transpose(1, 2)
    k = k.view(B, T, num_heads, -1).transpose(1, 2)
    v = v.view(B, T, num_heads, -1).transpose(1, 2)
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(hs))
    keep = torch.tril(torch.ones(T, T, device=x.device))
    att = att.masked_fill(keep == 0, float("-inf"))
    att = torch.softmax(att, dim=-1)
    y = att @ v
    y = y.transpose(1, 2).contiguous().view(B, T, C)
    y = y @ w_o.T
    return y.to(dtype)
