from torch.nn.attention.flex_attention import flex_attention

def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    return flex_attention(q, k, v, scale=scale)
