import torch


class Cache:
    def __init__(self):
        self.store = {}

    def get(self, n, d, base, device, dtype):
        key = (n, d, device, dtype)
        if key not in self.store:
            with torch.inference_mode(False):
                inv = base ** (-torch.arange(0, d, 2, device=device, dtype=dtype) / d)
                ang = torch.arange(n, device=device, dtype=dtype)[:, None] * inv
                self.store[key] = (ang.cos(), ang.sin())
        return self.store[key]


CACHE = Cache()


def apply_rotary_pos_emb(x, base=10000.0):
    n, d = x.shape[-2:]
    if d % 2:
        raise ValueError("head_dim must be even")
    cos, sin = CACHE.get(n, d, base, x.device, torch.promote_types(x.dtype, torch.float32))
    u, v = x.chunk(2, dim=-1)
    return torch.cat((u * cos - v * sin, u * sin + v * cos), dim=-1).to(x.dtype)
