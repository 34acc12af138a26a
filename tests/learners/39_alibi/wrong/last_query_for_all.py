import torch
def alibi(num_heads, q_len, k_len, device=None):
    # softmaxed-invariant: bias normalized so that key 0 gets 0
    if num_heads < 1: raise ValueError
    c = 2**(num_heads.bit_length()-1)
    m = [2**(-8*(h+1)/c) for h in range(c)] + [2**(-4*(2*h+1)/c) for h in range(num_heads-c)]
    m = torch.tensor(m,dtype=torch.float32,device=device)
    k = torch.arange(k_len,device=device)
    b = m[:,None,None]*(k-k_len+1)[None,None,:]     # last query for all
    return b.expand(num_heads,q_len,k_len).clone()
