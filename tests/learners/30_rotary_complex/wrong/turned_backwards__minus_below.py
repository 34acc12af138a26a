def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    c, n = freqs_complex[:s, None].real, freqs_complex[:s, None].imag
    even, odd = x[..., 0::2], x[..., 1::2]
    y = x.new_empty(x.shape)
    y[..., 0::2] = even * c + odd * n
    y[..., 1::2] = odd * c - even * n
    return y
