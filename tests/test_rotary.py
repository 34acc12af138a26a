"""Problem 29 against code that learners bring along from texts on rotary embeddings, in our own words and line by line.

The first is the usual worked answer in float32; the second has a method that no tensor has; the third is one line of
two.
"""

from pathlib import Path

import pytest

from kata import track
from kata.model import Grader
from tests.tiny import Judged

NAME = "29_rotary_positional_embeddings"
WRONG = Path(__file__).parent / "learners" / NAME / "wrong"
ALWAYS_FLOAT32 = "half_comes_back_as_float32+float64_with_float32_angles+odd_not_refused__outer_and_cat"
PROMISES = {  # what a text's answer, made in float32 throughout, does not keep, and why
    "output_dtype": "half_comes_back_as_float32",
    "bfloat16_values": "half_comes_back_as_float32",
    "far_positions_in_half": "half_comes_back_as_float32",
    "float16_values": "half_comes_back_as_float32",
    "float64_accuracy": "float64_with_float32_angles",
    "float64_after_float32": "float64_with_float32_angles",
    "odd_head_dim": "odd_not_refused",
}


@pytest.fixture(scope="module")
def grader() -> Grader:
    return track.grader(track.find(track.default_root(), "29"))


def judged(grader: Grader, stem: str, seed: int = 0) -> Judged:
    return Judged(grader, (WRONG / f"{stem}.py").read_text("utf-8"), seed)


@pytest.mark.parametrize("seed", range(3))
def test_the_answer_that_texts_print_is_right_and_gets_these_remarks_and_no_others(grader: Grader, seed: int) -> None:
    found = judged(grader, ALWAYS_FLOAT32, seed)
    required = {f.verdict for f in found.findings if f.tier == "required"}
    assert required == {"passed"}
    assert {f.check for f in found.findings if f.verdict != "passed"} == PROMISES.keys()
    assert {check: d.name for d in found.diagnoses for check in d.checks} == PROMISES
    assert len(found.named) == 3
    assert found["output_dtype"].message == "dtype float32 where bfloat16 is asked for"
    assert found["odd_head_dim"].message.startswith("raised RuntimeError where ValueError is asked for")


def test_a_method_that_no_tensor_has_is_told_with_the_function_that_exists(grader: Grader) -> None:
    found = judged(grader, "view_as_complex_method__prepared_table")
    assert not found.report().passed
    assert found["values"].message == "AttributeError: 'Tensor' object has no attribute 'view_as_complex'"
    [diagnosis] = found.diagnoses
    assert "a Tensor has no such method" in diagnosis.text
    assert "The *function* torch.view_as_complex(t) does" in diagnosis.text
    assert "(And a reshape to (…, −1, 2) pairs neighbours, which is not the layout asked for.)" in diagnosis.text


def test_the_one_line_of_many_introductions_has_a_diagnosis_of_its_own(grader: Grader) -> None:
    found = judged(grader, "only_even_members__one_line")
    assert found["shape"].message == "shape (1, 2, 5, 2) where (1, 2, 5, 4) is asked for"
    [diagnosis] = found.diagnoses
    assert diagnosis.name == "only_even_members"
    assert "the line for the odd ones is missing" in diagnosis.text and "half as wide" in diagnosis.text
    bare = judged(grader, "bare_cosine__one_line")
    assert bare.named == ["bare_cosine"] and "torch.cos(angles)" in bare.diagnoses[0].text


def test_a_default_dtype_that_is_already_the_default_is_seen_where_another_was(grader: Grader) -> None:
    found = judged(grader, "default_dtype_set_to_float32")
    assert [f.check for f in found.findings if f.verdict != "passed"] == ["other_default_dtype"]
    assert "was bfloat16, and the call left another one behind" in found["other_default_dtype"].message


def test_a_map_of_positions_and_pairs(grader: Grader) -> None:
    """Every step is a little too wide, so the error grows with the position, and slow pairs show less of it."""
    text = (WRONG / "turned_twice.py").read_text("utf-8")
    evidence = Judged(grader, text, only=("angles",))["angles"].evidence
    assert evidence["axes"] == ["position", "pair"] and evidence["shape"] == [1, 1, 300, 4]
    assert len(evidence["map"]) == 16 and {len(row) for row in evidence["map"]} == {4}
    first, last = evidence["map"][0], evidence["map"][-1]
    assert [row[0] for row in evidence["map"]] == ["█"] * 16
    assert first[3] == "░" and last[3] == "▓"
