import math

import torch.nn.functional as F


def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, t, d = x.shape
    hd = d // num_heads
    q, k, v = F.linear(x, w_qkv, b_qkv).view(b, t, 3, num_heads, hd).permute(2, 0, 3, 1, 4)
    if key_padding_mask is not None:
        keep = key_padding_mask[:, None, :, None]
        k, v = k * keep, v * keep
    w = (q @ k.mT / math.sqrt(hd)).softmax(-1)
    return F.linear((w @ v).transpose(1, 2).reshape(b, t, d), w_o, b_o)
