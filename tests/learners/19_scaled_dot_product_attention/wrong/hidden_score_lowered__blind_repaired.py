import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(k.shape[-1])
    scores = torch.matmul(q, k.transpose(2, 3)) * scale
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -1e4
    attn = F.softmax(scores, dim=-1)
    if mask is not None:
        attn = attn * mask.any(-1, keepdim=True)
    return torch.matmul(attn, v)
