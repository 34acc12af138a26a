import torch

class Scaling:
    def __call__(self, head_dim, base=500000.0, scale=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_len=8192, device=None):
        if head_dim & 1:
            raise ValueError(head_dim)
        if high_freq_factor - low_freq_factor <= 0:
            raise ValueError((low_freq_factor, high_freq_factor))
        w = torch.arange(0, head_dim, 2, device=device, dtype=torch.float64).div_(head_dim).neg_()
        w = torch.pow(base, w)
        rounds = w * (original_max_len / 6.283185307179586)
        fast, slow = rounds > high_freq_factor, rounds < low_freq_factor
        t = (rounds - low_freq_factor) / (high_freq_factor - low_freq_factor)
        t[fast] = 1.0
        t[slow] = 0.0
        return torch.lerp(w / scale, w, t).float()

llama3_scaling = Scaling()
