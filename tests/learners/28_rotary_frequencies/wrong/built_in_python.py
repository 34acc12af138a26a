import cmath, torch

def rotary_frequencies(head_dim, max_seq_len, base=10000.0, device=None):
    if head_dim % 2:
        raise ValueError("odd")
    table = [[cmath.rect(1.0, p * base ** (-2 * j / head_dim)) for j in range(head_dim // 2)] for p in range(max_seq_len)]
    if not table:
        return torch.empty(0, head_dim // 2, dtype=torch.complex64, device=device)
    return torch.tensor(table, dtype=torch.complex64, device=device)
