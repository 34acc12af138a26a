"""The whole track: every problem accepts what is right, rejects what is wrong, and names the mistake."""

import pytest

from kata import track
from kata.verify import verify

ROOT = track.default_root()
NUMBERS = sorted(track.numbers(ROOT))
QUICK, LONG = 3, 200

pytestmark = pytest.mark.filterwarnings("ignore")  # those of answers are theirs: in a child they only print


def unproven(number: int, seeds: int, files: bool) -> list[str]:
    """What does not hold, a line each."""
    rows = list(verify(track.grader(track.find(ROOT, str(number))), seeds, files))
    assert len(rows) > 10
    return [f"{row.subject}: {row.outcome} {row.detail}".rstrip() for row in rows if not row.ok]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_claim_of_a_problem_holds(number: int) -> None:
    assert not (left := unproven(number, QUICK, files=False)), "\n" + "\n".join(left)


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_every_learners_file_is_judged_rightly_and_named(number: int) -> None:
    assert not (left := unproven(number, QUICK, files=True)), "\n" + "\n".join(left)


@pytest.mark.by_hand
@pytest.mark.parametrize("number", NUMBERS)
def test_for_many_seeds_and_with_every_learners_file(number: int) -> None:
    assert not (left := unproven(number, LONG, files=True)), "\n" + "\n".join(left)


@pytest.mark.parametrize("number", NUMBERS)
def test_the_three_files_say_what_a_learner_must_know(number: int) -> None:
    problem = track.find(ROOT, str(number))
    assert all(before < number for before in problem.after)
    assert problem.title and problem.statement and problem.section and problem.level in range(1, 6)
    assert problem.question.name == problem.answer.name == problem.grader.name


def test_numbers_and_slugs_are_unique() -> None:
    stubs = [stub.stem.split("_", 1) for stub in (ROOT / "problems").glob("[0-9]*_*.py")]
    assert len(stubs) == len({int(number) for number, _ in stubs}) == len({slug for _, slug in stubs})
