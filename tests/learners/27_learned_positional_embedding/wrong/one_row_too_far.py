import torch

def learned_positional_embedding(x: torch.Tensor, table: torch.Tensor, start: int = 0) -> torch.Tensor:
    B, S, D = x.size()
    if not 0 <= start <= table.size(0) - S:
        raise ValueError(f"positions {start}..{start + S} do not fit into {table.size(0)} rows")
    idx = torch.arange(start + 1, start + S + 1, device=x.device)
    return x.add(torch.cat([table])[start + 1 : start + 1 + S][None]).type_as(x)
