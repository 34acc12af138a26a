import torch
from torch import nn

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    mha = nn.MultiheadAttention(x.shape[-1], num_heads, batch_first=True).eval()
    p = {"in_proj_weight": w_qkv, "in_proj_bias": b_qkv, "out_proj.weight": w_o, "out_proj.bias": b_o}
    p = {k: torch.zeros_like(dict(mha.named_parameters())[k]) if t is None else t for k, t in p.items()}
    pad = None if key_padding_mask is None else ~key_padding_mask
    return torch.func.functional_call(mha, p, (x, x, x), {"key_padding_mask": pad, "need_weights": False})[0].nan_to_num()
