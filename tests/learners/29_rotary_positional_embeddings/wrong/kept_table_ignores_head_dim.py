import torch


class RotaryCache:
    def __init__(self):
        self.tables = {}

    def get(self, seq, head_dim, base, device):
        key = (seq, base)
        if key not in self.tables:
            inv_freq = base ** (-torch.arange(0, head_dim, 2, device=device).float() / head_dim)
            angles = torch.arange(seq, device=device).float().unsqueeze(1) * inv_freq
            self.tables[key] = (torch.cos(angles), torch.sin(angles))
        return self.tables[key]


cache = RotaryCache()


def apply_rotary_pos_emb(x, base=10000.0):
    cos, sin = cache.get(x.shape[-2], x.shape[-1], base, x.device)
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).to(x.dtype)
