"""Values in words, and foreign text made harmless."""

from dataclasses import make_dataclass

import pytest
import torch

from kata.model import Blocks, Call, Ghost, Given, Opaque, Seeded
from kata.words import TEXT_CAP, describe, harmless, kind, number, shape, spoken


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain «text» × − é", "plain «text» × − é"),
        ("a\nb\tc", "a\nb\tc"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\r\b\a\0", "␍␈␇␀"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("a\u202eb", "a\\u202eb"),  # right-to-left override
        ("\ud800", "\\ud800"),  # half of a pair
        ("\U000e0041", "\\U000e0041"),  # an invisible tag
        ("<f at 0x7f3a12b4c5d0>", "<f at 0x…>"),
        ("0x7f3a and 0xZZ", "0x7f3a and 0xZZ"),
    ],
)
def test_harmless(text: str, shown: str) -> None:
    assert harmless(text) == shown


def test_harmless_cuts() -> None:
    assert harmless("x" * 50, 10) == "x" * 10 + "…"
    assert len(harmless("x" * (TEXT_CAP + 1))) == TEXT_CAP + 1
    assert harmless("x" * TEXT_CAP) == "x" * TEXT_CAP


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (torch.zeros(2, 5), "float32 (2, 5)"),
        (torch.zeros((), dtype=torch.bool), "bool ()"),
        (torch.nn.Parameter(torch.zeros(1)), "float32 (1,)"),
        (Ghost("torch.float16", (3,), "meta"), "float16 (3,) on meta"),
        (None, "None"),
        (True, "True"),
        (float("nan"), "nan"),
        ("x" * 100, "'" + "x" * 59),
        ([1, 2, 3], "a list of 3"),
        ({}, "a dict of 0"),
        ((1, torch.zeros(2)), "(1, float32 (2,))"),
        ((1, 2, 3, 4, 5), "(1, 2, 3, 4, …)"),
        (Opaque("int", "10000"), "an int 10000"),
        (Opaque("set"), "a set"),
        (Given("step", ""), "step"),
        (Seeded(3), "a torch.Generator"),
        (Blocks((torch.zeros(2), torch.zeros(2))), "an iterator of (float32 (2,), float32 (2,))"),
        ({1, 2}, "a set"),
    ],
)
def test_describe(value: object, text: str) -> None:
    assert describe(value) == text


def test_describe_ends_for_deep_tuples() -> None:
    deep: tuple[object, ...] = ()
    for _ in range(3000):
        deep = (deep, deep)
    assert len(describe(deep)) < 500


def test_a_record_with_tensor_like_fields_is_no_tensor() -> None:
    record = make_dataclass("Sly", ["dtype", "shape"])(1, 5)
    assert describe(record) == "a Sly"
    assert kind(record) == "a Sly"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (torch.zeros(1), "a tensor"),
        (Ghost("torch.float32", (), "cpu"), "a tensor"),
        ([], "a list"),
        (1, "an int"),
        (Opaque("ndarray", "[1]"), "a ndarray"),
    ],
)
def test_kind(value: object, text: str) -> None:
    assert kind(value) == text


def test_spoken() -> None:
    call = Call((torch.zeros(2, 3), 4, [1]), {"base": 10.0}, under=("no_grad", "count"), on="meta")
    text = "f(x: float32 (2, 3), 4, …: a list of 1, base=10.0) under no_grad on the meta device"
    assert spoken(call, "f", ["x", "n"]) == text


def test_numbers_and_shapes() -> None:
    assert [number(v) for v in (1, True, 0.1234567, float("inf"), 1 + 2j)] == ["1", "True", "0.123457", "inf", "1+2j"]
    assert shape(torch.zeros(2, 1).shape) == "(2, 1)"
    assert shape(()) == "()"
