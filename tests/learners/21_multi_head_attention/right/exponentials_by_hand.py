import torch
def multi_head_attention(x, w_qkv, b_qkv, w_o, b_o, num_heads, key_padding_mask=None):
    b, s, d = x.shape
    if num_heads < 1 or d % num_heads: raise ValueError("heads")
    up = torch.promote_types(x.dtype, torch.float32)
    bq = torch.zeros(3 * d, dtype=up, device=x.device) if b_qkv is None else b_qkv.to(up)
    bo = torch.zeros(d, dtype=up, device=x.device) if b_o is None else b_o.to(up)
    keep = torch.ones(b, s, dtype=torch.bool, device=x.device) if key_padding_mask is None else key_padding_mask
    wq, wk, wv = w_qkv.to(up).tensor_split(3); cq, ck, cv = bq.tensor_split(3)
    X = x.to(up)
    heads = [t.reshape(b, s, num_heads, d // num_heads) for t in (X @ wq.T + cq, X @ wk.T + ck, X @ wv.T + cv)] if x.numel() else None
    if heads is None: return x.clone()
    q, k, v = heads
    a = torch.einsum("bihe,bjhe->bhij", q, k) * (d // num_heads) ** -0.5
    e = torch.where(keep[:, None, None], a, -torch.inf)
    e = (a - e.amax(-1, keepdim=True).detach().clamp(min=-1e37)).masked_fill(~keep[:, None, None], -torch.inf).exp()
    out = torch.einsum("bhij,bjhe->bihe", e, v) / e.sum(-1).clamp_min(1e-37).transpose(1, 2)[..., None]
    return (out.reshape(b, s, d) @ w_o.to(up).T + bo).to(x.dtype)
