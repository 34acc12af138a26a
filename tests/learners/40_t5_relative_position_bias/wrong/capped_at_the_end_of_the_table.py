import math, torch
def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    R, h = table.shape; nb = R//2 if bidirectional else R; me = nb//2; dev = table.device
    if me < 1 or max_distance <= me: raise ValueError("x")
    rel = torch.arange(k_len, device=dev)[None] - torch.arange(k_len-q_len, k_len, device=dev)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    # cap over all rows
    s = (torch.log(n.clamp(min=1).float()/me)/math.log(max_distance/me)*(nb-me)).long()
    b = torch.where(n < me, n, me+s)
    if bidirectional: b = b + nb*(rel>0)
    return table[b.clamp(max=R-1)].permute(2,0,1)[None]
