"""Random inputs that depend on nothing but the seed, the problem and the check."""

import hashlib
from collections.abc import Sequence

import torch
from torch import Tensor

from kata.model import Seeded


class Draw:
    """A source of inputs for one check; `warm` says that costly calls (the meta device) are affordable."""

    def __init__(self, seed: int, problem: str, check: str, warm: bool = False) -> None:
        digest = hashlib.sha256(f"{seed}/{problem}/{check}".encode()).digest()
        self.warm = warm
        self._generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        """A tensor of `shape` with entries of the standard normal distribution."""
        return torch.randn(shape, generator=self._generator, dtype=torch.float64).to(dtype)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        """A float32 tensor of `shape` with entries between `low` and `high`."""
        return (low + (high - low) * torch.rand(shape, generator=self._generator, dtype=torch.float64)).float()

    def integers(self, low: int, high: int, shape: Sequence[int] = ()) -> Tensor:
        """An int64 tensor of `shape` with entries from `low` to `high` - 1."""
        return torch.randint(low, high, tuple(shape), generator=self._generator)

    def integer(self, low: int, high: int) -> int:
        """A Python int from `low` to `high` - 1."""
        return int(self.integers(low, high))

    def permutation(self, n: int) -> Tensor:
        """A random order of 0 … n - 1 as an int64 tensor of shape (n,)."""
        return torch.randperm(n, generator=self._generator)

    def mask(self, *shape: int, share: float = 0.5) -> Tensor:
        """A bool tensor of `shape`, True with probability `share`."""
        return torch.rand(shape, generator=self._generator) < share

    def generator(self) -> Seeded:
        """An argument that reaches the answer as a torch.Generator, in the same state for every call that uses it."""
        return Seeded(self.integer(0, 2**31))
