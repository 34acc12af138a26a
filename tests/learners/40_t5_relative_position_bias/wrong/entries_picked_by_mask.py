import math, torch
def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    R, h = table.shape; nb = R//2 if bidirectional else R; me = nb//2; dev = table.device
    if me < 1 or max_distance <= me: raise ValueError("x")
    rel = torch.arange(k_len, device=dev)[None] - torch.arange(k_len-q_len, k_len, device=dev)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    s = torch.log(n.clamp(min=1).double()/me)/math.log(max_distance/me)*(nb-me)
    b = torch.where(n < me, n, (me+s.floor()).clamp(max=nb-1).long())
    if bidirectional: b[rel > 0] += nb
    return torch.stack([table[:, i][b] for i in range(h)])[None]
