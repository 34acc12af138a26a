import torch
def alibi(num_heads, q_len, k_len, device=None):
    # arange for q missing: square built then first rows cut
    if num_heads < 1: raise ValueError
    c = 2**(num_heads.bit_length()-1)
    m = [2**(-8*(h+1)/c) for h in range(c)] + [2**(-4*(2*h+1)/c) for h in range(num_heads-c)]
    m = torch.tensor(m,dtype=torch.float32,device=device)
    k = torch.arange(k_len,device=device)
    d = (k[None]-k[:,None]).abs()[-q_len:]
    return -d*m[:,None,None]
