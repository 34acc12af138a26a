import math, torch
def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    R, h = table.shape; nb = R//2 if bidirectional else R; me = nb//2; dev = table.device
    if me < 1 or max_distance <= me: raise ValueError("x")
    rel = torch.arange(k_len, device=dev)[None] - torch.arange(k_len-q_len, k_len, device=dev)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    x = torch.cat([torch.arange(me, device=dev).float(), me + torch.log(torch.arange(me, max_distance+1, device=dev).float()/me)/math.log(max_distance/me)*(nb-me)])
    lut = x.long().clamp(max=nb-1)
    b = lut[n.clamp(max=max_distance)]
    if bidirectional: b = b + (rel>0).int()*nb
    return table.T[:, b].unsqueeze(0)
