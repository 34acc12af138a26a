import math, torch
def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    R, h = table.shape; nb = R//2 if bidirectional else R; me = nb//2; dev = table.device
    if me < 1 or max_distance <= me: raise ValueError("x")
    rel = torch.arange(k_len, device=dev)[None] - torch.arange(k_len-q_len, k_len, device=dev)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    s = ((torch.log(n.clamp(min=me).float())-math.log(me))*(nb-me)/(math.log(max_distance)-math.log(me))).to(torch.int32)
    b = torch.minimum(n, torch.full_like(n, me)) + s
    b = b.clamp(max=nb-1)
    if bidirectional: b = b + nb*(rel>0)
    return torch.take_along_dim(table[None, None].expand(q_len, k_len, R, h), b[..., None, None].expand(q_len, k_len, 1, h), 2)[:, :, 0].permute(2,0,1).unsqueeze(0)
