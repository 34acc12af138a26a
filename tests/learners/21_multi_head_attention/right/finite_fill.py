import torch

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, s, d = x.shape
    if num_heads <= 0 or d % num_heads:
        raise ValueError("heads")
    up = torch.float64 if x.dtype == torch.float64 else torch.float32

    def linear(a, w, bias):
        out = torch.einsum("...i,oi->...o", a, w.to(up))
        return out if bias is None else out + bias.to(up)

    q, k, v = linear(x.to(up), w_qkv, b_qkv).view(b, s, 3, num_heads, d // num_heads).unbind(2)
    scores = torch.einsum("bihd,bjhd->bhij", q, k) / (d // num_heads) ** 0.5
    if key_padding_mask is not None:
        mask = key_padding_mask.to(up)[:, None, None]
        scores = scores + (1 - mask) * torch.finfo(up).min / 2
        weights = scores.softmax(-1) * mask
    else:
        weights = scores.softmax(-1)
    return linear(torch.einsum("bhij,bjhd->bihd", weights, v).reshape(b, s, d), w_o, b_o).to(x.dtype)
