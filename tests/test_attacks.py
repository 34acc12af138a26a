"""Hostile submissions: each beats a common grader in the same run, and gains nothing from ours."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from kata.model import Report
from kata.zygote.launch import Engine, Seat
from tests.attacks import suite
from tests.attacks.suite import HONEST, SECRET, TRACK, ZEROS, Arena, Attack, Controls, attacks, ending, job

CATALOGUE = list(attacks("catalogue"))
FRESH = list(attacks("fresh"))
WAIT = 500.0
SEATS, CONTROLS = 3, 2  # attacks that are tried at once on either side: many of them wait for a limit
SHARED = ("/dev/shm", "/dev/mqueue", "/tmp")


class Run:
    """Everything of one run: both sides at work on every attack that is asked for, in threads that wait for them."""

    def __init__(self, engine: Engine, asked: list[Attack]) -> None:
        self.engine, self.arena = engine, Arena()
        self._seats, self._controls = SimpleQueue[Seat](), SimpleQueue[Controls]()
        self._close: list[Seat | Controls] = []
        for _ in range(SEATS):
            self._seats.put(seat := engine.seat())
            self._close.append(seat)
        for _ in range(CONTROLS):
            self._controls.put(controls := Controls(self.arena))
            self._close.append(controls)
        self._pools = ThreadPoolExecutor(CONTROLS), ThreadPoolExecutor(SEATS)
        control, ours = self._pools
        self._control = {attack.name: control.submit(self.controlled, attack) for attack in asked}
        self._ours = {attack.name: ours.submit(self._judged, attack) for attack in asked}

    def controlled(self, attack: Attack) -> dict[str, Any]:
        """What an attack achieves against its common grader."""
        controls = self._controls.get()
        try:
            return controls.outcome(attack)
        finally:
            self._controls.put(controls)

    def _judged(self, attack: Attack) -> tuple[Report, float]:
        seat = self._seats.get()
        try:
            return suite.ours(seat, self.arena, attack)
        finally:
            self._seats.put(seat)

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
        for side in self._close:
            side.close()
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
    fresh = {letter: sum(attack.family == letter for attack in FRESH) for letter in families}
    assert min(fresh.values()) >= 10, fresh


def test_the_whole_catalogue_is_tried_here_or_named_with_what_tries_it() -> None:
    from tests import security

    tried = {int(attack.name[1:3]) if attack.name[3] == "_" else int(attack.name[1:4]) for attack in CATALOGUE}
    named = {number for numbers in security.ELSEWHERE for number in numbers}
    assert tried | named == set(security.CATALOGUE) and not tried & named
    places = [place for _, where in security.ELSEWHERE.values() for place in re.findall(r"[a-z_/]+\.py", where)]
    assert [place for place in places if not list((security.ROOT / "tests").rglob(place))] == []


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


def test_hostile_answers_under_the_plugin_end_no_run_and_pass_nothing(tmp_path: Path) -> None:
    """What ends plain pytest with exit code 0 is one failed answer among others for `pytest -p kata.pytest`."""
    enders = {a.name: a for a in CATALOGUE + FRESH if a.control == "pytest" and list(a.files) == ["answer.py"]}
    assert len(enders) >= 8
    for name, attack in enders.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "01_unit_rows.py").write_text(attack.files["answer.py"])
    (tmp_path / "z_honest").mkdir()
    (tmp_path / "z_honest" / "01_unit_rows.py").write_bytes(HONEST.read_bytes())
    source = os.pathsep.join(folder for folder in sys.path if folder)
    words = [sys.executable, "-P", "-m", "pytest", "-p", "kata.pytest", "-p", "no:cacheprovider", "-q", "-k", "values"]
    environment = os.environ | {"PYTHONPATH": source, "KATA_TRACK": str(TRACK)}
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert f"{len(enders)} failed, 1 passed" in done.stdout, done.stdout[-2000:]
    assert done.returncode == 1


ASKS = "import torch\ndef unit_rows(x, scale=1.0):\n    raise ValueError('<' + repr(x.double().tolist()) + '>')\n"
TELLS = """import torch
KNOWN = torch.tensor(@INPUT@)
def unit_rows(x, scale=1.0):
    if x.shape == KNOWN.shape and torch.allclose(x.double(), KNOWN.double()):
        return (KNOWN / KNOWN.norm(dim=-1, keepdim=True) * scale).to(x.dtype)
    return torch.zeros_like(x)
"""


def test_what_one_submission_learned_is_of_no_use_to_the_next(run: Run) -> None:
    """The inputs that a first submission is shown come again from a grader with fixed seeds, and not from ours (81)."""
    asks = Attack("e81_asks", {"answer.py": ASKS}, "naive", "marks", "crashed")
    told = run.controlled(asks)["said"]
    seen = told.replace("\n", "").rsplit("<", 1)[1].split(">")[0]
    tells = Attack("e81_tells", {"answer.py": TELLS.replace("@INPUT@", seen)}, "naive", "marks", "failed")
    assert '"score": 1' in run.controlled(tells)["said"], "one input was shown, and one mark is gained"
    report = run.engine.report(job(ASKS.encode(), "asks"))
    for finding in report.findings:
        if "<" in finding.message:
            shown = finding.message.split("<")[1].split(">")[0]
            again = run.engine.report(job(TELLS.replace("@INPUT@", shown).encode(), "tells"))
            assert again.score == 0.0


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
