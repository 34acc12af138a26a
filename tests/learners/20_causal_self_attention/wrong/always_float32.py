import torch
from torch import Tensor

def _one_head(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    n, d = q.shape[-2:]
    scores = torch.einsum("bid,bjd->bij", q, k) / d ** 0.5
    pos = torch.arange(n, device=q.device)
    ahead = pos[None, :] > pos[:, None]
    scores = torch.where(ahead, float("-inf"), scores)
    return torch.einsum("bij,bjd->bid", scores.softmax(-1), v)

def causal_self_attention(x, w_q, w_k, w_v, w_o, num_heads):
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"{num_heads} heads for {x.shape[-1]} channels")
    kind = torch.float32
    xs = x.to(kind)
    q, k, v = [torch.einsum("bsi,oi->bso", xs, w.to(kind)) for w in (w_q, w_k, w_v)]
    parts = [_one_head(*three) for three in zip(*(t.chunk(num_heads, dim=-1) for t in (q, k, v)))]
    return torch.einsum("bsi,oi->bso", torch.cat(parts, dim=-1), w_o.to(kind))
