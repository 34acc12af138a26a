import torch
def alibi(num_heads, q_len, k_len, device=None):
    if num_heads <= 0: raise ValueError("x")
    n = 1
    while n*2 <= num_heads: n*=2
    r = torch.full((n,), 2.0**(-8/n), device=device, dtype=torch.float32).cumprod(0)
    r2 = torch.full((2*n,), 2.0**(-4/n), device=device, dtype=torch.float32).cumprod(0)[0::2]
    s = torch.cat([r, r2[:num_heads-n]])
    q = torch.linspace(k_len-q_len, k_len-1, q_len, dtype=torch.float64, device=device) if q_len else torch.zeros(0, device=device)
    k = torch.arange(k_len, device=device)
    return (-(q[:,None]-k).abs()).float()*s[:,None,None]
