"""The gate: every refusal in its own sentence, and no reply that makes it raise anything else."""

from collections import OrderedDict, namedtuple
from dataclasses import make_dataclass
from typing import Any

import pytest
import torch
from torch import Tensor

from kata.author import Failed, within
from kata.gate import Rule, compare, first_dtype, floats, margin
from kata.model import Blocks, Ghost, Opaque

NAN, INF = float("nan"), float("inf")
LOOSE = Rule(torch.float32, False, within(1e-3))
EXACT = Rule(torch.float32, True, within(1e-3))
HALF = Rule(torch.float16, True, within(1e-2))
META = Rule(torch.float32, False, within(1e-3), "meta")
Pair = namedtuple("Pair", "one two")


def t(*values: complex | bool, dtype: torch.dtype | None = None) -> Tensor:
    return torch.tensor(values, dtype=dtype)


def meta(*size: int, dtype: str = "torch.float32") -> Ghost:
    return Ghost(dtype, size, "meta")


def refusal(got: Any, want: Any, rule: Rule = LOOSE, values: bool = True, path: str = "") -> str:
    with pytest.raises(Failed) as failed:
        compare(got, want, rule, values, path)
    return str(failed.value)


@pytest.mark.parametrize(
    ("got", "want"),
    [
        (t(1.0, 2.0), t(1.0, 2.0)),
        (t(1.0), t(1.0, dtype=torch.float64)),
        (t(1.0, dtype=torch.float64), t(1.0)),  # whatever precision comes back is compared
        (t(1.0005), t(1.0, dtype=torch.float64)),
        (torch.tensor(3.0), torch.tensor(3.0, dtype=torch.float64)),
        (torch.zeros(0, 3), torch.zeros(0, 3, dtype=torch.float64)),
        (t(NAN, INF, -INF), t(NAN, INF, -INF)),
        (t(1 + 1j), t(1 + 1j, dtype=torch.complex128)),
        (t(1, 2), t(1, 2)),
        (t(True, False), t(True, False)),
        (torch.nn.Parameter(t(1.0)), t(1.0)),
        (None, None),
        (True, True),
        (3, 3),
        ("a", "a"),
        (1.0, 1.0),
        (1, 1.0),  # an int says the same as a float
        (1.0005, 1.0),
        (NAN, NAN),
        (-INF, -INF),
        ((t(1.0), 2), (t(1.0), 2)),
        (Pair(1, 2), (1, 2)),
        ((1, 2), Pair(1, 2)),
        (torch.Size([2, 3]), (2, 3)),
        (torch.sort(t(2.0, 1.0)), (t(1.0, 2.0), t(1, 0))),
        ([], []),
        ({"a": 1, "b": t(2.0)}, {"b": t(2.0), "a": 1}),  # the order of keys says nothing
        (OrderedDict(a=1), {"a": 1}),
        ({1: "a", None: 2}, {1: "a", None: 2}),
    ],
)
def test_lets_through(got: Any, want: Any) -> None:
    compare(got, want, LOOSE)
    assert margin(got, want, LOOSE) <= 1.0


@pytest.mark.parametrize(
    ("got", "want", "text"),
    [
        (None, t(1.0), "returned None where a tensor is asked for"),
        (1.0, torch.tensor(1.0), "returned a float where a tensor is asked for"),
        ([1.0], t(1.0), "returned a list where a tensor is asked for"),
        (Opaque("ndarray", "[1.]"), t(1.0), "returned a ndarray where a tensor is asked for"),
        (t(1.0), 1.0, "returned a tensor where a float is asked for"),
        (torch.zeros(()), None, "returned a tensor where None is asked for"),
        (True, 1.0, "returned a bool where a float is asked for"),
        ("1", 1.0, "returned a str where a float is asked for"),
        (True, 1, "returned a bool where an int is asked for"),
        (1, True, "returned an int where a bool is asked for"),
        (1.0, 1, "returned a float where an int is asked for"),
        (Opaque("int", "1"), 1, "returned an int where an int is asked for"),
        ([1], (1,), "returned a list where a tuple is asked for"),
        ((1,), [1], "returned a tuple where a list is asked for"),
        (Pair(1, 2), [1, 2], "returned a Pair where a list is asked for"),
        ((1, 2), (1,), "a tuple of 2 where one of 1 is asked for"),
        ([], [1], "a list of 0 where one of 1 is asked for"),
        ((1, None), (1, 2), "returned None in result[1] where an int is asked for"),
        ([[1], [2]], [[1], [3]], "2 in result[1][0] where 3 is right"),
        ([1], {"a": 1}, "returned a list where a dict is asked for"),
        ({"a": 1}, {"a": 1, "b": 2}, "the dict lacks 'b'"),
        ({"a": 1, "b": 2}, {"a": 1}, "the dict has 'b' that nobody asked for"),
        ({"1": 1}, {1: 1}, "the dict lacks 1 and has '1' that nobody asked for"),
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "1 in result['a']['b'] where 2 is right"),
        (t(1.0, 2.0), t(1.0), "shape (2,) where (1,) is asked for"),
        (t(1.0), torch.tensor(1.0), "shape (1,) where () is asked for"),
        (torch.zeros(0, 3), torch.zeros(3, 0), "shape (0, 3) where (3, 0) is asked for"),
        (t(1), t(1.0), "dtype int64 where float32 is asked for"),
        (t(True), t(1.0), "dtype bool where float32 is asked for"),
        (t(1.0), t(True), "dtype float32 where bool is asked for"),
        (t(1, dtype=torch.uint8), t(True), "dtype uint8 where bool is asked for"),
        (t(1, dtype=torch.int32), t(1), "dtype int32 where int64 is asked for"),
        (t(1.0), t(1 + 0j), "dtype float32 where complex64 is asked for"),
        (t(1 + 0j), t(1.0), "dtype complex64 where float32 is asked for"),
        (t(1.0, NAN), t(1.0, 2.0), "nan at [1] where a finite number is asked for"),
        (torch.tensor(INF), torch.tensor(1.0), "inf where a finite number is asked for"),
        (t(1 + 1j, NAN), t(1 + 1j, 1j), "nan+0j at [1] where a finite number is asked for"),
        (t(INF), t(NAN), "the value is wrong; it is inf where nan is right"),
        (t(-INF), t(INF), "the value is wrong; it is -inf where inf is right"),
        (t(1.0), t(-INF), "the value is wrong; it is 1 where -inf is right"),
        (t(0.0), t(NAN), "the value is wrong; it is 0 where nan is right"),
        (t(1.0, 2.0), t(1.0, 3.0), "1 of 2 values are wrong; the first at [1] is 2 where 3 is right"),
        (t(True, False), t(False, True), "2 of 2 values are wrong; the first at [0] is True where False is right"),
        (torch.tensor(2), torch.tensor(3), "the value is wrong; it is 2 where 3 is right"),
        (t(1j), t(-1j), "the value is wrong; it is 0+1j where -0-1j is right"),
        (2, 3, "2 where 3 is right"),
        ("a", "b", "'a' where 'b' is right"),
        (2.0, 3.0, "2 where 3 is right"),
        (NAN, 1.0, "nan where 1 is right"),
        (1.0, NAN, "1 where nan is right"),
        (INF, -INF, "inf where -inf is right"),
        (10**400, 1.0, "inf where 1 is right"),
        (-(10**400), 1.0, "-inf where 1 is right"),
    ],
)
def test_refuses(got: Any, want: Any, text: str) -> None:
    assert refusal(got, want) == text
    assert margin(got, want, LOOSE) > 1.0


def test_thousands_are_counted_readably() -> None:
    text = refusal(torch.zeros(50, 40), torch.ones(50, 40))
    assert text == "2,000 of 2,000 values are wrong; the first at [0, 0] is 0 where 1 is right"


def test_the_path_is_told() -> None:
    assert refusal(t(1.0), t(2.0), path="the gradient") == (
        "the value is wrong in the gradient; it is 1 where 2 is right"
    )
    assert refusal([None], [t(1.0)], path="x") == "returned None in x[0] where a tensor is asked for"


def test_craft_insists_on_the_dtype() -> None:
    compare(t(1.0, dtype=torch.float16), t(1.0, dtype=torch.float64), HALF)
    assert refusal(t(1.0), t(1.0, dtype=torch.float64), HALF) == "dtype float32 where float16 is asked for"
    assert refusal(t(1.0, dtype=torch.float64), t(1.0), EXACT) == "dtype float64 where float32 is asked for"
    compare(t(1j), t(1j, dtype=torch.complex128), EXACT)
    assert refusal(t(1j, dtype=torch.complex128), t(1j), EXACT) == "dtype complex128 where complex64 is asked for"


def test_like_asks_for_no_values_but_for_finite_ones() -> None:
    compare(t(5.0), t(0.0), LOOSE, values=False)
    compare([1, "a"], [2, "b"], LOOSE, values=False)
    compare(3.0, 1.0, LOOSE, values=False)
    assert refusal(t(INF), t(INF), values=False) == "inf at [0] where a finite number is asked for"


def test_evidence_holds_the_numbers() -> None:
    with pytest.raises(Failed) as failed:
        compare(t(1.0, NAN, 3.0), t(1.0, NAN, INF), LOOSE)
    evidence = failed.value.evidence
    assert (evidence["index"], evidence["got"], evidence["want"]) == ([2], 3.0, "inf")
    assert (evidence["wrong"], evidence["of"], evidence["shape"]) == (1, 3, [3])


# ── Tensors without numbers ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_tensor_without_numbers_is_no_answer() -> None:
    for values in (True, False):
        text = refusal(meta(2), t(1.0, 2.0), values=values)
        assert text == "a tensor without numbers, on the meta device, came back: float32 (2,) on meta"
    assert margin(meta(2), t(1.0, 2.0), LOOSE) == INF


def test_on_the_meta_device_shape_and_dtype_are_judged() -> None:
    compare(meta(2), torch.zeros(2, dtype=torch.float64), META)
    assert margin(meta(2), torch.zeros(2), META) == 0.0
    assert refusal(meta(3), torch.zeros(2), META) == "shape (3,) where (2,) is asked for"
    assert refusal(meta(2, dtype="torch.int64"), torch.zeros(2), META) == "dtype int64 where float32 is asked for"
    text = "float32 (2,) came back on the CPU where the meta device is asked for"
    assert refusal(torch.zeros(2), torch.zeros(2), META) == text


def test_what_cannot_be_sent_cannot_be_right() -> None:
    text = "a tensor came back that can't be read: float32 (2,) on cpu"
    assert refusal(Ghost("torch.float32", (2,), "cpu"), torch.zeros(2)) == text


# ── Odd replies ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Raising:
    """An object that resists being looked at."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError


WANTED = [
    t(1.0),
    t(1),
    t(True),
    t(1j),
    torch.zeros(()),
    torch.zeros(0),
    1.0,
    1,
    True,
    None,
    "a",
    (1,),
    [t(1.0)],
    {"a": 1},
]
ODD = [
    *(None, True, 0, -1, 10**400, NAN, "", "\ud800", b"", (), [], {}, set(), object(), Raising(), type, len),
    *([None], (None,), {"a": None}, {1: 2}, [[[[]]]], Opaque("x"), meta(1), Ghost("quint8", (1,), "cpu"), Blocks(())),
    *(torch.zeros(0), torch.zeros(1, 1), t(NAN), t(1j), t(1, dtype=torch.uint16)),
    make_dataclass("Sly", ["dtype", "shape"])(1, 5),
]


@pytest.mark.parametrize("rule", [LOOSE, EXACT, META], ids=["required", "craft", "meta"])
@pytest.mark.parametrize("want", WANTED, ids=str)
def test_no_reply_makes_the_gate_raise(want: Any, rule: Rule) -> None:
    for got in ODD:
        try:
            compare(got, want, rule)
        except Failed as failed:
            assert str(failed)
        assert margin(got, want, rule) >= 0.0


# ── Tolerance and dtypes ────────────────────────────────────────────────────────────────────────────────────────────


def test_margin_is_the_worst_error_in_units_of_what_is_allowed() -> None:
    rule = Rule(torch.float32, False, within(0.1))
    assert margin(t(1.1, 0.0), t(1.0, 0.0, dtype=torch.float64), rule) == pytest.approx(0.5, rel=1e-3)
    assert margin((1.4, t(0.0)), (1.0, t(0.0)), rule) == pytest.approx(2.0)
    assert margin({"a": t(0.3)}, {"a": t(0.0)}, rule) == pytest.approx(3.0)
    assert margin(t(3), t(3), rule) == 0.0


def test_margin_lets_infinite_values_be_right() -> None:
    mask = t(0.0, -INF, NAN)
    assert margin(mask, mask.double(), LOOSE) == 0.0
    assert margin(t(0.0, -INF, 0.0), mask, LOOSE) == INF


def test_a_tolerance_of_zero_is_no_division_by_zero() -> None:
    strict = Rule(torch.float32, False, within(0.0))
    compare(t(1.0), t(1.0), strict)
    assert margin(t(1.5), t(1.0), strict) > 1.0


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_default_tolerance_grows_with_the_coarseness_of_the_dtype(dtype: torch.dtype) -> None:
    want = torch.ones(3, dtype=torch.float64)
    allowed = within()(want, dtype)
    assert bool((allowed > 0).all())
    compare((want + allowed * 0.9).to(torch.float64), want, Rule(dtype, False, within()))
    assert "3 of 3" in refusal((want + allowed * 1.1).to(torch.float64), want, Rule(dtype, False, within()))


def test_floats_and_first_dtype() -> None:
    tree = ([1, t(1)], {"a": t(1.0, dtype=torch.float16)}, Blocks((t(1.0),)), t(1j))
    assert list(floats(tree)) == [torch.float16, torch.float32, torch.float32]
    assert first_dtype(tree) is torch.float16
    assert first_dtype((1, t(1), None)) is torch.float32
    assert first_dtype(t(1j, dtype=torch.complex128)) is torch.float64  # complex numbers are pairs of these


def test_complex_inputs_have_a_tolerance() -> None:
    rule = Rule(first_dtype(t(1j)), False, within())
    compare(t(1.00001j), t(1j, dtype=torch.complex128), rule)
    assert "wrong" in refusal(t(1.01j), t(1j, dtype=torch.complex128), rule)
