"""`kata watch`: every way to save, hung answers, keys, endings; with a terminal and without."""

import os
import signal
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from kata.model import Job, Submission
from kata.watch_files import settled
from kata.workspace import Workspace
from kata.zygote.events import Done
from kata.zygote.launch import Engine
from tests import day
from tests.terminal import Terminal

NAME = "07_double_and_shift.py"
KEYS = "q quit"


class Plain:
    """A watch without a terminal, and the lines that it has printed."""

    def __init__(self, home: Path, root: Path) -> None:
        order: dict[str, Any] = {"cwd": home, "env": day.environment(root), "text": True, "stdin": subprocess.DEVNULL}
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self.process = subprocess.Popen([*day.KATA, "watch", "7"], **order, **pipes)
        self.text = ""
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while data := self.process.stdout.read(1):
            self.text += data

    def shows(self, words: str, times: int = 1, seconds: float = 60.0) -> None:
        """Waits until some words were printed this often."""
        until = time.monotonic() + seconds
        while self.text.count(words) < times:
            assert time.monotonic() < until and self.process.poll() is None, f"{words!r} is not in:\n{self.text}"
            time.sleep(0.01)


@pytest.fixture
def made(tmp_path: Path) -> tuple[Workspace, Path]:
    """A workspace and its track."""
    return day.made(tmp_path)


@pytest.fixture
def plain(made: tuple[Workspace, Path]) -> Iterator[tuple[Plain, Path]]:
    """A watch that has judged the stub, and the file that it watches."""
    home, root = made
    watch = Plain(home.root, root)
    try:
        watch.shows("not written yet")
        yield watch, home.root / "problems" / NAME
    finally:
        watch.process.kill()
        watch.process.wait()
        assert watch.process.stdout is not None
        watch.process.stdout.close()


def renamed(file: Path, text: str) -> None:
    """As vim and PyCharm save: a new file takes the old one's place."""
    new = file.with_name(file.name + "~")
    new.write_text(text)
    new.replace(file)


def in_place(file: Path, text: str) -> None:
    """As nano and VS Code save."""
    file.write_text(text)


def in_two_steps(file: Path, text: str) -> None:
    """Emptied, and written a moment later, the second half later still: for a while it is no Python."""
    half = text.index("(x, ") + 2
    with file.open("w") as opened:
        opened.flush()
        time.sleep(0.03)
        opened.write(text[:half])
        opened.flush()
        time.sleep(0.03)
        opened.write(text[half:])


def moved_away(file: Path, text: str) -> None:
    """As some editors make a backup: the old file gets another name, and for a moment there is none."""
    file.replace(file.with_name(file.name + ".bak"))
    time.sleep(0.03)
    file.write_text(text)


@pytest.mark.parametrize("save", [renamed, in_place, in_two_steps, moved_away])
def test_every_way_to_save_is_judged_once(plain: tuple[Plain, Path], save: Any) -> None:
    """One report a save, on the whole text; swap files, backups and saves without a change give none."""
    watch, file = plain
    save(file, day.MINUS)
    watch.shows("not passed yet")
    for other in (f".{NAME}.swp", "4913", f"{NAME}~", f"#{NAME}#", f".{NAME}.abc"):
        (file.parent / other).write_text("x")
    file.touch()
    time.sleep(0.3)
    save(file, day.RIGHT)
    watch.shows("✔ passed")
    time.sleep(0.3)
    assert watch.text.count("7 · Double and shift") == 3, watch.text
    assert "syntax" not in watch.text and "Python can't parse" not in watch.text


def test_without_a_terminal_it_prints_plain_lines(plain: tuple[Plain, Path], made: tuple[Workspace, Path]) -> None:
    """No escape, no keys; what follows a pass is said; SIGTERM ends it with the code of an interruption."""
    watch, file = plain
    in_place(file, day.RIGHT)
    watch.shows("kata solution 7    a worked answer")
    watch.shows("kata watch 8       next: Triple")
    assert "\x1b" not in watch.text and "\r" not in watch.text and KEYS not in watch.text
    watch.process.send_signal(signal.SIGTERM)
    assert watch.process.wait(timeout=20) == 130
    assert "Traceback" not in watch.text
    assert day.entry(made[0], made[1]).passed


def test_another_problem_is_followed_when_it_is_saved(plain: tuple[Plain, Path]) -> None:
    """The file that is being worked on is the one that is judged."""
    watch, file = plain
    in_place(file.with_name("08_triple.py"), day.RIGHT.replace(day.SLUG, "triple"))
    watch.shows("8 · Triple")
    watch.shows("✔ passed")


def test_a_deleted_file_is_waited_for(plain: tuple[Plain, Path]) -> None:
    """It is said, and the next save goes on as before."""
    watch, file = plain
    file.unlink()
    watch.shows("is not there any more")
    in_place(file, day.RIGHT)
    watch.shows("✔ passed")


def test_a_hung_answer_is_interrupted_by_the_next_save(plain: tuple[Plain, Path]) -> None:
    """Long before its limit of CPU time."""
    watch, file = plain
    time.sleep(3)  # the judge is being warmed up
    in_place(file, day.HUNG)
    watch.shows("7 · Double and shift", times=2)
    time.sleep(0.5)
    in_place(file, day.RIGHT)
    watch.shows("✔ passed")
    assert "took too long" not in watch.text  # as it would be after the two seconds of computing that a call may take


def test_a_lost_engine_is_replaced(plain: tuple[Plain, Path]) -> None:
    """Where the processes that judge are killed, that is said to be no one's fault but ours, and watching goes on."""
    watch, file = plain
    time.sleep(3)
    (zygote,) = children(watch.process.pid)
    os.kill(zygote, signal.SIGKILL)
    in_place(file, day.MINUS)
    watch.shows("our own fault")
    in_place(file, day.RIGHT)
    watch.shows("✔ passed")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(word) for task in tasks for word in task.read_text().split()]


def test_renewing_ends_judge_and_child(tmp_path: Path) -> None:
    """Nothing of a dropped job runs on, and its listener hears no report."""
    root = day.two_problems(tmp_path)
    with Engine() as engine:
        job = Job(str(root), 7, Submission("x.py", day.HUNG.encode()))
        events = engine.grade(job)
        next(events)
        heard: list[object] = []

        def listen() -> None:
            with pytest.raises(Exception, match="ended unexpectedly"):
                heard.extend(events)

        thread = Thread(target=listen)
        thread.start()
        zygote = engine._processes[0].pid
        while len(before := set(children(zygote))) < 2:  # judge and child
            time.sleep(0.01)
        engine.renew()
        told = day.report(engine, root, day.RIGHT)
        assert told.passed and not before & set(children(zygote))
        thread.join(timeout=20)
        assert not any(isinstance(event, Done) for event in heard)


def terminal(home: Workspace, root: Path) -> Terminal:
    """A watch in a terminal."""
    return Terminal([*day.KATA, "watch", "7"], home.root, day.environment(root))


def test_keys(made: tuple[Workspace, Path]) -> None:
    """h, s, r, n and q; what is no key does nothing; keys pressed while an answer is judged come after its report."""
    home, root = made
    with terminal(home, root) as watch:
        watch.send("xh")
        text = watch.wait(lambda text: "Hint 1" in text and KEYS in text)
        assert text.index("not written yet") < text.index("Hint 1")
        watch.send("s")
        watch.shows("Leads to   8 Triple")
        watch.send("r")
        watch.wait(lambda text: "Leads to" not in text and KEYS in text)
        watch.send("a")
        watch.shows("is not passed yet")
        watch.send("n")
        watch.wait(lambda text: text.startswith("8 · Triple") and KEYS in text)
        watch.send("q")
        assert watch.ended() == 0
        assert KEYS not in watch.text()


def test_what_runs_is_told_while_an_answer_hangs(made: tuple[Workspace, Path]) -> None:
    """Which check, for how long, what it may use; the next save ends it and leaves nothing of that line."""
    home, root = made
    with terminal(home, root) as watch:
        watch.shows(KEYS)
        in_place(home.root / "problems" / NAME, day.HUNG)
        watch.shows("check 1 of 6, keeps_the_shape: ")
        in_place(home.root / "problems" / NAME, day.RIGHT)
        text = watch.wait(lambda text: "✔ passed" in text and KEYS in text)
        assert "check 1 of 6" not in text and "next: 8 Triple" in text


def test_control_c_while_an_answer_hangs_leaves_no_line(made: tuple[Workspace, Path]) -> None:
    """`kata grade` at 60 columns: neither the live line nor the ^C that the terminal itself shows stays."""
    home, root = made
    (home.root / "problems" / NAME).write_text(day.HUNG)
    with Terminal([*day.KATA, "grade", "7"], home.root, day.environment(root), columns=60) as grade:
        grade.shows("check 1 of 6, keeps_the_shape: ")
        grade.send("\x03")
        assert grade.ended() == 130
        assert "check 1" not in grade.text() and "^" not in grade.text()


def test_control_c_leaves_the_terminal_as_it_was(made: tuple[Workspace, Path]) -> None:
    """Modes are those of before, the line of keys is gone, no traceback, no process left."""
    home, root = made
    with terminal(home, root) as watch:
        before = termios.tcgetattr(watch.process.fileno())
        watch.shows(KEYS)
        assert termios.tcgetattr(watch.process.fileno())[3] != before[3]
        started = children(watch.process.pid)
        watch.send("\x03")
        watch.wait(lambda text: not watch.process.isalive())
        assert termios.tcgetattr(watch.process.fileno()) == before
        assert watch.ended() == 130
        assert "Traceback" not in watch.text() and KEYS not in watch.text()
        assert started and not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def test_two_grades_and_a_watch_at_once_agree(plain: tuple[Plain, Path], made: tuple[Workspace, Path]) -> None:
    """Three that judge the same bytes give the same points, and the record holds one try."""
    (watch, file), (home, root) = plain, made
    in_place(file, day.MINUS)
    order: dict[str, Any] = {"cwd": home.root, "env": day.environment(root), "stdout": subprocess.PIPE, "text": True}
    grades = [subprocess.Popen([*day.KATA, "grade", "7"], **order) for _ in range(2)]
    texts = [grade.communicate(timeout=60)[0] for grade in grades]
    watch.shows("not passed yet")
    for text in (*texts, watch.text):
        assert "4/8 points · craft 1/2" in text
    time.sleep(0.3)
    assert day.entry(home, root).tries == 1


@pytest.mark.parametrize(
    ("steps", "content"),
    [((b"",), None), ((b"x = 1\n",), b"x = 1\n"), ((b"def (",), b"def ("), ((b"", b"x = (", b"x = (1)"), b"x = (1)")],
)
def test_a_file_is_read_once_it_rests(tmp_path: Path, steps: tuple[bytes, ...], content: bytes | None) -> None:
    """Whole ones at once, others when they do not change any more, empty ones after the longest wait."""
    file = tmp_path / "x.py"

    def write() -> None:
        for step in steps[1:]:
            time.sleep(0.03)
            file.write_bytes(step)

    file.write_bytes(steps[0])
    writer = Thread(target=write)
    writer.start()
    assert settled(file) == (content if content is not None else b"")
    writer.join()
    file.unlink()
    assert settled(file) is None
