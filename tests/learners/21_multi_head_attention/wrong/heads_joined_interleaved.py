import torch

def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    d = x.shape[-1]
    if num_heads < 1 or d % num_heads:
        raise ValueError(f"num_heads={num_heads} does not divide {d}")
    t = torch.promote_types(x.dtype, torch.float32)
    size = d // num_heads
    tokens, weight = x.to(t), w_qkv.to(t)
    bias = torch.zeros_like(weight[:, 0]) if b_qkv is None else b_qkv.to(t)
    outs = []
    for h in range(num_heads):
        mine = slice(h * size, (h + 1) * size)
        q, k, v = (tokens @ weight[i * d : (i + 1) * d][mine].T + bias[i * d : (i + 1) * d][mine] for i in range(3))
        s = torch.einsum("bid,bjd->bij", q, k) * size ** -0.5
        if key_padding_mask is not None:
            keep = key_padding_mask.unsqueeze(1)
            s = torch.where(keep, s, float("-inf"))
            a = torch.where(keep, s.softmax(-1), 0.0)
        else:
            a = s.softmax(-1)
        outs.append(a @ v)
    y = torch.stack(outs, dim=-1).flatten(-2) @ w_o.to(t).T
    if b_o is not None:
        y = y + b_o.to(t)
    return y.to(x.dtype)
