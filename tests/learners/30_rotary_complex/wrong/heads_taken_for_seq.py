import torch

# x: (batch, heads, seq, head_dim)
def apply_rotary_embeddings(x, freqs_complex):
    seq_len = x.shape[-2]
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], x.shape[-1] // 2, 2).contiguous())
    return torch.view_as_real(z * freqs_complex[:seq_len]).flatten(3).type_as(x)
