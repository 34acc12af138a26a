import torch


class SlidingWindowMask:
    """Callable, so that options could be added later."""

    def __call__(self, q_len: int, k_len: int, window: int, device: torch.device | None = None) -> torch.Tensor:
        if not window >= 1:
            raise ValueError("the window counts the token itself")
        positions = torch.arange(k_len - q_len, k_len, device=device)
        ahead = torch.arange(k_len, device=device)[None] - positions[:, None]
        return torch.logical_and(ahead.le(0), ahead.gt(-window))


sliding_window_mask = SlidingWindowMask()
