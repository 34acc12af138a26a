import torch

def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    return torch._scaled_dot_product_attention_math(q, k, v, mask, scale=scale)[0]
