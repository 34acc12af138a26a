import math
import torch

def grouped_query_attention(q, k, v, mask=None):
    n_q, n_kv = q.shape[1], k.shape[1]
    if n_kv == 0 or n_q % n_kv:
        raise ValueError("uneven groups")
    per = n_q // n_kv
    acc = torch.float64 if q.dtype == torch.float64 else torch.float32
    if mask is not None:
        mask = mask.expand(q.shape[0], n_q, q.shape[2], k.shape[2])
    out = []
    for head in range(n_q):
        kk = k[:, head // per].to(acc)
        vv = v[:, head // per].to(acc)
        logits = torch.bmm(q[:, head].to(acc), kk.transpose(1, 2)) / math.sqrt(q.shape[-1])
        if mask is None:
            w = torch.softmax(logits, -1)
        else:
            logits = torch.where(mask[:, head], logits, torch.finfo(acc).min)
            w = torch.softmax(logits, -1) * mask[:, head]
        out.append(torch.bmm(w, vv))
    return torch.stack(out, dim=1).to(q.dtype)
