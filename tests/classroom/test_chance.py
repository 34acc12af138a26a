"""A mark does not depend on the seed: what is wrong fails the same checks under every one."""

from pathlib import Path

import pytest
import torch

from kata import track
from kata.inline import Inline
from kata.judge import Judge
from kata.model import Grader, Problem
from kata.report import worth
from kata.zygote.source import Source, compiled, load

ROOT = Path(__file__).resolve().parents[2]
SEEDS = [seed * 7919 + 1 for seed in range(6)]


def points(problem: Problem, grader: Grader, file: Path, seed: int) -> float:
    """The points of a learner's file under a seed."""
    names = track.parameters(problem)
    source = Source(file.read_bytes(), file.name, problem.functions, names)
    code = compiled(source)
    callee = Inline(lambda: load(source, code), file.name)
    judge = Judge(grader, seed, names)
    checks = [check for check in grader.checks if check.tier == "required"]
    return sum(finding.points for finding in worth(judge.trial(check, callee).finding for check in checks))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Converting a tensor with requires_grad")
@pytest.mark.parametrize("number", ["4", "43", "57"])
def test_wrong_answers_have_the_same_points_under_every_seed(number: str) -> None:
    """The problems of examples/classroom that are judged fast, with every wrong answer that we have as a file."""
    torch.set_num_threads(1)
    problem = track.find(ROOT, number)
    grader = track.grader(problem)
    files = sorted((ROOT / "tests" / "learners" / problem.name / "wrong").glob("*.py"))
    found = {file.stem: {points(problem, grader, file, seed) for seed in SEEDS} for file in files}
    assert len(files) > 8 and {name: marks for name, marks in found.items() if len(marks) > 1} == {}
