import math
import torch

def sliding_window_attention(q, k, v, window):
    if window < 1:
        raise ValueError
    s = q.shape[2]
    wide = torch.promote_types(q.dtype, torch.float32)
    q32, k32, v32 = q.to(wide) / math.sqrt(q.shape[3]), k.to(wide), v.to(wide)
    window = min(window, max(s, 1))
    scores, shifted = [], []
    pos = torch.arange(s, device=q.device)
    for back in range(window):
        ks = torch.roll(k32, back, dims=2)
        shifted.append(torch.roll(v32, back, dims=2))
        scores.append((q32 * ks).sum(-1).masked_fill(pos < back, -math.inf))
    w = torch.softmax(torch.stack(scores, -1), dim=-1)
    return sum(w[..., back, None] * shifted[back] for back in range(window)).to(q.dtype)
