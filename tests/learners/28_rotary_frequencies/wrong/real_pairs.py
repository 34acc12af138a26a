from math import log
import torch

def rotary_frequencies(head_dim: int, max_seq_len: int, base: float = 10000.0, device=None):
    if head_dim & 1:
        raise ValueError(f"{head_dim} is odd")
    j = torch.arange(head_dim // 2, device=device).to(torch.float32)
    w = torch.exp(-2.0 * j / head_dim * log(base))
    p = torch.arange(max_seq_len, device=device).to(torch.float32)
    a = p[:, None] * w[None, :]
    return torch.stack((torch.cos(a), torch.sin(a)), dim=-1)
