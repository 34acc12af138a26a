"""How a report ends: passed or not, or why nothing was judged; and what to type next."""

import shlex
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kata.errors import KataError
from kata.model import Problem, Report
from kata.screen.console import styled
from kata.screen.formulas import readable
from kata.screen.steps import Steps
from kata.standing import Standing
from kata.typed import typed
from kata.workspace import locate

TITLES = {
    "missing_file": "There is no such file",
    "unreadable": "The file can't be read",
    "too_large": "The file is too large",
    "not_python": "This is not Python",
    "syntax": "Python can't parse the file",
    "import": "The file raised an error when it was run",
    "missing_function": "The function is missing",
    "signature": "The function can't be called as asked",
    "ours": "Our own fault",
}


def again(report: Report, problem: Problem) -> str:
    """What judges once more: a command, or, in the learner's own kernel, the function that was called there."""
    if report.sandbox == "inline":
        return f"check({problem.number}, …)"
    file = "" if _in_place(report, problem) else f" {shlex.quote(report.submission.path)}"
    seed = f" --seed {report.seed}" if isinstance(report.seed, int) and report.seed else ""
    return typed(problem, f"grade {problem.number}{file}{seed}")


def _in_place(report: Report, problem: Problem) -> bool:
    """Whether the file that was judged is the one that `kata grade` finds by itself."""
    try:
        return Path(report.submission.path).resolve() == locate(problem, problem.question.parents[1]).resolve()
    except (KataError, OSError, ValueError, RuntimeError):
        return False


def verdict(report: Report, problem: Problem, watched: bool) -> RenderableType:
    """Passed or not, in numbers; what to type next, unless a watch judges every save."""
    craft = f" · craft {report.craft}/{report.max_craft}" if report.max_craft else ""
    facts = (
        f" · {report.score:g}/{report.max_score:g} points{craft} · {report.seconds:.1f} s · sandbox: {report.sandbox}"
    )
    if report.passed:
        complete = report.craft == report.max_craft
        praise = "Right, and well made." if complete else "Right. The craft lines above say what would make it better."
        return Group(_row("✔", "passed", "bold green", facts), Padding(Text(praise), (0, 0, 0, 4)))
    if any(f.verdict == "skipped" for f in report.findings):
        return Group(
            _row("–", "not judged as a whole", "bold", facts), Steps((again(report, problem), "runs all checks"))
        )
    told = _row("✘", "not passed yet", "bold red", facts)
    if watched:
        return told
    steps = [(again(report, problem), "once you have changed it")]
    if report.sandbox != "inline":
        steps.append((typed(problem, f"hint {problem.number}"), "a step of help"))
    return Group(told, Steps(*steps))


def _row(mark: str, words: str, style: str, facts: str) -> RenderableType:
    """A mark and a line that, where it is too long, goes on under its own beginning."""
    row = Table.grid(padding=(0, 1))
    row.add_row(Text(f"  {mark}", style), styled((words, style), facts))
    return row


def after(console: Console, problem: Problem, report: Report, recorded: bool, following: Standing | None) -> None:
    """What a pass opens; and that a file outside of every workspace leaves no trace."""
    if not recorded:
        console.print(styled(("    Not recorded, since the file is in no workspace's problems/.", "dim")))
    elif report.passed:
        n = problem.number
        steps = [(f"solution {n}", "a worked answer"), (f"diff {n}", "how yours differs"), (f"quiz {n}", "questions")]
        if following is not None:
            steps.append((f"watch {following.number}", f"next: {following.title}"))
        console.print(Steps(*((typed(problem, words), what) for words, what in steps)), crop=False)


def error(report: Report, problem: Problem, watched: bool = False) -> RenderableType:
    """A submission that could not be judged at all."""
    assert report.error is not None
    if report.error.kind == "not_written":
        return not_written(report, problem, watched)
    where = f", line {report.error.line}" if report.error.line else ""
    message, _, quoted = report.error.message.partition("\n")
    return Group(
        styled(("  ✘ ", "red"), (f"{TITLES[report.error.kind]}{where}", "bold")),
        Padding(Text(message), (0, 0, 0, 4)),
        *(Text(f"      {line}", no_wrap=True, overflow="ellipsis") for line in quoted.splitlines()),
        Text(),
        *_mended(report, problem, watched),
    )


def _mended(report: Report, problem: Problem, watched: bool) -> list[RenderableType]:
    assert report.error is not None
    if report.error.kind == "ours":
        once_more = "save the file, or press r." if watched else ""
        told = styled(f"    Nothing was judged, and nothing counts against you. Once more: {once_more}".rstrip())
        return [told] if watched else [told, Steps((again(report, problem), ""))]
    steps = [] if watched else [(again(report, problem), "once you have put it right")]
    if report.error.kind == "missing_function" and _in_place(report, problem):
        anew = typed(problem, f"reset {problem.number}")
        steps.append((anew, "puts the stub back; your file is kept beside it"))
    told = styled("    Nothing was judged." + " Put it right and save it." * watched)
    return [told, *([Steps(*steps)] if steps else [])]


def not_written(report: Report, problem: Problem, watched: bool = False) -> RenderableType:
    """The untouched stub: what it is about, and what to do next."""
    opening = problem.statement.split("\n\n")[0]
    path, show = report.submission.path, typed(problem, f"show {problem.number}")
    steps = [(show, "the whole statement")]
    steps += [] if watched else [(again(report, problem), "what is right, what is wrong, and why")]
    saved = ", and save it" if watched else ""
    return Group(
        styled(("  ○ not written yet", "bold")),
        Text(),
        Padding(Markdown(readable(opening)), (0, 4, 0, 4)),
        Text(),
        Padding(Text(f"{len(report.findings)} checks are waiting. Write your answer in {path}{saved}."), (0, 0, 0, 4)),
        Steps(*steps),
    )
