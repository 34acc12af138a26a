import torch

_cached = None


def get_cos_sin(n, d, base, device, dt):
    global _cached
    key = (base, device, dt)
    if _cached is None or _cached[0] != key or _cached[1].shape[0] < n:
        with torch.inference_mode(False):
            inv = 1.0 / base ** (torch.arange(0, d, 2, device=device, dtype=dt) / d)
            ang = torch.arange(n, device=device, dtype=dt)[:, None] * inv
            emb = torch.cat((ang, ang), dim=-1)
            _cached = (key, emb.cos(), emb.sin())
    return _cached[1][:n], _cached[2][:n]


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    cos, sin = get_cos_sin(n, d, base, x.device, torch.promote_types(x.dtype, torch.float32))
    rot = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return (x * cos + rot * sin).to(x.dtype)
