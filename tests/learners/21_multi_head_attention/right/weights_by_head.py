import torch
def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads: raise ValueError("heads")
    up = torch.promote_types(x.dtype, torch.float32)
    e = d // num_heads
    W = w_qkv.to(up).reshape(3, num_heads, e, d)
    p = torch.einsum("bsi,nhei->nbhse", x.to(up), W)
    if b_qkv is not None: p = p + b_qkv.to(up).reshape(3, 1, num_heads, 1, e)
    q, k, v = p.unbind(0)
    a = torch.einsum("bhie,bhje->bhij", q, k).div(e ** 0.5)
    if key_padding_mask is not None:
        keep = key_padding_mask[:, None, None, :]
        a = torch.where(keep, a, -1e30)
        a = torch.softmax(a, 3) * keep
    else: a = torch.softmax(a, 3)
    o = torch.einsum("bhij,bhje,ohe->bio", a, v, w_o.to(up).reshape(d, num_heads, e))
    if b_o is not None: o = o + b_o.to(up)
    return o.to(x.dtype)
