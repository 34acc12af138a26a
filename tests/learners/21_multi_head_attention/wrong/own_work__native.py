import torch

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    pad = None if key_padding_mask is None else ~key_padding_mask
    d = x.shape[-1]
    zero = torch.zeros(3 * d)
    return torch._native_multi_head_attention(
        x, x, x, d, num_heads, w_qkv, zero if b_qkv is None else b_qkv, w_o, zero[:d] if b_o is None else b_o, pad, False,
    )[0]
