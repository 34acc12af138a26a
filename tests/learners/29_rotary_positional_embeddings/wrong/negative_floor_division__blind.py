import torch


def apply_rotary_pos_emb(x, base=10000.0):
    *_, n, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    ws = [base ** (-2 * i // d) for i in range(d // 2)]
    t = torch.arange(n, device=x.device, dtype=dt)
    first, second = [], []
    for i, w in enumerate(ws):
        u, v = x[..., i].to(dt), x[..., i + d // 2].to(dt)
        first.append(u * torch.cos(w * t) - v * torch.sin(w * t))
        second.append(u * torch.sin(w * t) + v * torch.cos(w * t))
    return torch.stack(first + second, dim=-1).to(x.dtype)
