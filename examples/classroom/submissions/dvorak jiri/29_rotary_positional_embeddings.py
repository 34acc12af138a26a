# after Meta's llama code
import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    if x.shape[-1] % 2:
        raise ValueError("odd")
    d, n = x.shape[-1], x.shape[2]
    freqs = 1.0 / (base ** (torch.arange(0, d, 2, device=x.device)[: (d // 2)].float() / d))
    freqs = torch.outer(torch.arange(n, device=x.device).float(), freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d // 2, 2))
    return torch.view_as_real(xc * freqs_cis).flatten(3).type_as(x)
