"""Commands that screens suggest: they work as typed, whatever names the track."""

import re
import shlex
from pathlib import Path

import pytest

from kata.track import default_root
from kata.typed import typed
from tests import day, tiny

SUGGESTED = re.compile(r"^ {2,}(kata .*?)(?:  .*)?$|`(kata [^`]*)`", re.MULTILINE)


def test_the_track_is_named_where_kata_would_not_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the one that comes with kata, nor that of KATA_TRACK; a blank in its name is quoted."""
    monkeypatch.delenv("KATA_TRACK", raising=False)
    root = day.two_problems(tmp_path / "my track")
    assert typed(default_root(), "list") == "kata list"
    assert typed(root, "list") == typed(day.problem(root), "list") == f"kata list --track '{root}'"
    monkeypatch.setenv("KATA_TRACK", str(root))
    assert typed(root, "list") == "kata list"
    assert typed(default_root(), "list") == f"kata list --track {default_root()}"
    monkeypatch.setenv("KATA_TRACK", "/nonesuch")
    assert typed(root, "list").endswith("my track'")


def suggested(text: str) -> list[str]:
    """The commands in what kata prints."""
    return ["".join(found) for found in SUGGESTED.findall(text)]


@pytest.mark.parametrize(
    ("answer", "leads_to"),
    [
        ("", {"grade 7", "reset 7", "reset 7 --restore"}),
        (tiny.QUESTION, {"grade 7", "show 7"}),
        ("def (", {"grade 7"}),
        (day.MINUS, {"grade 7", "hint 7", "solution 7 --give-up", "diff 7", "quiz 7"}),
        (day.RIGHT, {"grade 7", "solution 7", "diff 7", "quiz 7"}),
    ],
)
def test_every_suggested_command_works_as_typed(tmp_path: Path, answer: str, leads_to: set[str]) -> None:
    """From grade and all that it leads to, in a track that only --track names."""
    home, root = day.made(tmp_path)
    (home.root / "problems" / "07_double_and_shift.py").write_text(answer)
    waiting, done, seen = [f"kata grade 7 --track {root}"], set[str](), set[str]()
    while waiting:
        line = waiting.pop()
        assert line.endswith(f" --track {root}")
        done.add(line.removesuffix(f" --track {root}").removeprefix("kata "))
        if " watch " in line:
            continue
        run = day.kata(*shlex.split(line)[1:], cwd=home.root, root=default_root(), input="a\n")
        assert run.returncode in (0, 1), (line, run.stdout, run.stderr)
        told = re.sub(r"\d+\.\d s", "", run.stdout)
        waiting += suggested(run.stdout + run.stderr) if told not in seen else []
        seen.add(told)
    assert leads_to <= done
