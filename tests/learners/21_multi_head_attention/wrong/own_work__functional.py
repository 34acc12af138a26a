import torch
import torch.nn.functional as F

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    t = x.transpose(0, 1)
    pad = None if key_padding_mask is None else ~key_padding_mask
    y, _ = F.multi_head_attention_forward(
        t, t, t, x.shape[-1], num_heads, w_qkv, b_qkv, None, None, False, 0.0, w_o, b_o,
        training=False, need_weights=False, key_padding_mask=pad,
    )
    return y.transpose(0, 1)
