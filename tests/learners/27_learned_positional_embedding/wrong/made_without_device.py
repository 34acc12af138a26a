import torch

def learned_positional_embedding(x: torch.Tensor, table: torch.Tensor, start: int = 0) -> torch.Tensor:
    B, S, D = x.size()
    if not 0 <= start <= table.size(0) - S:
        raise ValueError(f"positions {start}..{start + S} do not fit into {table.size(0)} rows")
    idx = torch.arange(start, start + S)
    return x.add(table[idx][None]).type_as(x)
