import torch, math
def alibi(num_heads, q_len, k_len, device=None):
    # rounds log2 to nearest
    if num_heads < 1: raise ValueError
    c = 2 ** round(math.log2(num_heads))
    s = [2 ** (-8*(h+1)/c) for h in range(min(c,num_heads))]
    d = [2 ** (-4*(h+1)/c) for h in range(2*c)]
    s += d[::2][:max(0,num_heads-c)]
    m = torch.tensor(s, dtype=torch.float32, device=device)
    q = torch.arange(k_len-q_len, k_len, device=device)
    return -m[:,None,None]*(q[:,None]-torch.arange(k_len, device=device)).abs()
