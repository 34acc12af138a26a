"""Foreign text in a table or file name can do nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.export.neutral import FORMULA, cell, file_name

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
