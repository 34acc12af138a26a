"""The whole track: every problem accepts what is right, rejects what is wrong, and names the mistake."""

import pytest

from kata import track
from kata.verify import verify

ROOT = track.default_root()
NUMBERS = sorted(track.numbers(ROOT))
QUICK, LONG = 3, 200


def unproven(number: int, seeds: int) -> list[str]:
    """What does not hold, a line each."""
    rows = list(verify(track.grader(track.find(ROOT, str(number))), seeds))
    assert len(rows) > 10
    return [f"{row.subject}: {row.outcome} {row.detail}".rstrip() for row in rows if not row.ok]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_claim_of_a_problem_holds(number: int) -> None:
    assert not (left := unproven(number, QUICK)), "\n" + "\n".join(left)


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_right_answers_pass_for_many_seeds(number: int) -> None:
    assert not (left := unproven(number, LONG)), "\n" + "\n".join(left)


@pytest.mark.parametrize("number", NUMBERS)
def test_prerequisites_come_before(number: int) -> None:
    problem = track.find(ROOT, str(number))
    assert all(before < number for before in problem.after)
    assert problem.title and problem.statement and problem.section and problem.level in (1, 2, 3)
    assert problem.question.name == problem.answer.name == problem.grader.name


def test_numbers_and_slugs_are_unique() -> None:
    stubs = list((ROOT / "problems").glob("[0-9]*_*.py"))
    assert len(stubs) == len(NUMBERS) == len({stub.stem.split("_", 1)[1] for stub in stubs})
