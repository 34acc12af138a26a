import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

def sliding_window_attention(q, k, v, window):
    s = q.shape[2]
    band = torch.ones(s, s, dtype=torch.bool, device=q.device).tril().triu(1 - window)
    return sdpa(q, k, v, band)
