import torch

def grouped_query_attention(q, k, v, mask=None):
    return torch.ops.aten.scaled_dot_product_attention(q, k, v, mask, 0.0, False, scale=None, enable_gqa=True)
