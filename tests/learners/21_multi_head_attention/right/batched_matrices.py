import torch
def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads: raise ValueError("heads")
    up = torch.promote_types(x.dtype, torch.float32)
    e = d // num_heads
    def lin(t, w, bias):
        t = t @ w.to(up).t()
        return t if bias is None else t + bias.to(up)
    qkv = lin(x.to(up), w_qkv, b_qkv).reshape(b, s, 3, num_heads, e).permute(2, 0, 3, 1, 4).reshape(3, b * num_heads, s, e)
    q, k, v = qkv[0] * e ** -0.5, qkv[1], qkv[2]
    bias = torch.zeros(b, s, dtype=up, device=x.device)
    if key_padding_mask is not None: bias = bias.masked_fill(~key_padding_mask, torch.finfo(up).min)
    bias = bias[:, None, None].expand(b, num_heads, 1, s).reshape(b * num_heads, 1, s)
    a = torch.softmax(torch.baddbmm(bias, q, k.mT), -1)
    if key_padding_mask is not None:
        a = a.view(b, num_heads, s, s) * key_padding_mask[:, None, None]
        a = a.view(b * num_heads, s, s)
    o = torch.bmm(a, v).view(b, num_heads, s, e).transpose(1, 2).reshape(b, s, d)
    return lin(o, w_o, b_o).to(x.dtype)
