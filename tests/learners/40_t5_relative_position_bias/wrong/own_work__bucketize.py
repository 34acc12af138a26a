import torch

def starts(nb, me, far):
    out, n = [], 1
    for b in range(1, nb):
        if b <= me:
            n = b
        else:
            while (n / me) ** (nb - me) < (far / me) ** (b - me) * (1 - 1e-9):
                n += 1
        out.append(n)
    return out

def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    nb = table.shape[0] // 2 if bidirectional else table.shape[0]
    me = nb // 2
    if me == 0 or max_distance <= me:
        raise ValueError("impossible")
    rel = torch.arange(k_len, device=table.device) - torch.arange(k_len - q_len, k_len, device=table.device)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    edges = torch.tensor(starts(nb, me, max_distance), device=table.device)
    b = torch.bucketize(n, edges, right=True)
    if bidirectional:
        b = b + nb * (rel > 0)
    return table[b].permute(2, 0, 1)[None]
