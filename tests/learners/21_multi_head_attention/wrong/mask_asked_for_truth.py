import math
import torch

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    B, T, C = x.shape
    if num_heads < 1 or C % num_heads != 0:
        raise ValueError("embed dim must be divisible by num_heads")
    D = C // num_heads
    dtype = x.dtype
    if dtype in (torch.float16, torch.bfloat16):
        x, w_qkv, w_o = x.float(), w_qkv.float(), w_o.float()
    qkv = torch.matmul(x, w_qkv.t())
    if b_qkv is not None:
        qkv = qkv + b_qkv.to(x.dtype)
    q, k, v = qkv.chunk(3, dim=-1)
    q = q.reshape(B, T, num_heads, D).transpose(1, 2)
    k = k.reshape(B, T, num_heads, D).transpose(1, 2)
    v = v.reshape(B, T, num_heads, D).transpose(1, 2)
    att = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D)
    if key_padding_mask:
        pad = ~key_padding_mask.view(B, 1, 1, T)
        att = att.masked_fill(pad, float("-inf"))
    p = torch.softmax(att, dim=-1)
    if key_padding_mask:
        p = p.masked_fill(pad, 0.0)
    y = torch.matmul(p, v)
    y = y.transpose(1, 2).reshape(B, T, C)
    y = torch.matmul(y, w_o.t())
    if b_o is not None:
        y = y + b_o.to(x.dtype)
    return y.to(dtype)
