import torch

def apply_rotary_embeddings(x, freqs_complex):
    s, d = x.shape[1], x.shape[-1]
    if d % 2 or len(freqs_complex) < s or freqs_complex.shape[1] != d // 2:
        raise ValueError
    w = torch.promote_types(x.dtype, torch.float32)
    if s == 0:
        return x.clone()
    rows = []
    for p in range(s):
        z = torch.view_as_complex(x[:, p].to(w).unflatten(-1, (d // 2, 2)).contiguous())
        rows.append(torch.view_as_real(z * freqs_complex[p]).flatten(-2))
    return torch.stack(rows, dim=1).to(x.dtype)
