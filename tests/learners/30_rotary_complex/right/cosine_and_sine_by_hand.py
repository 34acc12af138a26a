from torch import stack, float32, float64

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d & 1: raise ValueError(d)
    if len(freqs_complex) < s: raise ValueError("table too short")
    if freqs_complex.shape[-1] * 2 != d: raise ValueError("table has the wrong width")
    work = float64 if x.dtype == float64 else float32
    cos = freqs_complex.real[:s, None, :].to(work)
    sin = freqs_complex.imag[:s, None, :].to(work)
    ev = x[..., ::2].to(work)
    od = x[..., 1::2].to(work)
    return stack((ev * cos - od * sin, ev * sin + od * cos), dim=-1).reshape(x.shape).to(x.dtype)
