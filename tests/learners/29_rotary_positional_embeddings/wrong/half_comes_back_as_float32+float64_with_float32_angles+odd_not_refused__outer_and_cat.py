import torch


def quarter_turn(x):
    left, right = torch.tensor_split(x, [x.shape[-1] // 2], dim=-1)
    return torch.cat([-right, left], dim=-1)


def apply_rotary_pos_emb(x, base=10000.0):
    seq, width = x.shape[-2:]
    half = width // 2
    steps = torch.arange(half, dtype=torch.float32, device=x.device) / half
    places = torch.arange(seq, dtype=torch.float32, device=x.device)
    grid = torch.outer(places, 1.0 / (base**steps))
    twice = torch.cat([grid, grid], dim=-1)
    return x * twice.cos() + quarter_turn(x) * twice.sin()
