import torch
def scaled_dot_product_attention(q, k, v, mask=None, scale=None):
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]: raise ValueError("shape")
    up = torch.promote_types(q.dtype, torch.float32)
    if scale is None: scale = q.shape[-1] ** -0.5
    st = torch.matmul(k.to(up), q.to(up).transpose(-1, -2)).mul(scale)   # keys by queries
    if mask is not None:
        m = mask.broadcast_to(*q.shape[:-1], k.shape[-2]).transpose(-1, -2)
        st = st.masked_fill(~m, -torch.inf)
    p = torch.softmax(st, -2)
    if mask is not None: p = p.where(m, p.new_zeros(()))
    return torch.matmul(p.transpose(-1, -2), v.to(up)).to(q.dtype)
