import torch

class Bias:
    """No logarithm: the smallest distance of every far bucket, by comparing powers."""

    def starts(self, nb, me, far):
        out, n = [], me
        for b in range(nb - me):
            while n ** (nb - me) * me ** b < far ** b * me ** (nb - me):
                n += 1
            out.append(n)
        return out

    def __call__(self, table, q_len, k_len, bidirectional=True, max_distance=128):
        nb = len(table) // (2 if bidirectional else 1)
        me = nb // 2
        if me < 1 or max_distance <= me:
            raise ValueError("impossible")
        rel = torch.arange(k_len, device=table.device) - (torch.arange(q_len, device=table.device)[:, None] + k_len - q_len)
        n = rel.abs() if bidirectional else rel.neg().clamp(min=0)
        out = n.clamp(max=me - 1)
        for start in self.starts(nb, me, max_distance):
            out = out + (n >= start)
        if bidirectional:
            out = out + nb * (rel > 0)
        return table[out].movedim(-1, 0)[None]

t5_relative_position_bias = Bias()
