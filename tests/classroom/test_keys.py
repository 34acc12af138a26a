"""A result belongs to one source on one basis, and seeds tell nothing about the secret."""

from msgspec.structs import replace

from kata.classroom.keys import Basis, derived, differences
from kata.model import Limits

BASIS = Basis(7, 5, 3, Limits(), "0", "2", "strict")
OTHERS = {"problem": 8, "version": 6, "seed": 4, "limits": Limits(1.0), "kata": "1", "torch": "3", "sandbox": "process"}


def test_whatever_changes_changes_the_key() -> None:
    keys = {BASIS.key("a"), BASIS.key("b"), *(replace(BASIS, **{n: v}).key("a") for n, v in OTHERS.items())}
    assert len(keys) == 2 + len(OTHERS)
    assert BASIS.key("a") == replace(BASIS).key("a")


def test_changes_in_words_without_the_seed() -> None:
    told = differences(BASIS, replace(BASIS, **OTHERS))
    assert told == "problem version 5 → 6, kata 0 → 1, torch 2 → 3, sandbox strict → process, limits, seed"


def test_seeds_differ_by_class_assignment_and_problem() -> None:
    seeds = {derived(s * 32, a, p) for s in "0f" for a in ("a", "b") for p in (1, 2)}
    assert len(seeds) == 8 and all(0 <= seed < 2**63 for seed in seeds)
