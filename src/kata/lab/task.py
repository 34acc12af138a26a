"""The task: text that repeats itself. After its first period every token can be read off the past, at any length."""

import torch
from torch import Tensor

VOCABULARY = 16
SHORTEST, LONGEST = 4, 15  # tokens in a period


def batch(generator: torch.Generator, count: int, length: int) -> tuple[Tensor, Tensor, Tensor]:
    """Inputs and targets (count, length), and which targets can be known (bool, same shape)."""
    period = torch.randint(SHORTEST, LONGEST + 1, (count, 1), generator=generator)  # (count, 1)
    segment = torch.randint(0, VOCABULARY, (count, LONGEST), generator=generator)
    text = segment.gather(1, torch.arange(length + 1) % period)  # (count, length + 1)
    known = torch.arange(1, length + 1) >= period  # target i is token i + 1
    return text[:, :-1], text[:, 1:], known


def accuracy(predicted: Tensor, targets: Tensor, known: Tensor) -> float:
    """The share of right predictions in the second half, where a length is really a length."""
    late = torch.arange(targets.shape[1]) >= targets.shape[1] // 2
    counted = known & late
    return float((predicted == targets)[counted].double().mean())
