"""Hostile submissions: each beats a common grader in the same run, and gains nothing from ours."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kata.model import Report
from kata.zygote.launch import Engine
from tests.attacks import suite
from tests.attacks.suite import HONEST, SECRET, TRACK, ZEROS, Arena, Attack, Controls, attacks, ending, job

CATALOGUE = list(attacks("catalogue"))
FRESH = list(attacks("fresh"))
WAIT = 500.0
SHARED = ("/dev/shm", "/dev/mqueue", "/tmp")


class Run:
    """Everything of one run: both sides at work on every attack that is asked for, each in a thread."""

    def __init__(self, engine: Engine, asked: list[Attack]) -> None:
        self.engine, self.arena = engine, Arena()
        self.controls = Controls(self.arena)
        self._seat = engine.seat()
        self._pools = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        control, ours = self._pools
        self._control = {attack.name: control.submit(self.controls.outcome, attack) for attack in asked}
        self._ours = {attack.name: ours.submit(suite.ours, self._seat, self.arena, attack) for attack in asked}

    def control(self, attack: Attack) -> dict[str, Any]:
        """What the attack achieved elsewhere."""
        return self._control[attack.name].result(timeout=WAIT)

    def ours(self, attack: Attack) -> tuple[Report, float]:
        """What we say of it."""
        return self._ours[attack.name].result(timeout=WAIT)

    def close(self) -> None:
        """Ends both sides."""
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        self.controls.close()
        self.arena.close()


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    wanted = {
        item.callspec.params["attack"].name
        for item in request.session.items
        if hasattr(item, "callspec") and "attack" in item.callspec.params
    }
    with suite.planted():
        engine = Engine()
    with engine:
        made = Run(engine, [attack for attack in CATALOGUE + FRESH if attack.name in wanted])
        yield made
        made.close()


@pytest.mark.parametrize("attack", CATALOGUE + FRESH, ids=lambda attack: attack.name)
def test_an_attack_beats_a_common_grader_and_gains_nothing_here(run: Run, attack: Attack) -> None:
    control = run.control(attack)
    assert control[attack.effect], f"does not beat {attack.control}: {control}"
    report, seconds = run.ours(attack)
    assert list(suite.faults(report, seconds, run.arena, attack)) == []
    assert (ending(report), report.sandbox) == (attack.ends, "strict")


def test_honest_answers_have_their_marks_afterwards(run: Run) -> None:
    report = run.engine.report(job(HONEST.read_bytes(), "honest"))
    assert (report.passed, report.score, report.max_score) == (True, 9.0, 9.0)
    zeros = run.engine.report(job(ZEROS, "zeros"))
    assert (zeros.passed, zeros.score) == (False, 0.0)


def test_every_family_is_attacked_and_has_ten_fresh_attacks() -> None:
    families = "abcdefghj"  # archives, symbolic links and spreadsheets (i) are the classroom's
    assert {attack.family for attack in CATALOGUE} == set(families)
    assert {letter: sum(a.family == letter for a in FRESH) for letter in families} == dict.fromkeys(families, 10)


# ── Outside the processes ───────────────────────────────────────────────────────────────────────────────────────────


def command(*words: str, cwd: Path, **environment: str) -> "subprocess.Popen[str]":
    """The real command, with a secret in its environment."""
    source = os.pathsep.join(folder for folder in sys.path if folder)
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "kata", *words],
        cwd=cwd,
        env=os.environ | {"KATA_TEST_SECRET": SECRET, "PYTHONPATH": source} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def listed(folders: tuple[str, ...] = SHARED) -> set[str]:
    """Every entry of the folders where things are left behind."""
    return {str(path) for folder in folders if Path(folder).is_dir() for path in Path(folder).iterdir()}


def test_nothing_is_left_behind_and_no_runner_is_commanded(tmp_path: Path) -> None:
    (tmp_path / "01_unit_rows.py").write_text(
        "import torch\n"
        "def unit_rows(x, scale=1.0):\n"
        "    print('\\n::stop-commands::x\\n  ::notice title=Autograding report::{}\\n##[error]no')\n"
        "    for path in ('/dev/shm/left', '/tmp/left', 'left'):\n"
        "        try:\n"
        "            open(path, 'w')\n"
        "        except OSError:\n"
        "            pass\n"
        "    return torch.zeros_like(x)\n"
    )
    shared = {path for path in listed() if "left" in path}
    with command("grade", "1", "01_unit_rows.py", "--track", str(TRACK), cwd=tmp_path) as process:
        told, wrong = process.communicate(timeout=60)
    assert process.returncode == 1, wrong
    assert [line for line in told.splitlines() if line.lstrip().startswith(("::", "##["))] == []
    assert {path for path in listed() if "left" in path} == shared
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["01_unit_rows.py"]


SURROUNDINGS = {
    "sitecustomize.py": "open('{mark}', 'w')",
    "usercustomize.py": "open('{mark}', 'w')",
    "torch.py": "open('{mark}', 'w')",
    "kata.py": "open('{mark}', 'w')",
    "conftest.py": "open('{mark}', 'w')",
    "evil.pth": "import os; open('{mark}', 'w')",
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-p evil'\n",
    "tox.ini": "[pytest]\naddopts = --version\n",
    ".coveragerc": "[run]\nplugins = evil\n",
    "reference.py": "open('{mark}', 'w')",
}


def test_files_beside_an_answer_are_not_even_looked_at(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, text in SURROUNDINGS.items():
        (folder / name).write_text(text.replace("{mark}", str(mark)))
    (folder / "01_unit_rows.py").write_bytes(ZEROS)
    subprocess.run([sys.executable, "-c", "import torch"], cwd=folder, check=False, timeout=60)
    assert mark.exists(), "the control: a plain Python runs torch.py of its folder"
    mark.unlink()
    with command("grade", "1", "01_unit_rows.py", "--track", str(TRACK), "--json", cwd=folder) as process:
        told, _ = process.communicate(timeout=60)
    assert '"score": 0.0' in told
    assert not mark.exists()


def test_killing_the_command_leaves_no_process(tmp_path: Path) -> None:
    (tmp_path / "01_unit_rows.py").write_text(
        "import time\ndef unit_rows(x, scale=1.0):\n    print('asleep', flush=True)\n    time.sleep(3600)\n"
    )
    marker = f"kata-attack-{os.getpid()}"
    with command(
        "grade", "1", "01_unit_rows.py", "--track", str(TRACK), cwd=tmp_path, TMPDIR=f"/tmp/../tmp/./{marker}/.."
    ) as process:
        try:
            assert until(lambda: len(marked(marker)) >= 4, 30), "command, zygote, judge and child"
        finally:
            process.kill()
            process.communicate()
    assert until(lambda: not marked(marker), 10), f"left behind: {marked(marker)}"


def marked(marker: str) -> list[int]:
    """The processes that were started with a marker in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if marker.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def until(true: Any, seconds: float) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


def test_hostile_neighbours_change_no_honest_mark(run: Run) -> None:
    hostile = [a for a in CATALOGUE if a.name[:3] in ("a02", "c68", "h51", "h52", "h53", "h54", "h56", "h96")]
    assert len(hostile) == 8
    source = HONEST.read_bytes()
    alone = [run.engine.report(job(source, "honest")) for _ in range(3)]
    seats = [run.engine.seat() for _ in hostile]
    with ThreadPoolExecutor(len(hostile)) as pool:
        going = [pool.submit(suite.ours, seat, run.arena, attack) for seat, attack in zip(seats, hostile, strict=True)]
        beside = [run.engine.report(job(source, "honest")) for _ in range(3)]
        assert [future.result()[0].score for future in going] == [0.0] * 8
    for seat in seats:
        seat.close()
    for one, two in zip(alone, beside, strict=True):
        assert (one.score, one.passed) == (two.score, two.passed) == (9.0, True)
        assert [f.verdict for f in one.findings] == [f.verdict for f in two.findings]


def test_the_security_page_tells_what_is_tested() -> None:
    from tests import security

    text = security.PAGE.read_text("utf-8")
    assert security.page(text) == text, "make it anew: python tests/security.py"
