import torch

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads:
        raise ValueError("num_heads")
    D, up = d // num_heads, torch.promote_types(x.dtype, torch.float32)
    qkv = x.to(up) @ w_qkv.to(up).T
    if b_qkv is not None:
        qkv = qkv + b_qkv.to(up)
    q, k, v = (t.view(b, s, num_heads, D) for t in qkv.split(d, -1))
    rows = []
    for t in range(s):
        score = (q[:, t : t + 1] * k).sum(-1) / D ** 0.5
        if key_padding_mask is None:
            a = score.softmax(1)
        else:
            hide = ~key_padding_mask[:, :, None]
            a = score.masked_fill(hide, -torch.inf).softmax(1).masked_fill(hide, 0)
        rows.append((a[..., None] * v).sum(1).reshape(b, d))
    y = torch.stack(rows, 1) if rows else x.to(up)
    y = y @ w_o.to(up).T
    return (y if b_o is None else y + b_o.to(up)).to(x.dtype)
