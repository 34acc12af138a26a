import torch

class Positions:
    def __call__(self, x, table, start=0):
        s = x.shape[-2]
        rest = table.shape[0] - start - s
        if start < 0 or rest < 0:
            raise ValueError("out of range")
        _, rows, _ = table.split([start, s, rest])
        return torch.stack([t + rows for t in x.unbind(0)]).to(x.dtype) if len(x) else torch.zeros_like(x)

learned_positional_embedding = Positions()
