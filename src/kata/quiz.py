"""A quiz: questions and choices shuffled by a seed, so that no order can be learnt; the best score is kept."""

import random
from collections.abc import Callable

from msgspec.structs import replace

from kata import progress, texts
from kata.errors import KataError
from kata.model import Choice, Problem, Question
from kata.workspace import Workspace

Ask = Callable[[int, int, Question], Choice]  # (which, of how many, question) → the choice that was taken


def shuffled(problem: Problem, seed: int) -> list[Question]:
    """The questions of a problem in the order of a seed, each with its choices in the order of that seed."""
    questions = list(texts.quiz(problem))
    if not questions:
        raise KataError(f"Problem {problem.number} has no quiz.")
    order = random.Random(f"{problem.slug}/{seed}")
    order.shuffle(questions)
    return [replace(q, choices=tuple(order.sample(q.choices, len(q.choices)))) for q in questions]


def take(problem: Problem, questions: list[Question], ask: Ask, home: Workspace | None) -> int:
    """Asks every question and records the score where there is a workspace; the number of right answers."""
    right = sum(ask(i, len(questions), question).right for i, question in enumerate(questions, 1))
    if home is not None:
        progress.change(home, problem, lambda entry: progress.asked(entry, right, len(questions)))
    return right


def seed_of(problem: Problem, home: Workspace | None, chosen: int | None) -> int:
    """The seed that was asked for, else another for every quiz that was taken."""
    if chosen is not None:
        return chosen
    return progress.entry(home, problem).quiz.taken if home else 0


def best(problem: Problem, home: Workspace | None) -> str:
    """The best score so far, in words."""
    if home is None:
        return "no score is kept outside a workspace"
    score = progress.entry(home, problem).quiz
    return f"best so far {score.best} of {score.of}, {score.taken} taken"
