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
    keep = (j <= i) & (j > i - window)
    rows = [torch.zeros_like(q[:, :, :0])]
    for t in range(T):
        lo = max(0, t - window + 1)
        att = torch.matmul(q[:, :, t:t + 1], k[:, :, lo:t + 1].transpose(2, 3)) / math.sqrt(D)
        rows.append(torch.matmul(torch.softmax(att, dim=-1), v[:, :, lo:t + 1]))
    out = torch.cat(rows, dim=2)
    return out.to(dtype)
