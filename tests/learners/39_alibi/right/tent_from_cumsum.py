import torch

class Alibi:
    """Distances by counting triangles, heads in a loop."""

    def __call__(self, num_heads, q_len, k_len, device=None):
        if num_heads < 1:
            raise ValueError("num_heads must be positive")
        c = 1
        while 2 * c <= num_heads:
            c *= 2
        slopes = []
        for h in range(num_heads):
            slopes.append(0.5 ** (8 * (h + 1) / c) if h < c else 0.5 ** (4 * (2 * (h - c) + 1) / c))
        p = torch.arange(q_len, dtype=torch.float64, device=device).add(k_len - q_len).reshape(q_len, 1)
        k = torch.arange(k_len, dtype=torch.float64, device=device).reshape(1, k_len)
        further = torch.maximum(p, k) - torch.minimum(p, k)
        out = torch.empty(num_heads, q_len, k_len, dtype=torch.float32, device=device)
        for h, s in enumerate(slopes):
            out[h] = further * (-s)
        return out

alibi = Alibi()
