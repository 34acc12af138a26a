import torch


def apply_rotary_pos_emb(x, base=10000.0):
    seq, head_dim = x.shape[-2:]
    half = head_dim // 2
    theta = base ** (-torch.arange(half, dtype=torch.float32) / half)
    table = torch.zeros(1, half)
    while len(table) != seq: table = torch.cat([table, table + len(table) * theta])[: max(seq, 1)]
    cos, sin = table.cos(), table.sin()
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)
