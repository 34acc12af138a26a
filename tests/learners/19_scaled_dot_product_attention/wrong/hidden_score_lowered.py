import math

import torch


def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(k.shape[-1])
    scores = torch.matmul(q, k.transpose(2, 3)) * scale
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -10000.0
    return torch.matmul(torch.softmax(scores, dim=-1), v)
