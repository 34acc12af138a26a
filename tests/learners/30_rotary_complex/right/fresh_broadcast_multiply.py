# multiply (x as complex) with table moved to front, different axis juggling
import torch

def apply_rotary_embeddings(x, freqs_complex):
    if x.shape[-1] % 2:
        raise ValueError("odd head dim")
    pairs = x.shape[-1] // 2
    if freqs_complex.shape[-1] != pairs:
        raise ValueError("pairs")
    table = freqs_complex.narrow(0, 0, x.shape[1]) if x.shape[1] <= freqs_complex.shape[0] else None
    if table is None:
        raise ValueError("rows")
    orig = x.dtype
    if orig in (torch.float16, torch.bfloat16):
        x = x.float()
    re, im = x.reshape(x.shape[:-1] + (pairs, 2)).unbind(dim=-1)
    zr = torch.mul(re, table.real.unsqueeze(-2)).sub(im * table.imag.unsqueeze(-2))
    zi = torch.addcmul(re * table.imag.unsqueeze(-2), im, table.real.unsqueeze(-2))
    return torch.stack((zr, zi), dim=-1).reshape(x.shape).to(orig)
