# q_rot = q_even*cos(angles) - q_odd*sin(angles)
import torch


def apply_rotary_pos_emb(q, base=10000.0):
    d = q.shape[-1]
    if d % 2:
        raise ValueError("odd head_dim")
    theta = 1.0 / (base ** (torch.arange(0, d, 2, device=q.device) / d))
    m = torch.arange(q.shape[-2], device=q.device)[:, None]
    angles = m * theta
    q_even, q_odd = q[..., 0::2], q[..., 1::2]
    q_rot = q_even * torch.cos(angles) - q_odd * torch.sin(angles)
    return q_rot
