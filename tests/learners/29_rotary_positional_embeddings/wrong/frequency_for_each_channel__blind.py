import torch


def apply_rotary_pos_emb(x, base=10000.0):
    *_, n, d = x.shape
    if d % 2:
        raise ValueError(f"head_dim={d} is odd")
    dt = torch.float64 if x.dtype == torch.float64 else torch.float32
    # one frequency a channel
    freq = 1 / base ** (torch.arange(d, device=x.device, dtype=dt) / d)
    ang = torch.arange(n, device=x.device, dtype=dt).unsqueeze(-1) * freq
    rot = torch.cat([-x[..., d // 2:], x[..., : d // 2]], -1)
    return (x * ang.cos() + rot * ang.sin()).to(x.dtype)
