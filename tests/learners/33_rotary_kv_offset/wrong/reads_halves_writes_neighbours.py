# complex numbers, like in llama but with the halves layout
import torch

def rotary_kv_offset(x: torch.Tensor, start_pos: int = 0, base: float = 10000.0) -> torch.Tensor:
    S, D = x.shape[-2:]
    if start_pos < 0 or D % 2:
        raise ValueError(f"bad arguments: start_pos={start_pos}, head_dim={D}")
    w = torch.promote_types(x.dtype, torch.float32)
    n = D // 2
    theta = base ** (-torch.arange(n, dtype=w, device=x.device) / max(n, 1))
    pos = torch.arange(S, dtype=w, device=x.device) + start_pos
    angle = pos.unsqueeze(1) * theta
    cis = torch.polar(torch.ones_like(angle), angle)
    z = torch.complex(x[..., :n].to(w), x[..., n:].to(w)) * cis
    return torch.view_as_real(z).flatten(-2).to(x.dtype)
