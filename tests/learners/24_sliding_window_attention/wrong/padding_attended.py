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
    kp = F.pad(k_, (0, 0, w - 1, 0)).unfold(2, w, 1)
    vp = F.pad(v_, (0, 0, w - 1, 0)).unfold(2, w, 1)
    logits = torch.einsum("bhsd,bhsdw->bhsw", q_, kp) * d ** -0.5
    real = torch.arange(s, device=q.device)[:, None] + torch.arange(w, device=q.device) >= w - 1
    p = logits.softmax(-1)
    return torch.einsum("bhsw,bhsdw->bhsd", p, vp).to(q.dtype)
