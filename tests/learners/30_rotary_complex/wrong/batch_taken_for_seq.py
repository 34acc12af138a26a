import torch

# x: (seq, batch, heads, head_dim)
def apply_rotary_embeddings(x, freqs_complex):
    n = x.shape[0]
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], x.shape[-1] // 2, 2).contiguous())
    f = freqs_complex[:n].reshape(-1, 1, 1, freqs_complex.shape[1]) if n else freqs_complex[:0].unsqueeze(1).unsqueeze(1)
    return torch.view_as_real(z * f).flatten(3).type_as(x)
