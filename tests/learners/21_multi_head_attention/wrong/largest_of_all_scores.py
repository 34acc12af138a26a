import math

import torch
import torch.nn.functional as F


def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, t, d = x.shape
    hd = d // num_heads
    q, k, v = F.linear(x, w_qkv, b_qkv).view(b, t, 3, num_heads, hd).permute(2, 0, 3, 1, 4)
    s = q @ k.mT / math.sqrt(hd)
    m = torch.ones_like(s, dtype=torch.bool)
    if key_padding_mask is not None:
        m = m & key_padding_mask[:, None, None]
    if s.numel():
        s = s - s.amax(-1, keepdim=True)
    e = s.exp() * m
    z = e.sum(-1, keepdim=True)
    w = e / torch.where(z > 0, z, 1.0)
    return F.linear((w @ v).transpose(1, 2).reshape(b, t, d), w_o, b_o)
