import torch

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError
    up = torch.promote_types(x.dtype, torch.float32)
    qkv = x.to(up) @ w_qkv.to(up).T + (0 if b_qkv is None else b_qkv.to(up))
    q, k, v = qkv.view(b, s, 3, num_heads, d // num_heads).unbind(2)
    a = q @ k.mT / (d // num_heads) ** 0.5
    if key_padding_mask is not None:
        a = a.masked_fill(~key_padding_mask[:, None, None], -torch.inf)
    y = (a.softmax(-1) @ v).reshape(b, s, d)
    return (y @ w_o.to(up).T + (0 if b_o is None else b_o.to(up))).to(x.dtype)
