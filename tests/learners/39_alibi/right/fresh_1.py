import torch
def alibi(num_heads, q_len, k_len, device=None):
    if num_heads <= 0: raise ValueError("x")
    n = 1 << (num_heads.bit_length()-1)
    s = torch.logspace(-8/n, -8, n, base=2, dtype=torch.float32, device=device)
    t = torch.logspace(-4/n, -8, 2*n, base=2, dtype=torch.float32, device=device)[::2]
    s = torch.cat((s, t))[:num_heads]
    d = torch.arange(k_len,device=device).view(1,-1) - torch.arange(q_len,device=device).view(-1,1) - (k_len-q_len)
    return d.abs().neg()*s.view(-1,1,1)
