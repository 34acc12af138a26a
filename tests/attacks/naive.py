"""Graders as they are often written, to be beaten: each runs the submission in its own process.

`naive` executes the file and compares, prints its verdict as JSON and writes results.json; `pytest` and `unittest` run
five tests, and their success is the mark; `pool` fetches results from a worker by pickle; others.py has more. Run as
a program: reads trials as JSON lines, answers each with what happened. torch is imported once, every trial is a fork
in a folder.
"""

import atexit
import contextlib
import json
import os
import pickle
import py_compile
import shutil
import signal
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.attacks.others import OTHERS

SECRET = "s3cret-of-the-grader"
TESTS = 5
FLOOD = 4 * 2**20
GRACE = 0.4  # for what an attack left behind to show itself
REFERENCE = """
def unit_rows(x, scale=1.0):
    return x / x.norm(dim=-1, keepdim=True) * scale
"""
TEST_FILE = """
import pytest, torch
from answer import unit_rows

@pytest.mark.parametrize("seed", range(5))
def test_values(seed):
    import reference
    torch.manual_seed(seed)
    x = torch.randn(3, 4)
    got = unit_rows(x)
    torch.testing.assert_close(got, reference.unit_rows(x))
"""


def draw(seed: int) -> torch.Tensor:
    """The input of one test: the seed is fixed, as it often is."""
    torch.manual_seed(seed)
    return torch.randn(3, 4)


def compare(got: Any, want: Any) -> None:
    """Raises when two tensors differ."""
    torch.testing.assert_close(got, want)


def naive() -> None:
    """Executes and compares in one process, one submission after the other; prints the verdict and writes it."""
    told = json.dumps(verdict("answer.py"), ensure_ascii=False)
    print(told, flush=True)
    with open("results.json", "w") as file:  # noqa: PTH123  # as it is often written
        file.write(told)
    print(json.dumps({"next": verdict("next.py")["score"]}), flush=True)


def verdict(name: str) -> dict[str, Any]:
    """What a file scores, and why not more."""
    space: dict[str, Any] = {"__name__": "answer", "__file__": name}
    exec(compile(Path(name).read_text(), name, "exec"), space)
    import reference  # type: ignore[import-not-found]

    function = space["unit_rows"]
    results, messages = [], []
    for seed in range(TESTS):
        x = draw(seed)
        try:
            got = function(x)
            want = reference.unit_rows(x)
            compare(got, want)
            results.append(True)
        except Exception as wrong:
            results.append(False)
            messages.append(str(wrong))
    return {"score": sum(results), "messages": messages}


def pooled() -> None:
    """Runs the function in a worker and unpickles what it sends."""
    reader, writer = os.pipe()
    if not os.fork():
        space: dict[str, Any] = {"__name__": "answer", "__file__": "answer.py"}
        exec(compile(Path("answer.py").read_text(), "answer.py", "exec"), space)
        os.write(writer, pickle.dumps([space["unit_rows"](draw(seed)) for seed in range(TESTS)]))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        results = pickle.load(pipe)
    print(json.dumps({"score": sum(bool((result != 0).all()) for result in results)}), flush=True)


def by_pytest() -> None:
    """Runs a test file; its exit code is the mark."""
    Path("test_values.py").write_text(TEST_FILE)
    os.environ.pop("PYTEST_CURRENT_TEST", None)
    code = pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no"])
    sys.stdout.flush()
    os._exit(code)


def by_unittest() -> None:
    """Runs a test case; its success is the mark."""
    sys.path.insert(0, ".")

    class Values(unittest.TestCase):
        def test_values(self) -> None:
            import reference
            from answer import unit_rows  # type: ignore[import-not-found]

            x = draw(0)
            self.assertTrue((unit_rows(x) == reference.unit_rows(x)).all())

    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Values))
    print(json.dumps({"score": TESTS if result.wasSuccessful() else 0}), flush=True)


GRADERS = {"naive": naive, "pool": pooled, "pytest": by_pytest, "unittest": by_unittest} | OTHERS


def grade(folder: Path, control: str, output: int, silent: int) -> None:
    """Runs in a fork: grades the folder's answer.py and leaves as Python does."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    os.dup2(silent, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    code = 1
    try:
        GRADERS[control]()
        code = 0
    finally:
        with contextlib.suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
            sys.stdout.flush()
        os._exit(code)


def supervise(folder: Path, control: str, output: int, silent: int) -> None:
    """Runs in a fork, in a session of its own: starts the grader and notes that it survived it."""
    os.setsid()
    pid = os.fork()
    if not pid:
        grade(folder, control, output, silent)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    (folder / ".ended").write_text(str(code))
    os._exit(0)


def trial(files: dict[str, str], control: str, mark: str, patience: float) -> dict[str, Any]:
    """What one attack achieves against one of the graders."""
    home = Path(tempfile.mkdtemp(prefix="naive-"))  # not TemporaryDirectory: a fork that ends would remove it
    try:
        return attempted(home, files, control, mark, patience)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def attempted(home: Path, files: dict[str, str], control: str, mark: str, patience: float) -> dict[str, Any]:
    """One trial in an empty folder."""
    folder, stdout = home / "answers", home / "stdout"
    for file, text in ({"reference.py": REFERENCE, "next.py": REFERENCE} | files).items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    py_compile.compile(str(folder / "reference.py"))  # as an import leaves it
    silent, speaking = os.pipe()
    with stdout.open("wb") as output:
        if not (pid := os.fork()):
            supervise(folder, control, output.fileno(), silent)
    hung = not ended(pid, patience)
    time.sleep(GRACE if "fork" in files["answer.py"] or "Popen" in files["answer.py"] else 0)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    if hung:
        os.waitpid(pid, 0)
    os.close(silent)
    os.close(speaking)
    return outcome(folder, stdout, control, mark, hung)


def ended(pid: int, seconds: float) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.005)
    return False


def outcome(folder: Path, stdout: Path, control: str, mark: str, hung: bool) -> dict[str, Any]:
    """What a trial left: the mark that would be recorded, and everything else that should not have been possible."""
    size = stdout.stat().st_size
    with stdout.open("rb") as file:
        file.seek(max(0, size - FLOOD))
        text = file.read().decode("utf-8", "replace")
    written = code = ""
    with contextlib.suppress(OSError):
        written = (folder / "results.json").read_text("utf-8", "replace")
    with contextlib.suppress(OSError):
        code = (folder / ".ended").read_text()
    scores = [score for line in [*text.splitlines(), written] if (score := scored(line)) is not None]
    everything = text + written
    return {
        "marks": TESTS in scores or (control == "pytest" and code == "0"),
        "crash": not code or not scores or (control == "naive" and not written),
        "next": control == "naive" and '{"next": 5}' not in text,
        "hang": hung,
        "leak": "LEAK:" in everything,
        "mark": Path(mark).exists(),
        "flood": size > FLOOD,
        "raw": any(sign in everything for sign in ("\x1b", "\u202e", "\u200b", "\n::", "=HYPERLINK", "<script>")),
        "said": text[-1500:],
    }


def scored(line: str) -> int | None:
    """The score on a line, if it is a verdict."""
    try:
        return int(json.loads(line)["score"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def main() -> None:
    """Answers trials until there are no more."""
    torch.set_num_threads(1)
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        pytest.main(["--version", "-p", "no:cacheprovider"])
    with contextlib.suppress(AssertionError):
        compare(torch.zeros(3, 4), torch.ones(3, 4))  # what is imported to say so is imported once
    for line in sys.stdin:
        told = json.loads(line)
        answer = trial(told["files"], told["control"], told["mark"], told["patience"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
