"""The command line and environment of our processes: free of the current folder and of what the caller has set."""

import subprocess
import sys
from pathlib import Path

import pytest

from kata.zygote import start

LURE = "print('lured'); raise SystemExit(9)\n"


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with files that must never be imported."""
    for name in ("torch", "numpy", "socket", "kata", "msgspec", "selectors", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text(LURE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_leaving_the_folder(trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", ".", "relative", str(trap), "/usr/lib/python", str(trap / "sub")])
    start.leave_folder()
    assert sys.path == ["/usr/lib/python", str(trap / "sub")]


def test_leaving_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setattr(sys, "path", ["", str(gone), "/usr/lib/python"])
    start.leave_folder()
    assert sys.path == [str(gone), "/usr/lib/python"]


def test_the_environment_is_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/lure")
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    monkeypatch.setenv("LANG", "C")
    made = start.environment()
    assert not {"SECRET", "PYTHONPATH", "PYTHONSTARTUP"} & made.keys()
    assert (made["OMP_NUM_THREADS"], made["PYTHONHASHSEED"], made["LANG"]) == ("1", "0", "C")
    threads = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"
    assert set(made) <= {*start.KEPT, *threads, "PYTHONHASHSEED", "GLIBC_TUNABLES"}


def test_a_process_of_ours_imports_nothing_from_the_folder(trap: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(trap), "", *sys.path])
    start.leave_folder()
    line = start.command("launch", "never used")
    line[line.index("-c") + 1] = (
        line[line.index("-c") + 1].split("from kata")[0] + "import kata, socket, msgspec; print(1)"
    )
    done = subprocess.run(line, env=start.environment(), capture_output=True, text=True, check=False, cwd=trap)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


@pytest.mark.parametrize(
    ("found", "old"),
    [
        ("2.13.0+cpu", False),
        ("2.14", False),
        ("3.0.0", False),
        ("2.12.9", True),
        ("1.9", True),
        ("", True),
        ("odd", True),
    ],
)
def test_versions(found: str, old: bool) -> None:
    assert start.too_old(found) is old


def test_trouble_with_torch_is_found_among_other_lines() -> None:
    assert start.torch_trouble("warning\nkata-torch: no torch\nmore") == "no torch"
    assert start.torch_trouble("Traceback\nModuleNotFoundError: torch") is None
