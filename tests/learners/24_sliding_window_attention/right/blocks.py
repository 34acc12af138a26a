import torch

def sliding_window_attention(q, k, v, window):
    """one block of queries at a time, each with the keys that it can reach"""
    if window < 1:
        raise ValueError(f"window = {window}")
    n, size = q.shape[2], q.shape[3]
    t = torch.float64 if q.dtype == torch.float64 else torch.float32
    out = [q.new_zeros(q.shape[0], q.shape[1], 0, size)]
    step = max(16, min(window, 128))
    for start in range(0, n, step):
        stop = min(start + step, n)
        first = max(0, start - window + 1)
        rows = torch.arange(start, stop, device=q.device)[:, None]
        cols = torch.arange(first, stop, device=q.device)[None]
        hidden = (cols > rows) | (cols <= rows - window)
        s = q[:, :, start:stop].to(t) @ k[:, :, first:stop].to(t).transpose(-1, -2)
        s = (s * size ** -0.5).masked_fill(hidden, float("-inf"))
        out.append((s.softmax(-1) @ v[:, :, first:stop].to(t)).to(q.dtype))
    return torch.cat(out, dim=2)
