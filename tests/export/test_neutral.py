"""Foreign text in a table or file name can do nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.export.neutral import FORMULA, cell, file_name, file_names

FORMULAS = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "|cmd", "%x", "\t=1", "  =1", "＝1", "\n=1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_text(text: str) -> None:
    assert cell(text).startswith("'")


@given(st.text())
def test_no_cell_is_a_formula_or_holds_what_can_t_be_seen(text: str) -> None:
    told = cell(text)
    assert not told.lstrip(" ").startswith(FORMULA)
    assert not any(c in told for c in "\x00\x1b\x7f\x85\u202e\u2066\u200b\ufeff")


@given(st.text())
def test_a_file_name_leads_nowhere(text: str) -> None:
    name = file_name(text)
    assert name and "/" not in name and "\\" not in name and not name.startswith(".") and len(name) <= 100
    assert name.isascii() and file_name(name) == name


@given(st.sets(st.text("ab@_+.A", min_size=1)))
def test_no_two_share_a_file(ids: set[str]) -> None:
    names = file_names(ids)
    assert set(names) == ids and len({name.lower() for name in names.values()}) == len(ids)
    assert all(file_name(name) == name for name in names.values())


def test_a_name_that_nobody_shares_stays_as_it_is() -> None:
    names = file_names(["ann@x", "ann_x", "1002"])
    assert names["1002"] == "1002" and sorted(name[:6] for name in names.values()) == ["1002", "ann_x-", "ann_x-"]
