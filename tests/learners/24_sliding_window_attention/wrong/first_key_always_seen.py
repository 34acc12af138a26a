import math
import torch

def sliding_window_attention(q, k, v, window):
    if window < 1:
        raise ValueError("window must be positive")
    B, H, T, D = q.shape
    dtype = q.dtype
    if dtype in (torch.float16, torch.bfloat16):
        q, k, v = q.float(), k.float(), v.float()
    i = torch.arange(T, device=q.device).unsqueeze(1)
    j = torch.arange(T, device=q.device).unsqueeze(0)
    keep = (j <= i) & ((j > i - window) | (j == 0))
    att = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(D)
    att = att.masked_fill(~keep, float("-inf"))
    att = torch.softmax(att, dim=-1)
    out = torch.matmul(att, v)
    return out.to(dtype)
