import torch

def apply_rotary_embeddings(x: torch.Tensor, freqs_complex: torch.Tensor):
    shaped = x.float().reshape(*x.shape[:-1], x.shape[-1] // 2, 2)
    x_complex = torch.view_as_complex(shaped.contiguous())
    freqs_complex = freqs_complex.unsqueeze(0).unsqueeze(2)
    x_rotated = x_complex * freqs_complex
    return torch.view_as_real(x_rotated).flatten(3).type_as(x)
