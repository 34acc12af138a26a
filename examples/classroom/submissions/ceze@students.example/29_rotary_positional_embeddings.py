"""A 2x2 rotation matrix for every position and pair."""
import torch


def apply_rotary_pos_emb(x, base=10000.0):
    b, h, s, d = x.shape
    if d % 2:
        raise ValueError("head_dim must be even")
    wide = torch.promote_types(x.dtype, torch.float32)
    with torch.autocast(x.device.type if x.device.type != "meta" else "cpu", enabled=False):
        freq = 1 / base ** (torch.arange(0, d, 2, device=x.device, dtype=wide) / d)
        ang = torch.arange(s, device=x.device, dtype=wide)[:, None] * freq
        rot = torch.stack([ang.cos(), -ang.sin(), ang.sin(), ang.cos()], -1).view(s, d // 2, 2, 2)
        pairs = torch.stack([x[..., : d // 2], x[..., d // 2 :]], dim=-1).to(wide)
        out = torch.einsum("siuv,bhsiv->bhsiu", rot, pairs)
        return out.transpose(-1, -2).reshape(b, h, s, d).to(x.dtype)
