import torch


def rotary_even_odd(q, k, position_ids, base=10000.0):
    d = q.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    w = torch.promote_types(torch.promote_types(q.dtype, k.dtype), torch.float32)
    j = torch.arange(0, d, 2, device=q.device, dtype=torch.float64)
    angle = position_ids.to(torch.float64)[:, None, :, None] * base ** (-j / d)
    z = torch.polar(torch.ones_like(angle), angle).to(torch.complex128 if w == torch.float64 else torch.complex64)

    def turn(x):
        c = torch.view_as_complex(x.to(w).reshape(*x.shape[:-1], d // 2, 2))
        return torch.view_as_real(c * z).reshape(x.shape).to(x.dtype)

    return turn(q), turn(k)
