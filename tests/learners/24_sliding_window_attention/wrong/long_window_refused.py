import torch
import torch.nn.functional as F

def sliding_window_attention(q, k, v, window):
    if window <= 0:
        raise ValueError("need at least the token itself")
    b, h, s, d = q.shape
    if s == 0:
        return torch.empty_like(q)
    w = window
    acc = torch.promote_types(q.dtype, torch.float32)
    q_, k_, v_ = q.to(acc), k.to(acc), v.to(acc)
    kp = torch.cat([k_[:, :, :w - 1], k_], dim=2).unfold(2, w, 1)
    vp = torch.cat([v_[:, :, :w - 1], v_], dim=2).unfold(2, w, 1)
    logits = torch.einsum("bhsd,bhsdw->bhsw", q_, kp) * d ** -0.5
    real = torch.arange(s, device=q.device)[:, None] + torch.arange(w, device=q.device) >= w - 1
    logits = logits.masked_fill(~real, -torch.inf)
    p = logits.softmax(-1)
    return torch.einsum("bhsw,bhsdw->bhsd", p, vp).to(q.dtype)
