import torch

class RoPE:
    def angles(self, ids, d, base, dtype):
        i = torch.arange(d // 2, device=ids.device).to(dtype)
        return ids.to(dtype).unsqueeze(-1).div(torch.pow(torch.as_tensor(base, dtype=dtype, device=ids.device), i.mul(2).div(max(d, 1))))

    def __call__(self, q, k, position_ids, base=10000.0):
        d = q.shape[3]
        if d % 2: raise ValueError(d)
        dt = torch.float64 if q.dtype is torch.float64 else torch.float32
        a = self.angles(position_ids, d, base, dt)[:, None]
        out = []
        for x in (q, k):
            e, o = x.reshape(*x.shape[:-1], d // 2, 2).to(dt).unbind(-1)
            r = torch.stack([torch.addcmul(-o * a.sin(), e, a.cos()), torch.addcmul(o * a.cos(), e, a.sin())], dim=4)
            out.append(r.reshape(x.shape).to(x.dtype))
        return tuple(out)

rotary_even_odd = RoPE()
