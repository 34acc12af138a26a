"""What an answer's process sent, taken apart with suspicion: it may hold results and nothing else."""

import math
from typing import Any

import torch
from torch import Tensor

from kata.zygote.frames import WireError
from kata.zygote.tree import DTYPES, Node, Storages, Unpacker, _Blocks, _Given, _Record, _Seeded, _Tensor

MOST_NODES = 100_000
MOST_RECORDS = 200
MOST_FIELDS = 64


class Untrusted(Unpacker):
    """Builds the values of a reply; its work and memory stay in proportion to the bytes that came."""

    def __init__(self, blob: bytearray, storages: Storages) -> None:
        if sum(max(0, size) for _, size in storages) > len(blob):
            raise WireError("tensors that share their bytes")
        super().__init__(blob, storages)
        self._nodes = self._records = 0

    def value(self, node: Node, depth: int = 0) -> Any:
        """The value of one tree."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise WireError("a structure that is too large")
        if isinstance(node, _Given | _Blocks | _Seeded):  # a function's source would be run by whoever is passed it
            raise WireError("an argument where a result belongs")
        return super().value(node, depth)

    def _record(self, node: _Record, depth: int) -> Any:
        self._records += 1
        if self._records > MOST_RECORDS or len(node.fields) > MOST_FIELDS or len(node.name) > 100:
            raise WireError("a record that can't be")
        return super()._record(node, depth)

    def _tensor(self, node: _Tensor) -> Tensor:
        if node.dtype not in DTYPES or not 0 <= node.storage < len(self._places):
            raise WireError("a tensor that can't be")
        if math.prod(node.size) * DTYPES[node.dtype].itemsize != self._places[node.storage][1] or node.offset:
            raise WireError("a tensor whose size is not that of its bytes")
        made = super()._tensor(node)
        if made.dtype == torch.bool and bool((made.view(torch.uint8) > 1).any()):
            raise WireError("a truth value that is neither")  # torch takes such a byte now for this, now for that
        return made
