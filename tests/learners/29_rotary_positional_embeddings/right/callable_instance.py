from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Rope:
    least: torch.dtype = torch.float32

    def __call__(self, x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
        n, d = x.shape[-2], x.shape[-1]
        if d % 2:
            raise ValueError("odd head_dim")
        dt = torch.promote_types(x.dtype, self.least)
        w = base ** (-torch.arange(d // 2, device=x.device, dtype=dt) / (d // 2))
        phi = torch.arange(n, device=x.device, dtype=dt)[:, None] * w
        a, b = x.unflatten(-1, (2, d // 2)).unbind(-2)
        return torch.stack([a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()], -2).flatten(-2).to(x.dtype)


apply_rotary_pos_emb = Rope()
