import torch
def alibi(num_heads, q_len, k_len, device=None):
    # n//2*2? extras interleaved with first
    if num_heads < 1: raise ValueError
    c = 2**(num_heads.bit_length()-1)
    m = [2**(-8*(h+1)/c) for h in range(c)]
    e = [2**(-4*(2*h+1)/c) for h in range(num_heads-c)]
    out=[]
    for i in range(c):
        if i < len(e): out.append(e[i])
        out.append(m[i])
    m = torch.tensor(out,dtype=torch.float32,device=device)
    q = torch.arange(k_len-q_len, k_len, device=device)
    return -m[:,None,None]*(q[:,None]-torch.arange(k_len, device=device)).abs()
