"""A plugin that is only there when asked for: `pytest -p kata.pytest problems/` makes every check of an answer a test.

A learner's file is never imported by pytest: it is judged in kata's sandbox, and its report tells of every check.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kata import report, texts, track, workspace
from kata.errors import KataError, OwnFault
from kata.model import Finding, Job, Problem, Report
from kata.screen import pages
from kata.zygote.launch import Engine

ENGINE = pytest.StashKey[Engine]()


class NotPassed(Exception):
    """A check that did not pass; its text is the report's."""


class Answer(pytest.File):
    """A learner's file, whose tests are the checks of its problem."""

    root: Path
    problem: Problem
    _report: Report | None = None

    def collect(self) -> Iterable[pytest.Item]:
        """One test a check."""
        promises = texts.checks(self.problem)
        if self.problem.forbids:
            promises[report.OWN_WORK] = "The answer is built from simpler parts than what it is to build."
        for name, promise in promises.items():
            yield Promise.from_parent(self, name=name, promise=promise)

    def judged(self) -> Report:
        """The report of this file, made at the first of its tests that runs; it holds all that were selected."""
        if self._report is None:
            wanted = tuple(item.name for item in self.session.items if item.parent is self)
            whole = report.OWN_WORK in wanted or len(wanted) == len(texts.checks(self.problem))
            submission = workspace.submission(self.problem, str(self.path), self.root)
            only = () if whole else wanted
            self._report = _engine(self.config).report(Job(str(self.root), self.problem.number, submission, only=only))
        return self._report


class Promise(pytest.Item):
    """One check of an answer."""

    def __init__(self, *, promise: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.promise = promise

    def runtest(self) -> None:
        """Passes when the check passed; craft that is missing is expected to fail, a stub is skipped."""
        told = self._answer.judged()
        if told.error is not None and told.error.kind == "not_written":
            pytest.skip(f"not written yet: kata show {self._answer.problem.number}")
        found = self._finding(told)
        if found.output:
            self.add_report_section("call", "stdout", found.output)
        if told.error is None and found.verdict == "passed":
            return
        if found.tier == "craft" and told.error is None:
            pytest.xfail(f"craft: {found.message}")
        raise NotPassed(pages.failure(self._answer.problem, told, found))

    @property
    def _answer(self) -> Answer:
        assert isinstance(self.parent, Answer)
        return self.parent

    def _finding(self, told: Report) -> Finding:
        return next(finding for finding in told.findings if finding.check == self.name)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report's own words, without a traceback of pytest or kata."""
        if isinstance(excinfo.value, NotPassed | KataError | OwnFault):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where a click leads to, and the line that the learner reads."""
        return self.path, None, f"{self._answer.problem.number} · {self.promise}"


def _engine(config: pytest.Config) -> Engine:
    if ENGINE not in config.stash:
        config.stash[ENGINE] = Engine()
    return config.stash[ENGINE]


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    """An answer is collected by us alone, even where it was named or another plugin would import it."""
    others: list[pytest.Collector] = yield  # type: ignore[assignment]
    if file_path.suffix != ".py" or not file_path.stem.split("_")[0].isdecimal():
        return others  # type: ignore[return-value]
    root = track.find_root(None)
    stub = track.numbers(root).get(int(file_path.stem.split("_")[0]))
    if stub is None or stub.name != file_path.name:
        return others  # type: ignore[return-value]
    answer = Answer.from_parent(parent, path=file_path)
    answer.root, answer.problem = root, track.read(root, stub)
    return [answer]  # type: ignore[return-value]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the processes that graded."""
    if ENGINE in config.stash:
        config.stash[ENGINE].close()
