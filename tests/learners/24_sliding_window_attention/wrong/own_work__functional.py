import torch
import torch.nn.functional as F

def sliding_window_attention(q, k, v, window):
    s = q.shape[2]
    band = torch.ones(s, s, dtype=torch.bool, device=q.device).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=band)
