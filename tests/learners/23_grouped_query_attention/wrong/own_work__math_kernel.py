import torch

def grouped_query_attention(q, k, v, mask=None):
    return torch._scaled_dot_product_attention_math(q, k, v, mask, enable_gqa=True)[0]
