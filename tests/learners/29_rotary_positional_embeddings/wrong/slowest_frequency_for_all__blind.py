import torch


def apply_rotary_pos_emb(x, base=10000.0):
    d = x.shape[-1]
    half = d // 2
    if half * 2 != d:
        raise ValueError("head_dim must be even")
    dt = torch.promote_types(x.dtype, torch.float32)
    for i in range(half):
        freq = base ** (-2 * i / d)
    angle = torch.arange(x.shape[-2], device=x.device, dtype=dt) * freq
    c = angle.cos().unsqueeze(-1)
    s = angle.sin().unsqueeze(-1)
    a, b = x[..., :half], x[..., half:]
    return torch.cat((c * a - s * b, s * a + c * b), dim=-1).to(x.dtype)
