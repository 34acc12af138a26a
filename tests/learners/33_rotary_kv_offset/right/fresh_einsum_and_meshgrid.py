import torch

class KVRope:
    def __call__(self, x, start_pos=0, base=10000.0):
        n, d = x.shape[2], x.shape[3]
        if start_pos < 0 or d % 2 == 1:
            raise ValueError("nope")
        dt = torch.float64 if x.dtype == torch.float64 else torch.float32
        pos = torch.linspace(start_pos, start_pos + max(n - 1, 0), n, dtype=dt, device=x.device).round()
        f = torch.pow(torch.tensor(base, dtype=dt, device=x.device), -torch.arange(0, d, 2, dtype=dt, device=x.device) / max(d, 1))
        P, F = torch.meshgrid(pos, f, indexing="ij")
        c, s = torch.cos(P * F), torch.sin(P * F)
        y = torch.empty_like(x)
        y[..., : d // 2] = (x[..., : d // 2] * c - x[..., d // 2 :] * s).to(x.dtype)
        y[..., d // 2 :] = (x[..., d // 2 :] * c + x[..., : d // 2] * s).to(x.dtype)
        return y

rotary_kv_offset = KVRope()
