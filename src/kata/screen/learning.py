"""Hints, worked answers, the difference to one's own, and quizzes."""

import string
from collections.abc import Iterable

from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.prompt import Prompt
from rich.syntax import Syntax
from rich.text import Text

from kata.answers import Worked
from kata.errors import KataError
from kata.hints import Step
from kata.model import Choice, Problem, Question
from kata.screen.console import styled
from kata.screen.formulas import readable
from kata.screen.steps import Steps
from kata.typed import typed

GIVEN_UP = "the worked answer, recorded as such"
SIGNS = {"+": "green", "-": "red", "@": "cyan"}


def hint(console: Console, problem: Problem, step: Step | None, open_: bool) -> None:
    """One hint, or that there is none left; the worked answer is `open_` after a pass, or once it was seen."""
    n = problem.number
    worked = (f"solution {n}", "the worked answer") if open_ else (f"solution {n} --give-up", GIVEN_UP)
    if step is None:
        console.print(styled(f"There is no further hint for problem {n}."))
        _more(console, problem, (f"hint {n} --again", "all that were shown"), worked)
        return
    about = ", about what your last try showed" if step.answers else ""
    console.print(styled((f"Hint {step.position}", "bold"), (about, "dim")))
    console.print(Padding(Markdown(readable(step.text)), (0, 2)))
    if step.left:
        _more(console, problem, (f"hint {n}", f"{step.left} more"))
    else:
        console.print(styled(("  That was the last one.", "dim")))
        _more(console, problem, worked)


def hints(console: Console, problem: Problem, steps: list[Step]) -> None:
    """Every hint that was shown."""
    for step in steps:
        console.print(Padding(Markdown(f"{step.position}. {readable(step.text)}"), (0, 2)))
    if not steps:
        console.print("No hint was shown yet.")
        _more(console, problem, (f"hint {problem.number}", "a step of help"))


def _more(console: Console, problem: Problem, *steps: tuple[str, str]) -> None:
    console.print(Steps(*((typed(problem, words), what) for words, what in steps), indent=2), crop=False)


def solution(console: Console, problem: Problem, worked: Worked) -> None:
    """A worked answer: the way, then the code."""
    console.print(styled((f"{problem.number} · {problem.title}: a worked answer", "bold")))
    console.print(Markdown(readable(worked.text)))
    console.print()
    console.print(Syntax(worked.code, "python", theme="ansi_dark", background_color="default"), soft_wrap=True)
    n = problem.number
    _more(console, problem, (f"diff {n}", "how yours differs"), (f"quiz {n}", "questions about it"))


def difference(console: Console, lines: Iterable[str]) -> None:
    """A unified diff."""
    shown = [Text(line, SIGNS.get(line[:1], "")) for line in lines]
    said = shown or [styled("Your code is the worked answer, line for line.")]
    console.print(*said, sep="\n", soft_wrap=True)  # a broken line would be no code


class Quiz:
    """Asks the questions of a quiz, each choice explained once one is taken."""

    def __init__(self, console: Console, problem: Problem, seed: int) -> None:
        self._console, self._problem, self._seed = console, problem, seed
        console.print(styled((f"{problem.number} · {problem.title}: quiz", "bold"), (f"   seed {seed}", "dim")))

    def ask(self, position: int, of: int, question: Question) -> Choice:
        """Shows a question, waits for a letter, and explains."""
        letters = string.ascii_lowercase[: len(question.choices)]
        self._console.print()
        self._console.print(styled((f"{position}/{of}  ", "dim"), (readable(question.text), "bold")))
        for letter, choice in zip(letters, question.choices, strict=True):
            self._console.print(styled((f"  {letter}  ", "cyan"), readable(choice.text)))
        taken = question.choices[letters.index(self._letter(letters))]
        self._explain(taken, question)
        return taken

    def _letter(self, letters: str) -> str:
        try:
            return Prompt.ask("Your answer", console=self._console, choices=[*letters], case_sensitive=False)
        except EOFError:
            self._console.print()
            raise KataError("The answers ended before the questions; no score was kept.") from None

    def _explain(self, taken: Choice, question: Question) -> None:
        mark = ("  ✔ ", "green") if taken.right else ("  ✘ ", "red")
        self._console.print(styled(mark, readable(taken.why)))
        for right in (c for c in question.choices if c.right and not taken.right):
            self._console.print(styled(("  → ", "green"), (readable(right.text), "bold"), f": {readable(right.why)}"))

    def done(self, right: int, of: int, best: str) -> None:
        """The score."""
        self._console.print()
        self._console.print(styled((f"{right} of {of} right", "bold"), f"   {best}"))
