"""Arguments and results as trees: Python values ⇄ msgpack with the tensors' bytes beside it, never pickle.

Plain values stand for themselves; containers and tensors are tagged leaves. Tensors name a storage, so strides, offsets
and aliasing survive; an expanded tensor costs no more than what it is made of.
"""

import ctypes
import dataclasses
import math
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

import torch
from msgspec import Struct
from torch import Tensor

from kata.model import Blocks, Ghost, Given, Opaque, Seeded
from kata.words import shorten
from kata.zygote.frames import BLOB_CAP, WireError

ALIGN = 64
DEPTH = 32
NODES = 20_000
DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex128, torch.complex64),
        *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
        *(torch.uint16, torch.uint32, torch.uint64),
    )
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class _Leaf(Struct, frozen=True, tag=True, array_like=True): ...


class _Tuple(_Leaf, frozen=True, tag="t", array_like=True):
    items: "list[Node]"


class _List(_Leaf, frozen=True, tag="l", array_like=True):
    items: "list[Node]"


class _Dict(_Leaf, frozen=True, tag="d", array_like=True):
    keys: "list[Node]"
    items: "list[Node]"


class _Record(_Leaf, frozen=True, tag="r", array_like=True):
    name: str
    fields: list[str]
    items: "list[Node]"


class _Tensor(_Leaf, frozen=True, tag="T", array_like=True):
    dtype: str
    size: list[int]
    stride: list[int]
    offset: int
    storage: int


class _Ghost(_Leaf, frozen=True, tag="g", array_like=True):
    dtype: str
    size: list[int]
    device: str


class _Given(_Leaf, frozen=True, tag="f", array_like=True):
    name: str
    source: str


class _Blocks(_Leaf, frozen=True, tag="b", array_like=True):
    items: "list[Node]"


class _Seeded(_Leaf, frozen=True, tag="s", array_like=True):
    seed: int


class _Opaque(_Leaf, frozen=True, tag="o", array_like=True):
    kind: str
    text: str


Node = (
    None
    | bool
    | int
    | float
    | str
    | _Tuple
    | _List
    | _Dict
    | _Record
    | _Tensor
    | _Ghost
    | _Given
    | _Blocks
    | _Seeded
    | _Opaque
)


Storages = list[tuple[int, int]]  # where each storage lies in the frame's blob: start, bytes


def _sendable(text: str) -> bool:
    """Whether a text has no half of a surrogate pair in it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


TOO_LARGE = _Opaque("structure that is too deep or too large", "")


class Packer:
    """Collects the storages of one frame; several values may share it.

    `exact` keeps strides, offsets and aliasing (what a call sends); else tensors are made contiguous (what comes back).
    """

    def __init__(self, exact: bool) -> None:
        self.blob = bytearray()
        self.storages: Storages = []
        self._exact = exact
        self._known: dict[tuple[int, int], int] = {}
        self._alive: list[Tensor] = []  # an address names a storage only while it is not reused
        self._nodes = 0

    def node(self, value: Any, depth: int = 0) -> Node:
        """The tree of one value; what has no place in a tree becomes opaque."""
        self._nodes += 1
        if depth > DEPTH or self._nodes > NODES:
            return TOO_LARGE
        kind = type(value)
        if value is None or kind in (bool, float) or (kind is str and _sendable(value)):
            return value  # type: ignore[no-any-return]
        if kind is int and -(2**63) <= value < 2**63:
            return value  # type: ignore[no-any-return]
        if isinstance(value, Tensor):
            return self._tensor(value)
        return self._container(value, depth)

    def _container(self, value: Any, depth: int) -> Node:
        def items(values: Iterable[Any]) -> list[Node]:
            within = takewhile(lambda _: self._nodes <= NODES, values)  # a list may go on without end
            return [self.node(item, depth + 1) for item in within]

        match value:
            case Blocks():
                return _Blocks(items(value.blocks))
            case Given():
                return _Given(value.name, value.source)
            case Seeded():
                return _Seeded(value.seed)
            case Ghost():
                return _Ghost(value.dtype, list(value.shape), value.device)
            case Opaque():
                return _Opaque(value.kind, value.text)
            case tuple():
                return _Tuple(items(value))
            case list():
                return _List(items(value))
            case dict():
                keys, values = items(value), items(value.values())
                return _Dict(keys, values) if len(keys) == len(values) else TOO_LARGE
            case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
                names = [field.name for field in dataclasses.fields(value)]
                return _Record(type(value).__name__, names, items(getattr(value, name) for name in names))
        return _Opaque(type(value).__name__[:100], shorten(value))

    def _tensor(self, tensor: Tensor) -> Node:
        with torch._C.DisableTorchFunctionSubclass():
            plain = tensor.detach()
            size = plain.numel() * plain.element_size()
            sendable = plain.device.type == "cpu" and plain.layout == torch.strided and plain.dtype in NAMES
            if not sendable or size > BLOB_CAP // 2:
                return _Ghost(str(plain.dtype), list(plain.shape), str(plain.device))
            plain = plain.as_subclass(Tensor).resolve_conj().resolve_neg()  # a sparse one has no storage to take over
            return self._strided(plain if self._exact else plain.contiguous())

    def _strided(self, plain: Tensor) -> Node:
        storage = plain.untyped_storage()
        offset = int(plain.storage_offset())
        start, size = storage.data_ptr(), storage.nbytes()
        if not self._exact:
            start, size = plain.data_ptr(), plain.numel() * plain.element_size()
            offset = 0
        self._alive.append(plain)
        return _Tensor(NAMES[plain.dtype], list(plain.shape), list(plain.stride()), offset, self._store(start, size))

    def _store(self, address: int, size: int) -> int:
        if size and (address, size) in self._known:
            return self._known[address, size]
        self.blob += bytes(-len(self.blob) % ALIGN)
        self.storages.append((len(self.blob), size))
        self.blob += ctypes.string_at(address, size) if size else b""
        self._known[address, size] = len(self.storages) - 1
        return len(self.storages) - 1


class Unpacker:
    """Builds the values of one frame; whatever does not add up is a WireError."""

    def __init__(self, blob: bytearray, storages: Storages) -> None:
        self._blob, self._places = blob, storages
        self._storages: dict[int, torch.UntypedStorage] = {}

    def value(self, node: Node, depth: int = 0) -> Any:
        """The value of one tree."""
        if depth > DEPTH + 1:
            raise WireError("a structure that is too deep")
        match node:
            case _Tensor():
                return self._tensor(node)
            case _Tuple():
                return tuple(self._values(node.items, depth))
            case _List():
                return self._values(node.items, depth)
            case _Dict():
                return self._dict(node, depth)
            case _Record():
                return self._record(node, depth)
            case _Blocks():
                return Blocks(tuple(self._values(node.items, depth)))
            case _Given():
                return Given(node.name, node.source)
            case _Seeded():
                return Seeded(node.seed)
            case _Ghost():
                return Ghost(node.dtype, tuple(node.size), node.device)
            case _Opaque():
                return Opaque(node.kind, node.text)
        return node

    def _values(self, nodes: list[Node], depth: int) -> list[Any]:
        return [self.value(node, depth + 1) for node in nodes]

    def _dict(self, node: _Dict, depth: int) -> Any:
        if len(node.keys) != len(node.items):
            raise WireError("a dict that lacks keys or values")
        if not all(key is None or isinstance(key, bool | int | float | str) for key in node.keys):
            return Opaque("dict with keys that are not plain values")
        return dict(zip(node.keys, self._values(node.items, depth), strict=True))

    def _record(self, node: _Record, depth: int) -> Any:
        values = self._values(node.items, depth)
        try:
            record = dataclasses.make_dataclass(node.name, node.fields, frozen=True)
            return record(*values)
        except Exception as wrong:  # names that only a forger would choose can make it raise anything
            raise WireError(f"a record that can't be built: {type(wrong).__name__}") from None

    def _tensor(self, node: _Tensor) -> Tensor:
        if node.dtype not in DTYPES or len(node.size) > 64 or len(node.size) != len(node.stride):
            raise WireError("a tensor that can't be")
        dtype = DTYPES[node.dtype]
        storage = self._storage(node.storage)
        if min([0, node.offset, *node.size, *node.stride]) < 0:
            raise WireError("a tensor with a negative size")
        last = node.offset + sum((n - 1) * step for n, step in zip(node.size, node.stride, strict=True))
        if 0 not in node.size and (last + 1) * dtype.itemsize > storage.nbytes():
            raise WireError("a tensor that is larger than its bytes")
        if math.prod(node.size) > BLOB_CAP:
            raise WireError("a tensor that is too large")
        try:
            return torch.empty(0, dtype=dtype, device="cpu").set_(storage, node.offset, node.size, node.stride)
        except (RuntimeError, TypeError, ValueError, OverflowError):  # sizes beyond what torch can count
            raise WireError("a tensor that can't be") from None

    def _storage(self, index: int) -> torch.UntypedStorage:
        if not 0 <= index < len(self._places):
            raise WireError("a tensor without bytes")
        if index not in self._storages:
            start, size = self._places[index]
            if start < 0 or size < 0 or start + size > len(self._blob):
                raise WireError("bytes outside the frame")
            taken = torch.frombuffer(self._blob, dtype=torch.uint8, count=size, offset=start) if size else None
            self._storages[index] = (torch.empty(0, device="cpu") if taken is None else taken.clone()).untyped_storage()
        return self._storages[index]


def copy(value: Any) -> Any:
    """A deep copy with strides and aliasing kept, as the other side of the wire would get it."""
    packer = Packer(exact=True)
    node = packer.node(value)
    return Unpacker(packer.blob, packer.storages).value(node)
