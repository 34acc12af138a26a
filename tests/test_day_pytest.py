"""The plugin under a real pytest, beside other plugins: one test a check, in the sandbox, and only when asked for."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests import day, tiny

NAME = "07_double_and_shift.py"
TOUCHING = "open({!r}, 'w').write('imported')\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A workspace with a wrong answer to the first problem."""
    made, _ = day.made(tmp_path)
    (made.root / "problems" / NAME).write_text(day.MINUS)
    return made.root


def run(home: Path, *words: str, plugin: bool = True) -> subprocess.CompletedProcess[str]:
    """A pytest of its own in a workspace."""
    order = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        *(["-p", "kata.pytest"] if plugin else []),
        *words,
    ]
    env = day.environment(home.parent / "track")
    return subprocess.run(order, cwd=home, env=env, capture_output=True, text=True, timeout=120, check=False)


def test_one_test_a_check(home: Path) -> None:
    """Named by the check, headed by its promise, explained by the report; the other problem's stub is skipped."""
    done = run(home, "-v", "problems")
    for line in (f"problems/{NAME}::keeps_the_shape PASSED", f"problems/{NAME}::values FAILED"):
        assert line in done.stdout
    assert "7 · The values are right." in done.stdout and "The amount is taken away." in done.stdout
    assert "your call" in done.stdout and "Traceback" not in done.stdout and "src/kata" not in done.stdout
    assert "1 failed, 4 passed, 6 skipped, 1 xfailed" in done.stdout and done.returncode == 1


def test_a_file_that_is_named_is_not_imported(home: Path, tmp_path: Path) -> None:
    """Neither by pytest itself nor by --doctest-modules: what it would write at import is never written."""
    trace = tmp_path / "trace"
    (home / "problems" / NAME).write_text(TOUCHING.format(str(trace)) + day.RIGHT)
    done = run(home, f"problems/{NAME}", "--doctest-modules", "-o", "python_files=*.py")
    assert not trace.exists()
    assert "6 failed" in done.stdout  # in the sandbox it may not write either


def test_selections(home: Path) -> None:
    """-k, a node's name and -x."""
    assert "1 passed, 5 deselected" in run(home, f"problems/{NAME}", "-k", "gradient").stdout
    assert "1 failed" in run(home, f"problems/{NAME}::values").stdout
    stopped = run(home, f"problems/{NAME}", "-x").stdout
    assert "stopping after 1 failures" in stopped and "1 failed, 1 passed" in stopped


def test_junit_holds_the_report_s_words(home: Path, tmp_path: Path) -> None:
    """As CI and editors read it."""
    run(home, f"problems/{NAME}", f"--junitxml={tmp_path / 'x.xml'}")
    cases = {case.get("name"): case for case in ET.parse(tmp_path / "x.xml").iter("testcase")}
    failure = cases["values"].find("failure")
    assert failure is not None and "The amount is taken away." in (failure.text or "")
    assert len(cases) == 6 and cases["gradient"].find("failure") is None


def test_craft_that_is_missing_is_expected_to_fail(home: Path) -> None:
    """A right answer stays green."""
    (home / "problems" / NAME).write_text(day.RIGHT.replace("2 * x + amount", "(2 * x + amount).float()"))
    done = run(home, f"problems/{NAME}")
    assert "5 passed, 1 xfailed" in done.stdout and done.returncode == 0


def test_a_file_that_can_t_be_judged_fails_with_the_reason(home: Path) -> None:
    """A syntax error is told by every test, without a traceback."""
    (home / "problems" / NAME).write_text("def (")
    done = run(home, f"problems/{NAME}")
    assert "Python can't parse the file, line 1" in done.stdout and "6 failed" in done.stdout


def test_beside_other_plugins(home: Path) -> None:
    """xdist spreads the tests over processes, an ordinary test file is run as ever."""
    (home / "test_mine.py").write_text("def test_mine():\n    assert True\n")
    done = run(home, ".", "-n", "2", "-p", "hypothesis")
    assert "1 failed, 5 passed, 6 skipped, 1 xfailed" in done.stdout


def test_in_any_order(home: Path) -> None:
    """As plugins that shuffle have it: another order of the tests changes no verdict."""
    (home / "conftest.py").write_text("def pytest_collection_modifyitems(items):\n    items.reverse()\n")
    done = run(home, "-v", "problems")
    assert done.stdout.index("::gradient PASSED") < done.stdout.index("::values FAILED")
    assert "1 failed, 4 passed, 6 skipped, 1 xfailed" in done.stdout


def test_forbidden_shortcuts_are_a_check_of_their_own(tmp_path: Path) -> None:
    """The check that no grader writes is a test too."""
    made, root = day.made(tmp_path)
    tiny.write(root, grader=tiny.GRADER.replace("FORBIDS = ()", 'FORBIDS = ("torch.add",)'))
    text = day.RIGHT.replace("2 * x + amount", "torch.add(2 * x, amount)")
    (made.root / "problems" / NAME).write_text(text)
    assert "uses torch.add (line" in run(made.root, f"problems/{NAME}::own_work").stdout


def test_nothing_happens_unless_asked(home: Path) -> None:
    """Installing kata changes nobody's other runs: no entry point, and no test is collected without -p."""
    from importlib.metadata import entry_points

    assert not [entry for entry in entry_points(group="pytest11") if entry.value.startswith("kata")]
    done = run(home, "problems", plugin=False)
    assert "no tests ran" in done.stdout
