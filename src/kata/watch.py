"""Grades again on every save: one process that imports torch, a judge that stays warm, and keys for what comes next."""

import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import FrameType
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from kata import answers, grading, hints, standing, track, watch_keys, workspace
from kata.answers import Worked
from kata.errors import KataError, OwnFault
from kata.fault import saved
from kata.grading import Task
from kata.hints import Step
from kata.model import Finding, Job, Problem, Report
from kata.standing import Standing
from kata.typed import typed
from kata.watch_files import Saves, settled
from kata.zygote.events import Begun, Done, Found
from kata.zygote.launch import Engine


class Saved(Struct, frozen=True):
    """A file has a new content."""

    name: str


class Key(Struct, frozen=True):
    """A key was pressed."""

    character: str


class Told(Struct, frozen=True):
    """What a run says: an event, what went wrong, or nothing more."""

    run: int
    what: Begun | Found | Done | Exception | None


class Screen(Protocol):
    """What shows a watch."""

    def begin(self, problem: Problem, path: str) -> None:
        """A file is about to be judged."""

    def begun(self) -> None:
        """The first check is about to run."""

    def found(self, finding: Finding) -> None:
        """One check is done."""

    def done(self, report: Report) -> None:
        """A report is whole."""

    def keys(self, report: Report | None, following: Standing | None) -> None:
        """Nothing is under way: says which keys there are."""

    def note(self, text: str) -> None:
        """A sentence."""

    def statement(self, problem: Problem) -> None:
        """A problem's statement."""

    def hint(self, problem: Problem, step: Step | None, open_: bool) -> None:
        """A hint; whether the worked answer may be seen."""

    def solution(self, problem: Problem, worked: Worked) -> None:
        """A worked answer."""


class Watch:
    """One watch: what is under way, and what was found last."""

    def __init__(self, root: Path, problem: Problem, screen: Screen, seed: int) -> None:
        self._root, self._problem, self._screen, self._seed = root, problem, screen, seed
        self._folder = workspace.locate(problem, root).parent
        self._queue: SimpleQueue[Saved | Key | Told] = SimpleQueue()
        self._engine = Engine()
        self._run, self._silent, self._warm = 0, False, False
        self._task: Task | None = None  # what is under way
        self._report: Report | None = None
        self._seen: dict[int, bytes] = {}  # what was judged last, by problem
        self._held = ""  # keys that wait for the end of a run

    def follow(self) -> int:
        """Grades, and grades again on every save, until a key or Ctrl-C ends it."""
        names = [stub.name for stub in track.numbers(self._root).values()]
        with ExitStack() as stack:
            stack.callback(self._engine.close)
            stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, _stopped))
            stack.enter_context(watch_keys.read(lambda character: self._queue.put(Key(character))))
            stack.callback(Saves(self._folder, names, lambda name: self._queue.put(Saved(name))).close)
            self._grade()
            while self._handle(self._queue.get()):
                pass
        return 0

    def _handle(self, message: Saved | Key | Told) -> bool:
        """Deals with one message; False ends the watch."""
        match message:
            case Saved(name):
                self._on_save(name)
            case Key("q"):
                return False
            case Key(character):
                self._press(character)
            case Told(run, what) if run == self._run:
                self._on_word(what)
        return True

    # ── Runs ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _on_save(self, name: str) -> None:
        content = settled(self._folder / name)
        number = int(name.split("_")[0])
        if content is None:
            self._screen.note(f"{name} is not there any more; waiting for it.")
        elif content != self._seen.get(number):
            if number != self._problem.number:
                self._problem = track.find(self._root, str(number))
            self._grade()

    def _grade(self) -> None:
        """Judges the current file, whatever was under way."""
        problem, path = self._problem, self._folder / self._problem.question.name
        submission = workspace.submission(problem, str(path), self._root)
        self._seen[problem.number] = submission.source
        self._held, self._report = "", None
        self._screen.begin(problem, submission.path)
        self._start(Task(problem, Job(str(self._root), problem.number, submission, self._seed, warm=self._warm)))

    def _start(self, task: Task, silent: bool = False) -> None:
        if self._task is not None:
            self._engine.renew()
        self._run, self._task, self._silent = self._run + 1, task, silent
        events = self._engine.grade(task.job)  # bound to the judge of this moment
        run, put = self._run, self._queue.put

        def judge() -> None:
            last: Exception | None = None
            try:
                for event in events:
                    put(Told(run, event))
            except Exception as raised:
                last = raised
            put(Told(run, last))

        Thread(target=judge, name="kata judge", daemon=True).start()

    def _on_word(self, what: Begun | Found | Done | Exception | None) -> None:
        match what:
            case Begun() if not self._silent:
                self._screen.begun()
            case Found(finding) if not self._silent:
                self._screen.found(finding)
            case Done(report) if not self._silent:
                self._on_report(report)
            case Exception():
                self._on_trouble(what)
            case None:
                self._on_end()

    def _on_report(self, report: Report) -> None:
        assert self._task is not None
        self._report = report
        self._screen.done(report)
        grading.record(self._task, report)

    def _on_trouble(self, trouble: Exception) -> None:
        """Says what went wrong and begins anew; what no new beginning mends ends the watch."""
        if isinstance(trouble, KataError):
            raise trouble
        self._screen.note(saved(trouble if isinstance(trouble, OwnFault) else OwnFault(repr(trouble))))
        self._engine.close()
        self._engine, self._task, self._warm = Engine(), None, False
        self._keys()

    def _on_end(self) -> None:
        task, was_silent, self._task = self._task, self._silent, None
        if not was_silent:
            self._keys()
            for character in self._held:
                self._press(character)
        if not self._warm and task is not None and self._task is None:
            self._warm_up(task)

    def _warm_up(self, task: Task) -> None:
        """Between two saves: a judge that has everything imported, and has seen this problem once."""
        self._engine.warm()
        self._engine.renew()
        self._warm = True
        self._start(replace(task, job=replace(task.job, warm=True)), silent=True)

    # ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _press(self, character: str) -> None:
        if self._task is not None and not self._silent and character in "hsa":
            self._held += character
            return
        keys: dict[str, Callable[[], None]] = {
            "h": self._hint,
            "s": self._statement,
            "a": self._answer,
            "n": self._next,
            "r": self._grade,
        }
        if character in keys:
            try:
                keys[character]()
            except KataError as wrong:
                self._screen.note(str(wrong))
            if self._task is None or self._silent:
                self._keys()

    def _hint(self) -> None:
        home = workspace.needed(self._root)
        step = hints.another(home, self._problem)
        self._screen.hint(self._problem, step, answers.is_open(home, self._problem))

    def _statement(self) -> None:
        self._screen.statement(self._problem)

    def _answer(self) -> None:
        worked = answers.opened(workspace.needed(self._root), self._problem, give_up=False)
        self._screen.solution(self._problem, worked)

    def _next(self) -> None:
        following = self._following()
        if following is None:
            self._screen.note("Every problem is passed.")
            return
        self._problem = track.find(self._root, str(following.number))
        self._grade()

    def _following(self) -> Standing | None:
        """What `kata next` would say; where an open problem is left, the one after it."""
        every, number = standing.standings(self._root), self._problem.number
        open_ = any(s.number == number and not standing.done(s) for s in every)
        return standing.following(every, number if open_ else None)

    def _keys(self) -> None:
        passed = self._report is not None and self._report.passed
        self._screen.keys(self._report, self._following() if passed else None)


def _stopped(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def begin(root: Path, word: str | None) -> Problem:
    """The problem to begin with: the one that was named, else the next one."""
    if word is not None:
        return track.find(root, word)
    following = standing.following(standing.standings(root))
    if following is None:
        raise KataError(f"Every problem is passed. Say which one to watch: `{typed(root, 'watch NUMBER')}`")
    return track.find(root, str(following.number))
