import torch


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    position_ids = torch.arange(n, device=x.device).short()
    theta = torch.pow(base, torch.arange(0, d, 2, device=x.device, dtype=dt).neg() / d)
    m_theta = position_ids.unsqueeze(1) * theta
    cos, sin = m_theta.cos(), m_theta.sin()
    h = d // 2
    y1 = cos * x[..., :h] - sin * x[..., h:]
    y2 = sin * x[..., :h] + cos * x[..., h:]
    return torch.cat((y1, y2), dim=-1).to(x.dtype)
