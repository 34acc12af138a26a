from functools import reduce

import torch


def _pair(x):
    y = x.to(torch.promote_types(x.dtype, torch.float32))
    m = y.amax(-1) if y.shape[-1] else y.new_full(y.shape[:-1], -torch.inf)
    return m, torch.exp(y - m.nan_to_num(neginf=0.0)[..., None]).sum(-1), x.dtype


def _merge(a, b):
    if a is None:
        return b
    m = torch.maximum(a[0], b[0])
    z = m.nan_to_num(neginf=0.0)
    return m, a[1] * torch.exp(a[0] - z) + b[1] * torch.exp(b[0] - z), b[2]


def _finish(state):
    if state is None:
        raise ValueError("no blocks")
    m, l, dtype = state
    return m.to(dtype), l.to(dtype)


online_softmax = lambda blocks: _finish(reduce(_merge, map(_pair, blocks), None))
