import torch


def apply_rotary_pos_emb(x, base=10000.0):
    if x.shape[-1] % 2 != 0:
        raise ValueError("head_dim must be divisible by 2")
    half = x.shape[-1] // 2
    dtype = torch.promote_types(torch.float32, x.dtype)
    # frequency index of each channel: 0..half-1, 0..half-1
    channel = torch.arange(2 * half, device=x.device) % max(half, 1)
    freq = base ** (-channel.to(dtype) / half)
    pos = torch.arange(x.shape[2], device=x.device, dtype=dtype).unsqueeze(1)
    sign = torch.ones(2 * half, device=x.device, dtype=dtype)
    sign[:half] = -1
    angle = pos * freq
    return (x * angle.cos() + torch.roll(x, half, dims=-1) * (angle.sin() * sign)).to(x.dtype)
