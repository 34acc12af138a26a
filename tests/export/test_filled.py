"""What is said of a platform's own file beside the marks that are filled in."""

import pytest

from kata.export import canvas, moodle
from kata.export.filled import Filled, scale
from tests.export import test_canvas, test_moodle


def test_each_platform_says_what_it_counts_out_of() -> None:
    filled: list[Filled] = [
        canvas.fill(test_canvas.TEMPLATE, {}, "29 RoPE", test_canvas.find),
        moodle.fill(test_moodle.TEMPLATE, {}, "", test_moodle.find),
        canvas.fill(b"Student,ID,Section,RoPE (1)\nA,1,B,\n", {}, "RoPE", test_canvas.find),
    ]
    assert [each.maximum for each in filled] == ["5", "5.00", ""]


@pytest.mark.parametrize("maximum", ["", "10", "10.00", "10,00", "10.5", "good/bad", "(read only)"])
def test_a_column_on_the_same_scale_needs_no_word(maximum: str) -> None:
    assert scale(maximum, 10.0, 0.5) == ""


def test_a_column_on_another_scale_is_told() -> None:
    assert scale("100.00", 10.0, 0.5) == "the column is out of 100.00, the marks are out of 10"
