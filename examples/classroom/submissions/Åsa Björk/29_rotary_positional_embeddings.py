# complex-number version, view_as_complex on stacked halves
import torch


def apply_rotary_pos_emb(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    d = x.shape[-1]
    if d % 2 == 1:
        raise ValueError(f"need an even head_dim, got {d}")
    work = torch.promote_types(x.dtype, torch.float32)
    inv = 1.0 / base ** (torch.arange(0, d, 2, dtype=work, device=x.device) / d)
    ang = torch.outer(torch.arange(x.size(-2), dtype=work, device=x.device), inv)
    cis = torch.polar(torch.ones_like(ang), ang)
    xc = torch.view_as_complex(torch.stack(x.to(work).chunk(2, dim=-1), dim=-1))
    out = torch.view_as_real(xc * cis)
    return torch.cat([out[..., 0], out[..., 1]], dim=-1).type_as(x)
