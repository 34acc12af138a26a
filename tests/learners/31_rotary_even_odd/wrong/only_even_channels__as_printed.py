import torch

def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.shape[-1]
    if d % 2: raise ValueError("odd")
    theta = position_ids.float().unsqueeze(-1) / (base ** (torch.arange(0, d, 2, device=q.device).float() / d))
    cos, sin = theta.cos().unsqueeze(1), theta.sin().unsqueeze(1)
    q_even, q_odd = q[..., 0::2], q[..., 1::2]
    k_even, k_odd = k[..., 0::2], k[..., 1::2]
    q_rot = q_even * cos - q_odd * sin
    k_rot = k_even * cos - k_odd * sin
    return q_rot, k_rot
