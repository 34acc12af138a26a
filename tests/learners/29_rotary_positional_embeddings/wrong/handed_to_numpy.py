import numpy as np
import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    d = x.shape[-1]
    if d % 2:
        raise ValueError("head_dim must be even")
    v = x.float().numpy()
    freq = base ** (-np.arange(0, d, 2) / d)
    angle = np.arange(v.shape[2])[:, None] * freq
    a, b = v[..., : d // 2], v[..., d // 2 :]
    out = np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], -1)
    return torch.from_numpy(out).to(x.dtype)
