"""ALLOWS: a problem lets its answers import a package beside torch, and no other problem's answers."""

import socket
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from kata import track
from kata.errors import KataError
from kata.model import Job, Report, Submission
from kata.zygote import confine, landlock, readable, server
from kata.zygote.launch import Engine
from tests import tiny

ALLOWED = {7: '("click", "iniconfig")', 8: '("pluggy",)', 9: "()"}
TRIES = """
import sys
def tried(name):
    try:
        module = __import__(name)
        return f"{name} {len(open(module.__file__).read()) > 0}"
    except (ImportError, OSError) as no:
        return f"{name} {type(no).__name__}"
print(*map(tried, ("click", "iniconfig", "pluggy", "rich", "pytest", "kata")), sep=", ")
sys.stdout.flush()
"""


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A track of problems that allow one thing, another and nothing."""
    root = tiny.write(tmp_path_factory.mktemp("allows"))
    for number, allows in ALLOWED.items():
        for shelf in track.SHELVES:
            text = (
                (root / shelf / f"{tiny.NAME}.py")
                .read_text()
                .replace("FORBIDS = ()", f"FORBIDS = ()\nALLOWS = {allows}")
            )
            (root / shelf / f"{number:02d}_shift_{number}.py").write_text(text)
    for shelf in track.SHELVES:
        (root / shelf / f"{tiny.NAME}.py").unlink()
    return root


@pytest.fixture(scope="module")
def zygote() -> Iterator[Engine]:
    with Engine() as made:
        yield made


def graded(engine: Engine, root: Path, number: int, text: str = TRIES + tiny.ANSWER) -> Report:
    return engine.report(Job(str(root), number, Submission("answer.py", text.encode()), only=("values",)))


def tries(report: Report) -> str:
    """What the answer could import and read, by the first line that it printed."""
    values = next(finding for finding in report.findings if finding.check == "values")
    assert values.verdict == "passed"
    return values.output.splitlines()[0]


NO = "ModuleNotFoundError"


@pytest.mark.parametrize("round", [1, 2])
def test_each_problems_answers_import_what_it_allows_and_nothing_else(
    zygote: Engine, several: Path, round: int
) -> None:
    """One process forks the children of all of them, in turn, each under rules of its own."""
    told = {number: tries(graded(zygote, several, number)) for number in ALLOWED}
    assert told[7] == f"click True, iniconfig True, pluggy {NO}, rich {NO}, pytest {NO}, kata {NO}"
    assert told[8] == f"click {NO}, iniconfig {NO}, pluggy True, rich {NO}, pytest {NO}, kata {NO}"
    assert told[9] == f"click {NO}, iniconfig {NO}, pluggy {NO}, rich {NO}, pytest {NO}, kata {NO}"


def test_files_of_what_is_not_allowed_stay_closed(zygote: Engine, several: Path) -> None:
    import click
    import pluggy

    places = [str(Path(str(module.__file__)).parent / "__init__.py") for module in (click, pluggy, pytest)]
    text = (
        f"for place in {places!r}:\n    try:\n        open(place)\n        print('read', end=' ')\n"
        "    except OSError:\n        print('no', end=' ')\n"
    )
    assert tries(graded(zygote, several, 8, text + tiny.ANSWER)).strip() == "no read no"


def test_a_package_that_is_not_installed_is_told_as_the_machines_lack(zygote: Engine, several: Path) -> None:
    grader = several / "grader" / "09_shift_9.py"
    text = grader.read_text()
    grader.write_text(text.replace("ALLOWS = ()", 'ALLOWS = ("click", "no_such_package")'))
    try:
        with pytest.raises(KataError) as told, Engine() as fresh:
            graded(fresh, several, 9)
    finally:
        grader.write_text(text)
    assert str(told.value) == (
        f"Problem 9 lets answers import no_such_package, which {sys.executable} does not have. "
        f"Install it and try again: {sys.executable} -m pip install no_such_package"
    )


@pytest.mark.parametrize("said", ['"einops"', '("kata",)', '("einops.layers",)', "(3,)", '{"einops": 1}'])
def test_what_names_no_package_is_refused(tmp_path: Path, said: str) -> None:
    root = tiny.write(tmp_path)
    grader = root / "grader" / f"{tiny.NAME}.py"
    grader.write_text(grader.read_text().replace("FORBIDS = ()", f"FORBIDS = ()\nALLOWS = {said}"))
    with pytest.raises(KataError, match="names packages as they are imported"):
        track.find(root, "7")


def test_what_is_read_of_a_package_is_its_folder_and_its_libraries() -> None:
    import click

    folder = str(Path(str(click.__file__)).parent)
    more = set(readable.paths(("click", "six_or_so", "sys"))) - set(readable.paths())
    assert more == {folder, f"{folder}.libs"}


def test_rules_are_made_once_for_each_set_of_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Iterable[str]] = []

    def ruleset(paths: Iterable[str]) -> int:
        made.append(paths)
        return 3

    monkeypatch.setattr(landlock, "ruleset", ruleset)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        zygote = server.Zygote(ours, confine.Confinement("strict", rules=2))
        one, same = zygote._confined(("click",)), zygote._confined(("click",))
        assert one is same and one.rules == 3 and zygote._confined(()).rules == 2
        assert len(made) == 1
        zygote._selector.close()
