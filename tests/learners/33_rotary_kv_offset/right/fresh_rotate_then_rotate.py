# turn by i first, then the whole chunk by start_pos: rotations add up
import torch

def turn(x, angle):
    a, b = x.tensor_split(2, dim=-1)
    return torch.cat((a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()), dim=-1)

def rotary_kv_offset(x, start_pos=0, base=10000.0):
    if start_pos < 0: raise ValueError("start")
    d = x.size(-1)
    if d % 2: raise ValueError("odd")
    dt = torch.promote_types(x.dtype, torch.float32)
    f = base ** (torch.arange(0, d, 2, dtype=dt, device=x.device) / -d)
    y = turn(x.to(dt), torch.arange(x.size(-2), dtype=dt, device=x.device)[:, None] * f)
    return turn(y, start_pos * f).to(x.dtype)
