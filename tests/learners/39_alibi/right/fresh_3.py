import torch
def alibi(num_heads, q_len, k_len, device=None):
    if num_heads <= 0: raise ValueError("x")
    n = 1
    while n*2 <= num_heads: n*=2
    s = [0.5**(8*(h+1)/n) for h in range(n)]+[0.5**(8*(h+.5)/n) for h in range(num_heads-n)]
    full = max(q_len,k_len)
    pos = torch.arange(full, device=device, dtype=torch.float32)
    bias = -(pos[:,None]-pos[None]).abs()
    if q_len <= k_len: bias = bias[full-q_len:, :k_len]
    else:
        p = torch.arange(k_len-q_len, k_len, device=device, dtype=torch.float32)
        bias = -(p[:,None]-pos[:k_len]).abs()
    return torch.stack([bias*x for x in s])
