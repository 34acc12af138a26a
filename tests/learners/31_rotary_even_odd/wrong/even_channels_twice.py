import torch


def rotary_even_odd(q, k, position_ids, base=10000.0):
    def turn(x):
        d = x.shape[-1]
        f = base ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float32) / d)
        a = position_ids[:, None, :, None] * f
        r = x[..., 0::2] * a.cos() - x[..., 1::2] * a.sin()
        return torch.stack([r, r], -1).flatten(-2).to(x.dtype)

    return turn(q), turn(k)
