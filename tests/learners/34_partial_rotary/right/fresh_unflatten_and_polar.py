import math

import torch


class PartialRotary:
    def __call__(self, x, rotary_dim, base=10000.0):
        *_, n, d = x.shape
        if rotary_dim % 2 == 1 or rotary_dim < 0 or d < rotary_dim:
            raise ValueError(rotary_dim)
        if not rotary_dim:
            return 1 * x
        kind = torch.promote_types(torch.float32, x.dtype)
        turned, rest = torch.split(x, (rotary_dim, d - rotary_dim), dim=-1)
        a, b = turned.to(kind).unflatten(-1, (2, rotary_dim // 2)).unbind(-2)
        speed = torch.arange(rotary_dim // 2, dtype=kind, device=x.device).mul(-2 * math.log(base) / rotary_dim).exp()
        angle = torch.arange(n, dtype=kind, device=x.device).unsqueeze(-1).mul(speed)
        z = torch.complex(a, b) * torch.polar(torch.ones_like(angle), angle)
        return torch.cat((z.real.to(x.dtype), z.imag.to(x.dtype), rest), dim=-1)


partial_rotary = PartialRotary()
