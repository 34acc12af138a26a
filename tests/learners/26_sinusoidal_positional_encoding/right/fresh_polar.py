import torch

class Table:
    def __call__(self, seq_len, d_model, base=10000.0, device=None):
        half, rest = divmod(d_model, 2)
        if rest:
            raise ValueError("d_model")
        w = torch.logspace(0, -(half - 1) / half, half, base=base, dtype=torch.float64, device=device) if half else None
        a = torch.outer(torch.arange(seq_len, dtype=torch.float64, device=device), w)
        z = torch.polar(torch.ones_like(a), a)
        return torch.view_as_real(z).flip(-1).flatten(1).float()

sinusoidal_positional_encoding = Table()
