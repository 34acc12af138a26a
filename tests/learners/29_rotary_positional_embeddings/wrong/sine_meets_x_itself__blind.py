import torch

def apply_rotary_pos_emb(x, base=10000.0):
    dim = x.size(3)
    if dim % 2 > 0:
        raise ValueError("bad head_dim")
    ftype = torch.promote_types(x.dtype, torch.float32)
    freqs = 1.0 / (base ** (torch.arange(0, dim, 2, dtype=ftype, device=x.device) / dim))
    pos = torch.arange(x.size(2), dtype=ftype, device=x.device)
    table = pos[:, None] * freqs
    table = torch.cat((table, table), dim=-1)
    cos, sin = table.cos(), table.sin()
    return (x * cos + x * sin).to(x.dtype)
