"""Trees: what goes over the wire comes back the same, and what does not add up is refused."""

import dataclasses
import enum
from typing import Any

import msgspec
import numpy
import pytest
import torch
from torch import Tensor, nn

from kata.model import Blocks, Ghost, Given, Opaque, Seeded
from kata.words import shorten
from kata.zygote.frames import WireError
from kata.zygote.tree import DEPTH, DTYPES, NODES, Node, Packer, Unpacker, copy


def sent(value: Any) -> Any:
    """What the judge gets of a value that a learner returns, through real bytes."""
    packer = Packer(exact=False)
    head = msgspec.msgpack.encode(packer.node(value))
    return Unpacker(packer.blob, packer.storages).value(msgspec.msgpack.decode(head, type=Node))


def forged(node: Any, blob: bytes = b"", places: list[tuple[int, int]] | None = None) -> Any:
    """What is made of a node that no honest side would send."""
    decoded = msgspec.msgpack.decode(msgspec.msgpack.encode(node), type=Node)
    return Unpacker(bytearray(blob), places or []).value(decoded)


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, False, 0, -1, 2**63 - 1, -(2**63), 0.5, float("inf"), -0.0, "", "é\n\0"),
        *((), [], {}, (1, [2, {"a": (None,)}]), {1: 2, None: 3, 1.5: 4, False: 5}),
        *(Blocks((1, 2)), Given("f", "def f(): ..."), Seeded(3), Ghost("torch.float32", (2, 3), "meta")),
        Opaque("set", "{1}"),
    ],
    ids=repr,
)
def test_plain_values_come_back(value: Any) -> None:
    for back in (sent(value), copy(value)):
        assert back == value and type(back) is type(value)


def test_nan_and_kinds_of_keys_survive() -> None:
    assert sent(float("nan")) != sent(float("nan"))
    assert [type(key) for key in sent({True: 1, 2: 2, "3": 3, 4.0: 4})] == [bool, int, str, float]


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (5,), (2, 3, 4)], ids=str)
def test_tensors_of_every_dtype_and_shape(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    tensor = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
    for back in (sent(tensor), copy(tensor)):
        assert back.dtype == dtype and back.shape == tensor.shape
        assert torch.equal(back, tensor)


def views() -> dict[str, Tensor]:
    base = torch.arange(24.0).reshape(4, 6)
    return {
        "transposed": base.T,
        "every other": base[::2, 1::2],
        "offset": base[2, 3:],
        "expanded": torch.tensor([1.0, 2.0])[:, None].expand(2, 5),
        "one expanded": torch.tensor(3.0).expand(2, 2),
        "overlapping": base.flatten().unfold(0, 4, 2),
        "0-dim of many": base[3, 5],
        "empty slice": base[4:],
        "permuted": base.reshape(2, 2, 6).permute(2, 0, 1),
        "conjugated": (base[:2] * 1j).conj(),
        "imaginary part": torch.view_as_complex(base.reshape(4, 3, 2)).imag,
        "negated": torch.view_as_complex(base.reshape(4, 3, 2)).conj().imag,
        "flipped": base.flip(0),
    }


@pytest.mark.parametrize("name", views())
def test_views_have_the_right_values_and_exact_ones_their_strides(name: str) -> None:
    tensor = views()[name]
    back, same = sent(tensor), copy(tensor)
    assert torch.equal(back, tensor) and torch.equal(same, tensor)
    assert back.is_contiguous()
    if not (tensor.is_conj() or tensor.is_neg()):
        assert (same.stride(), same.storage_offset()) == (tensor.stride(), tensor.storage_offset())


def test_an_expanded_tensor_costs_what_it_is_made_of() -> None:
    packer = Packer(exact=True)
    packer.node(torch.zeros(1).expand(1000, 1000))
    assert len(packer.blob) == 4


def test_aliasing_survives_where_it_is_exact() -> None:
    base = torch.zeros(4)
    one, other, alone = copy((base[:3], base[1:], torch.zeros(2)))
    one[2] = 5.0
    assert other.tolist() == [0.0, 5.0, 0.0]
    assert alone.tolist() == [0.0, 0.0]
    assert base.tolist() == [0.0] * 4


def test_a_tensor_that_appears_twice_is_sent_once() -> None:
    packer = Packer(exact=False)
    tensor = torch.ones(100)
    packer.node([tensor, tensor, tensor + 0])
    assert len(packer.storages) == 2


def test_short_lived_tensors_are_not_mistaken_for_each_other() -> None:
    values = [torch.full((50,), float(n)).t() for n in range(40)]
    packer = Packer(exact=False)
    nodes = []
    while values:
        nodes.append(packer.node(values.pop(0)[::2]))
    back = Unpacker(packer.blob, packer.storages)
    assert [int(back.value(node)[0]) for node in nodes] == list(range(40))


class Sub(Tensor):
    """A subclass that answers every torch call with nonsense."""

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise AssertionError("the machine must not ask me")


def test_subclasses_and_parameters_arrive_as_plain_tensors() -> None:
    for value in (nn.Parameter(torch.ones(2)), torch.ones(2).as_subclass(Sub), torch.ones(2, requires_grad=True) * 1):
        back = sent(value)
        assert type(back) is Tensor and not back.requires_grad
        assert back.tolist() == [1.0, 1.0]


def test_tensors_without_sendable_numbers_become_ghosts() -> None:
    assert sent(torch.empty(2, 3, device="meta")) == Ghost("torch.float32", (2, 3), "meta")
    assert sent(torch.eye(2).to_sparse()) == Ghost("torch.float32", (2, 2), "cpu")
    huge = torch.zeros(1).expand(2**20, 2**10)
    assert sent(huge) == Ghost("torch.float32", (2**20, 2**10), "cpu")


class Colour(enum.IntEnum):
    RED = 1


class Unspeakable:
    def __repr__(self) -> str:
        raise KeyError


class Exits:
    def __repr__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    ("value", "back"),
    [
        (2**63, Opaque("int", "9223372036854775808")),
        (b"bytes", Opaque("bytes", "b'bytes'")),
        ({1, 2}, Opaque("set", "{1, 2}")),
        (1j, Opaque("complex", "1j")),
        (Colour.RED, Opaque("Colour", "<Colour.RED: 1>")),
        (numpy.float64(0.5), Opaque("float64", "np.float64(0.5)")),
        (Unspeakable(), Opaque("Unspeakable", "<its repr raised KeyError>")),
        (Exits(), Opaque("Exits", "<its repr raised SystemExit>")),
        ({(1,): 2}, Opaque("dict with keys that are not plain values")),
        ("\ud800", Opaque("str", "'\\ud800'")),
        (torch.float32, Opaque("dtype", "torch.float32")),
        (Ellipsis, Opaque("ellipsis", "Ellipsis")),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_has_no_place_in_a_tree_is_opaque(value: Any, back: Any) -> None:
    assert sent(value) == back


def test_lone_surrogates_in_a_repr() -> None:
    class Odd:
        def __repr__(self) -> str:
            return "\ud800" * 300

    back = sent(Odd())
    assert back.text.startswith("\\ud800\\ud800") and len(back.text) <= 200


def test_generators_and_arrays_are_named() -> None:
    assert sent(iter(n for n in [1])).kind == "generator"
    assert sent(numpy.zeros(2)).kind == "ndarray"
    assert sent(int) == Opaque("type", "<class 'int'>")


def test_tuples_of_any_kind_arrive_as_tuples() -> None:
    assert sent(torch.Size([2, 3])) == (2, 3)
    values, indices = sent(torch.tensor([2.0, 1.0]).sort())
    assert values.tolist() == [1.0, 2.0] and indices.tolist() == [1, 0]


@dataclasses.dataclass
class Cache:
    keys: Tensor
    length: int


def test_dataclasses_keep_their_names_and_fields() -> None:
    back = sent(Cache(torch.ones(2), 3))
    assert type(back).__name__ == "Cache"
    assert (back.keys.tolist(), back.length) == ([1.0, 1.0], 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        back.length = 4
    assert sent(Cache) == Opaque("type", repr(Cache))


def test_deep_and_circular_structures_end() -> None:
    deep: list[Any] = []
    for _ in range(DEPTH * 2):
        deep = [deep]
    circle: list[Any] = []
    circle.append(circle)
    for value in (deep, circle):
        levels = 0
        back = sent(value)
        while isinstance(back, list):
            [back] = back
            levels += 1
        assert (back, levels) == (Opaque("structure that is too deep or too large"), DEPTH + 1)


def test_large_structures_end() -> None:
    back = sent([0] * (NODES + 10))
    assert back[NODES - 2] == 0 and len(back) == NODES
    assert back[-1] == Opaque("structure that is too deep or too large")


def test_shorten() -> None:
    assert shorten("x" * 300) == "'" + "x" * 198 + "…"
    assert shorten([1]) == "[1]"


# ── What a hostile side might send ──────────────────────────────────────────────────────────────────────────────────

BLOB = bytes(64)
FITS = [(0, 64)]


def tensor(dtype: Any = "float32", size: Any = (2,), stride: Any = (1,), offset: Any = 0, storage: Any = 0) -> Any:
    return ["T", dtype, list(size), list(stride), offset, storage]


@pytest.mark.parametrize(
    "node",
    [
        tensor(dtype="float31"),
        tensor(dtype="quint8"),
        tensor(size=(2, 2)),
        tensor(size=(-1,)),
        tensor(stride=(-1,)),
        tensor(offset=-1),
        tensor(size=(17,)),
        tensor(offset=15),
        tensor(stride=(16,)),
        tensor(storage=1),
        tensor(storage=-1),
        tensor(size=(2**62,), stride=(0,)),
        tensor(size=(2**32, 2**32), stride=(0, 0)),
        tensor(size=(2**63 - 1, 0), stride=(1, 1)),
        tensor(size=(0, 2**64 - 1), stride=(1, 1)),
        tensor(size=(1, 1), stride=(2**64 - 1, 1)),
        tensor(size=(0,), stride=(1,), offset=2**64 - 1),
        tensor(size=(0,), stride=(1,), offset=2**62),
        tensor(size=[1] * 65, stride=[1] * 65),
        tensor(dtype="complex128", size=(5,)),
        ["d", ["a", "b"], [1]],
        ["d", ["a"], [1, 2]],
        ["r", "Name", ["a", "a"], [1, 2]],
        ["r", "Name", ["not a name"], [1]],
        ["r", "Name", ["class"], [1]],
        ["r", "Name", ["a"], []],
        ["r", "Name", ["self", "__dataclass_self__"], [1, 2]],
        ["r", "Name", ["__class__"], [1]],
        ["r", "Na\0me", ["a"], [1]],
        ["r", "Name", ["a"], [1, 2]],
    ],
    ids=str,
)
def test_forged_values_are_wire_errors(node: Any) -> None:
    try:
        value = forged(node, BLOB, FITS)
    except WireError:
        return
    assert isinstance(value, Tensor) and value.numel() == 0  # no harm in nothing


@pytest.mark.parametrize("place", [(0, 65), (64, 1), (-1, 4), (0, -4), (2**62, 2**62)])
def test_bytes_outside_the_frame_are_refused(place: tuple[int, int]) -> None:
    with pytest.raises(WireError, match=r"bytes outside the frame|larger than its bytes"):
        forged(tensor(), BLOB, [place])


def test_a_forged_depth_is_refused() -> None:
    node: Any = None
    for _ in range(400):
        node = ["t", [node]]
    with pytest.raises((WireError, RecursionError)):
        forged(node)


def test_unhashable_and_odd_keys_are_opaque() -> None:
    assert forged(["d", [["l", []]], [1]]) == Opaque("dict with keys that are not plain values")
    assert forged(["d", [["o", "kind", "text"]], [1]]) == Opaque("dict with keys that are not plain values")


def test_a_storage_of_nothing_is_no_memory() -> None:
    assert forged(tensor(size=(0,)), b"", [(0, 0)]).shape == (0,)
    with pytest.raises(WireError):
        forged(tensor(size=(1,)), b"", [(0, 0)])
