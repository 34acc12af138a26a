import torch

class Rotate:
    def __call__(self, x, freqs_complex):
        n = x.shape[1]
        if x.shape[3] % 2 or n > freqs_complex.shape[0] or 2 * freqs_complex.shape[1] != x.shape[3]:
            raise ValueError("bad shapes")
        y = x.double() if x.dtype is torch.float64 else x.float()
        z = torch.complex(y[:, :, :, 0::2].contiguous(), y[:, :, :, 1::2].contiguous())
        z = torch.einsum("bshd,sd->bshd", z, freqs_complex[0:n].to(z.dtype))
        out = torch.empty_like(x)
        out[..., 0::2] = z.real.to(x.dtype)
        out[..., 1::2] = z.imag.to(x.dtype)
        return out

apply_rotary_embeddings = Rotate()
