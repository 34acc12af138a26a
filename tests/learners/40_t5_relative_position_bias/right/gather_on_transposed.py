import math, torch

def t5_relative_position_bias(table, q_len, k_len, bidirectional=True, max_distance=128):
    rows, heads = table.size()
    nb = rows >> int(bidirectional)
    me = nb >> 1
    if me == 0: raise ValueError("few")
    if max_distance <= me: raise ValueError("near")
    rel = torch.arange(k_len, device=table.device).view(1, -1) - torch.arange(k_len - q_len, k_len, device=table.device).view(-1, 1)
    if bidirectional:
        up, n = nb * (rel > 0), rel.abs()
    else:
        up, n = 0, (rel * -1).relu()
    x = torch.log2(n.clamp(min=me).to(torch.float32) / me) / math.log2(max_distance / me)
    idx = up + torch.where(n < me, n, torch.clamp(me + (x * (nb - me)).int(), max=nb - 1))
    idx = idx.reshape(1, -1).expand(heads, -1)
    return torch.gather(table.t(), 1, idx.long()).reshape(1, heads, q_len, k_len)
