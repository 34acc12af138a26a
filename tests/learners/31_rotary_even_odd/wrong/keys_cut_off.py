import torch


def rotary_even_odd(q, k, position_ids, base=10000.0):
    if q.shape[-1] % 2:
        raise ValueError("odd")

    def turn(x):
        w = torch.promote_types(x.dtype, torch.float32)
        d = x.shape[-1]
        f = base ** (-torch.arange(0, d, 2, device=x.device, dtype=w) / d)
        a = position_ids[:, None, :, None].to(w) * f
        e, o = x[..., 0::2].to(w), x[..., 1::2].to(w)
        return torch.stack([e * a.cos() - o * a.sin(), e * a.sin() + o * a.cos()], -1).flatten(-2).to(x.dtype)

    with torch.no_grad():
        turned = turn(k)
    return turn(q), turned
