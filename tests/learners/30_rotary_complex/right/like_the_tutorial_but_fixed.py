import torch

# the usual complex version, with the method calls turned into functions and the table sliced
def apply_rotary_embeddings(x: torch.Tensor, freqs_complex: torch.Tensor):
    B, S, H, D = x.shape
    if D % 2 != 0:
        raise ValueError("head_dim has to be even")
    if freqs_complex.size(0) < S or freqs_complex.size(1) != D // 2:
        raise ValueError("freqs_complex does not match x")
    xf = x if x.dtype == torch.float64 else x.float()
    x_complex = torch.view_as_complex(xf.reshape(B, S, H, D // 2, 2).contiguous())
    f = freqs_complex[:S].unsqueeze(0).unsqueeze(2)
    return torch.view_as_real(x_complex * f).flatten(3).type_as(x)
