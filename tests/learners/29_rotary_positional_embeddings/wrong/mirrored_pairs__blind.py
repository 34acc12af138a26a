import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("even head_dim please")
    h = d // 2
    t = torch.promote_types(x.dtype, torch.float32)
    first = x[..., :h].to(t)
    second = x[..., h:].to(t).flip(-1)
    n = torch.arange(x.shape[2], dtype=t, device=x.device)
    f = torch.tensor([base ** (-2.0 * i / d) for i in range(h)], dtype=t, device=x.device)
    phi = n.reshape(-1, 1) * f.reshape(1, -1)
    c, s = phi.cos(), phi.sin()
    a = first * c - second * s
    b = first * s + second * c
    return torch.cat([a, b.flip(-1)], dim=-1).to(x.dtype)
