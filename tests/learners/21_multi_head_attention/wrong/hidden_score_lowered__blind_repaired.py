import math

import torch.nn.functional as F


def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, t, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError("num_heads")
    hd = d // num_heads
    q, k, v = F.linear(x, w_qkv, b_qkv).view(b, t, 3, num_heads, hd).permute(2, 0, 3, 1, 4)
    s = q @ k.mT / math.sqrt(hd)
    w = s.softmax(-1)
    if key_padding_mask is not None:
        bias = (1.0 - key_padding_mask[:, None, None, :].to(s.dtype)) * -10000.0
        w = (s + bias).softmax(-1) * key_padding_mask.any(1)[:, None, None, None]
    return F.linear((w @ v).transpose(1, 2).reshape(b, t, d), w_o, b_o)
