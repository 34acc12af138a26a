import torch

def _exps(n):
    c = 1 << (n.bit_length() - 1)
    return [8 * (h + 1) / c for h in range(c)] + [4 * (2 * h + 1) / c for h in range(n - c)]

def _bias(n, q, k, device):
    if n < 1:
        raise ValueError("n")
    s = torch.exp2(-torch.tensor(_exps(n), dtype=torch.float32, device=device))
    d = torch.arange(k, device=device).sub(torch.arange(q, device=device).unsqueeze(-1) + k - q).abs_()
    return torch.einsum("h,qk->hqk", s, -d.to(torch.float32))

alibi = lambda num_heads, q_len, k_len, device=None: _bias(num_heads, q_len, k_len, device)
