"""From the words of `kata grade` to reports: find the problems and files, judge them in one go, show and write."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from kata import progress, report, standing, track, workspace
from kata.errors import KataError, OwnFault
from kata.fault import saved
from kata.model import Error, Finding, Job, Problem, Report, Submission
from kata.standing import Standing
from kata.typed import typed
from kata.zygote import levels
from kata.zygote.events import Begun, Done, Found
from kata.zygote.launch import Engine, can_fork

PASSED, NOT_PASSED, USAGE, OURS = 0, 1, 2, 3


class Task(Struct, frozen=True):
    """A problem and the job that judges a file for it."""

    problem: Problem
    job: Job


class Screen(Protocol):
    """What shows findings as they come."""

    def begin(self, task: Task) -> None:
        """A submission is about to be judged."""

    def begun(self) -> None:
        """The first check is about to run."""

    def found(self, finding: Finding) -> None:
        """One check is done."""

    def done(self, report: Report) -> None:
        """A submission is done."""

    def after(self, task: Task, report: Report, recorded: bool, following: Standing | None) -> None:
        """It is recorded, or lies in no workspace; after a pass, what is next."""

    def close(self, tasks: Sequence[Task], reports: Sequence[Report]) -> None:
        """Nothing more will be judged."""


def tasks(root: Path, words: tuple[str, ...], every: bool, only: tuple[str, ...], seed: int) -> list[Task]:
    """What the words of the command mean: problems, and for a single one perhaps a file."""
    if every:
        if words:
            raise KataError(
                f"--all grades your own file of every problem. Leave out {' '.join(words)}, or leave out --all."
            )
        return [Task(p, Job(str(root), p.number, _own(p, root), seed, only)) for p in track.problems(root)]
    names, file = split(words)
    if not names:
        one, all, known = typed(root, "grade 29"), typed(root, "grade --all"), typed(root, "list")
        raise KataError(f"Say which problem: `{one}`, or `{all}`. `{known}` shows them.")
    if file and len(names) > 1:
        raise KataError(f"One file answers one problem, but {file} was given for {len(names)}.")
    found = [track.find(root, name) for name in names]
    return [Task(p, Job(str(root), p.number, workspace.submission(p, file, root), seed, only)) for p in found]


def remark(root: Path, tasks: list[Task]) -> str:
    """That answers in kata's own repository are judged, where someone in no workspace named no others."""
    told = (workspace.remark(root, Path(task.job.submission.path)) for task in tasks)
    return next(filter(None, told), "")


def _own(problem: Problem, root: Path) -> Submission:
    """The workspace's file; one that is not there is told of in its row, and keeps no other from being graded."""
    home = workspace.around(root)
    return workspace.submission(problem, str(home.file(problem)) if home else None, root)


def split(words: tuple[str, ...]) -> tuple[list[str], str | None]:
    """The problems and the file among the words; a file alone names its problem by the number it begins with."""
    files = [word for word in words if _is_file(word)]
    names = [word for word in words if word not in files]
    if len(files) > 1:
        raise KataError(f"Only one file at a time, not {', '.join(files)}.")
    if files and not names:
        stem = Path(files[0]).stem
        number = stem.split("_")[0]
        names = [number if number.isdecimal() else stem]
    return names, files[0] if files else None


def _is_file(word: str) -> bool:
    if Path(word).suffix in (".py", ".ipynb") or "/" in word:
        return True
    try:
        return not word.isdecimal() and Path(word).is_file()
    except OSError:  # too long for a file's name
        return False


def run(tasks: list[Task], as_json: bool, every: bool = False) -> list[Report]:
    """Judges every task in one process that imports torch, showing findings as they come."""
    reports: list[Report] = []
    with Engine() as engine:
        screen = _screen(tasks, as_json, every)  # while torch is being imported
        try:
            reports += _reports(engine, tasks, screen)
        finally:
            screen.close(tasks, reports)
    if as_json:
        print_json(reports, single=len(tasks) == 1 and not every)
    return reports


def _reports(engine: Engine, tasks: list[Task], screen: Screen) -> Iterator[Report]:
    for task in tasks:
        refused = task.job.submission.refused
        if refused is not None and refused.kind == "missing_file" and len(tasks) == 1 and not screen_is_silent(screen):
            raise KataError(f"{refused.message}. Name your answer's file, or go to its folder.")
        screen.begin(task)
        told = _judged(engine, task, screen)
        screen.done(told)
        recorded = record(task, told)
        if len(tasks) == 1 and not screen_is_silent(screen):
            screen.after(task, told, recorded, _following(task) if told.passed and recorded else None)
        yield told


def _following(task: Task) -> Standing | None:
    return standing.following(standing.standings(Path(task.job.track)))


def record(task: Task, told: Report) -> bool:
    """Keeps a try in the workspace that the file lies in, and says so where that can't be done.

    False for a try in no workspace's file; what is no try, or was complained about, needs no more words.
    """
    if not progress.counts(told):
        return True
    try:
        return progress.noted(Path(task.job.track), task.problem, task.job.submission.path, told)
    except KataError as wrong:
        from kata.screen.console import say_error

        say_error(f"Not recorded: {wrong}")
        return True


def _judged(engine: Engine, task: Task, screen: Screen) -> Report:
    try:
        return _stream(engine, task, screen)
    except OwnFault:
        try:
            with Engine() as another:  # a failed start is retried once
                return _stream(another, task, Silent())
        except OwnFault as fault:
            return _ours(task, fault)


def _stream(engine: Engine, task: Task, screen: Screen) -> Report:
    for event in engine.grade(task.job):
        if isinstance(event, Begun):
            screen.begun()
        elif isinstance(event, Found):
            screen.found(event.finding)
        elif isinstance(event, Done):
            return event.report
    raise OwnFault("the judge ended without a report")


def _ours(task: Task, fault: OwnFault) -> Report:
    error = Error("ours", saved(fault))
    return report.build(
        task.problem,
        task.job.submission,
        (),
        (),
        error,
        torch="",
        sandbox=levels.standing(can_fork()).level,
        seed=task.job.seed,
        seconds=0.0,
    )


class Silent:
    """Shows nothing: the JSON is printed once everything is known."""

    def begin(self, task: Task) -> None: ...

    def begun(self) -> None: ...

    def found(self, finding: Finding) -> None: ...

    def done(self, report: Report) -> None: ...

    def after(self, task: Task, report: Report, recorded: bool, following: Standing | None) -> None: ...

    def close(self, tasks: Sequence[Task], reports: Sequence[Report]) -> None: ...


def screen_is_silent(screen: Screen) -> bool:
    """Whether the reports themselves are what is printed."""
    return isinstance(screen, Silent)


def _screen(tasks: list[Task], as_json: bool, every: bool) -> Screen:
    if as_json:
        return Silent()
    from kata.screen.grading import Many, One  # rich is imported while the zygote imports torch

    return One() if len(tasks) == 1 and not every else Many(tasks)


def print_json(reports: list[Report], single: bool) -> None:
    """One object for one problem, an array for several."""
    text = msgspec.json.format(msgspec.json.encode(reports[0] if single else reports), indent=2)
    sys.stdout.write(text.decode() + "\n")


def exit_code(reports: list[Report]) -> int:
    """0 when everything passed, 3 for a fault of ours, 2 for a file that is not there, else 1."""
    kinds = {told.error.kind for told in reports if told.error is not None}
    if "ours" in kinds:
        return OURS
    if "missing_file" in kinds:
        return USAGE
    return PASSED if all(told.passed for told in reports) else NOT_PASSED
