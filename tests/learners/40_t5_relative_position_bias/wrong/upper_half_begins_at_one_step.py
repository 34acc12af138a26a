import math, torch
def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    R, h = table.shape; nb = R//2 if bidirectional else R; me = nb//2; dev = table.device
    if me < 1 or max_distance <= me: raise ValueError("x")
    rel = torch.arange(k_len, device=dev)[None] - torch.arange(k_len-q_len, k_len, device=dev)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    # upper half counted from rel=1 -> bucket nb+n-1
    s = (torch.log(n.clamp(min=1).float()/me)/math.log(max_distance/me)*(nb-me)).long()
    def f(n):
        s = (torch.log(n.clamp(min=1).float()/me)/math.log(max_distance/me)*(nb-me)).long()
        return torch.where(n < me, n, (me+s).clamp(max=nb-1))
    b = torch.where(rel>0, nb+f((n-1).clamp(min=0)), f(n)) if bidirectional else f(n)
    return table[b].permute(2,0,1)[None]
