"""Levels, limits, what a child can't find, and who it can't reach; as root, as nobody, and inside a container."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kata.zygote import confine, landlock, levels, readable, seccomp
from kata.zygote.levels import standing
from tests.zygote.confined import Zygote

MIB = 2**20


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


# ── Levels ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_this_machine_is_strict_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(levels.SWITCH, raising=False)
    found = standing()
    assert (found.level, found.more) == ("strict", "")
    assert "Landlock" in found.reason


@pytest.mark.parametrize("level", ["seccomp", "process"])
def test_a_lowered_level_is_named(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(levels.SWITCH, level)
    found = standing()
    assert found.level == level
    assert f"{levels.SWITCH}={level}" in found.reason
    assert found.more
    assert confine.prepare().level == level


def test_a_switch_never_raises_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(levels.SWITCH, "strict")
    assert standing(forks=False).level == "process"


def without(*arguments: object) -> int:
    raise OSError(38, "not on this kernel")


def test_without_landlock_the_level_is_seccomp_and_says_what_that_means(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", without)
    found = standing()
    assert found.level == "seccomp"
    assert "can read what its user can read" in found.reason
    assert found.more


def test_without_seccomp_the_level_is_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "available", without)
    assert standing().level == "process"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "SECURITY.md" in standing().more


def test_a_kernel_that_refuses_every_rule_set_lowers_the_level_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "ruleset", without)
    assert standing().level == confine.prepare().level == "seccomp"


def test_rules_that_are_refused_lower_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "ruleset", lambda readable: without() if any(readable) else os.dup(0))
    made = confine.prepare()
    assert made.level == "seccomp"
    assert "refused" in made.reason


@pytest.mark.parametrize("names", [{}, {levels.SWITCH: "seccomp"}, {levels.SWITCH: "process"}, {"KATA_START": "spawn"}])
def test_the_level_that_the_command_names_is_that_of_reports(
    root: Path, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours has no report of a judge to take the level from: the command names it itself."""
    from kata.model import Job, Submission
    from kata.zygote.launch import Engine, can_fork
    from tests import tiny

    for name, value in names.items():
        monkeypatch.setenv(name, value)
    with Engine() as engine:
        report = engine.report(Job(str(root), 7, Submission("a.py", tiny.ANSWER.encode()), only=("values",)))
    assert report.sandbox == standing(can_fork()).level


def test_a_step_that_fails_raises_and_no_source_is_seen() -> None:
    code = (
        "import os; from kata.zygote import confine, seccomp\n"
        "made = confine.Confinement('strict', rules=99, filter=seccomp.build('x86_64'), parent=os.getppid())\n"
        "confine.enter(made)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=source())
    assert done.returncode == 1
    assert "OSError" in done.stderr


def source() -> dict[str, str]:
    """An environment in which kata is found."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(folder for folder in sys.path if folder)}


# ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_memory_ends_at_the_cap(zygote: Zygote) -> None:
    grab = "import torch\ntry:\n    torch.ones({0} * 2**20, dtype=torch.uint8)\n    print('had')\n"
    grab += "except RuntimeError:\n    print('no')"
    assert zygote.run(grab.format(100), 256).text.strip() == "had"
    assert zygote.run(grab.format(400), 256).text.strip() == "no"
    shared = "import mmap\ntry:\n    mmap.mmap(-1, 400 * 2**20)\n    print('had')\nexcept OSError:\n    print('no')"
    assert zygote.run(shared, 256).text.strip() == "no"


def test_limits_are_set_and_can_not_be_raised(zygote: Zygote) -> None:
    names = ("FSIZE", "NOFILE", "CORE", "CPU")
    text = f"import resource as r\nprint([r.getrlimit(getattr(r, 'RLIMIT_' + n)) for n in {names}])"
    limits = [(n, n) for n in (confine.FILE_CAP, confine.OPEN_FILES, 0, confine.CPU_SECONDS)]
    assert zygote.printed(text) == str(limits)


def test_only_the_answers_own_descriptors_are_open(zygote: Zygote) -> None:
    text = (
        "import os\nfound = []\nfor fd in range(300):\n    try:\n        os.fstat(fd)\n        found.append(fd)\n"
        "    except OSError:\n        pass\nprint(found)"
    )
    assert zygote.printed(text) == "[0, 1, 2]"


def test_it_has_no_rights_no_environment_and_a_session_of_its_own(zygote: Zygote) -> None:
    assert zygote.printed("import os\nprint(sorted(os.environ))") == str(sorted(confine.ENVIRONMENT))
    assert zygote.printed("import os\nprint(os.getpgrp() == os.getpid(), os.getcwd())") == "True /"
    text = (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.mlock(0, 4096), libc.prctl(1, 0, 0, 0, 0))"
    )
    assert zygote.printed(text) == "-1 -1"


def test_entering_takes_no_more_than_three_milliseconds() -> None:
    code = (
        "import os, time, torch; from kata.zygote import confine\n"
        "made, times = confine.prepare(), []\n"
        "for _ in range(15):\n"
        "    r, w = os.pipe()\n"
        "    if not os.fork():\n"
        "        start = time.thread_time(); confine.limit(1024); confine.enter(made)\n"
        "        os.write(w, str(time.thread_time() - start).encode()); os._exit(0)\n"
        "    times.append(float(os.read(r, 99))); os.wait()\n"
        "print(sorted(times)[7])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=source())
    assert float(done.stdout) < 0.003


# ── What it can't find ──────────────────────────────────────────────────────────────────────────────────────────────

SEARCH = """
import gc, sys
gc.collect()
needles = [bytes.fromhex(text) for text in {needles!r}]
def holds(thing):
    try:
        data = thing if isinstance(thing, (bytes, bytearray)) else str(thing).encode("utf-8", "replace")
    except Exception:
        return False
    return any(needle in data and data is not needle for needle in needles)
found = set()
for thing in gc.get_objects():
    for inner in gc.get_referents(thing):
        if isinstance(inner, (str, bytes, bytearray)) and holds(inner):
            found.add(repr(inner).encode().hex()[:200])
frame = sys._getframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if isinstance(value, (str, bytes)) and holds(value):
            found.add(repr(value).encode().hex()[:200])
    frame = frame.f_back
graders = [name for name in sys.modules if name.startswith("kata_grader") or name == "reference"]
print(sorted(found), graders)
"""


def test_a_search_of_objects_and_frames_finds_no_secret(tmp_path: Path) -> None:
    """A grader's text, an expected value and a secret of the command's environment are nowhere in a child."""
    from tests.attacks.suite import PLANTED, SECRET, TRACK, job, planted

    needles = [word.encode().hex() for word in (SECRET, PLANTED, "row.square().sum()")]
    text = SEARCH.replace("{needles!r}", repr(needles))
    body = "".join(f"    {line}\n" for line in text.strip().splitlines())
    answer = f"import torch\ndef unit_rows(x, scale=1.0):\n{body}    return torch.zeros_like(x)\n"
    from kata.zygote.launch import Engine

    with planted():
        engine = Engine()
    with engine:
        report = engine.report(job(answer.encode(), "search"))
    printed = {finding.output.strip() for finding in report.findings if finding.check != "own_work"}
    assert printed == {"[] []"}, TRACK


def test_a_search_of_the_memory_finds_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole memory of a child that has answered calls, read from outside as root could."""
    from tests.attacks.suite import PLANTED, SECRET, job, planted

    if os.geteuid():
        pytest.skip("another process's memory is read as root")
    asleep = "import time, torch\ndef unit_rows(x, scale=1.0):\n    time.sleep(1.5)\n    return torch.zeros_like(x)\n"
    from kata.zygote.launch import Engine

    with planted():
        engine = Engine()
    with engine:
        events = engine.grade(job(asleep.encode(), "asleep"))
        next(events)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as pool:
            rest = pool.submit(list, events)
            child = youngest(engine._processes[0].pid)
            memory = everything(child)
            rest.result()
    assert b"unit_rows" in memory, "the control: what it was sent is found"
    for secret in (SECRET, PLANTED, "row.square().sum()"):
        assert secret.encode() not in memory


def youngest(parent: int) -> int:
    """The newest child of a zygote that sleeps in a call."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        text = Path(f"/proc/{parent}/task/{parent}/children").read_text()
        pids = [int(pid) for pid in text.split()]
        if len(pids) >= 2:
            time.sleep(0.7)
            return max(pids)
        time.sleep(0.05)
    raise AssertionError("no child appeared")


def everything(pid: int) -> bytes:
    """All readable private memory of a process."""
    parts = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:  # noqa: PTH123
        for line in maps:
            words = line.split()
            start, end = (int(word, 16) for word in words[0].split("-"))
            if words[1].startswith("rw") and end - start < 512 * MIB:
                memory.seek(start)
                try:
                    parts.append(memory.read(end - start))
                except OSError:
                    continue
    return b"".join(parts)


# ── Together ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_children_that_would_not_fit_into_half_of_the_memory_wait_for_the_others() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from kata.model import Limits
    from kata.zygote.launch import Engine
    from tests.attacks.suite import job

    slow = "import time, torch\ndef unit_rows(x, scale=1.0):\n    time.sleep(0.05)\n    return torch.zeros_like(x)\n"
    limits = Limits(2.0, 5.0, confine.half_of_memory() * 2 // 3)
    with Engine() as engine:
        seats = [engine.seat() for _ in range(3)]
        with ThreadPoolExecutor(3) as pool:
            going = [pool.submit(seat.report, job(slow.encode(), "slow"), limits) for seat in seats]
            most = 0
            while not all(future.done() for future in going):
                most = max(most, len(children(engine._processes[0].pid)) - 4)  # judges: three and the first
                time.sleep(0.01)
    assert most == 1
    assert [future.result().score for future in going] == [0.0] * 3


def children(pid: int) -> list[str]:
    """The pids of a process's children."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


# ── Elsewhere ───────────────────────────────────────────────────────────────────────────────────────────────────────

PROBE = (
    "try:\n    open('/etc/passwd')\n    print('read')\nexcept OSError:\n    print('no')\n"
    "import os, torch\nprint(os.getuid(), float(torch.ones(2).sum()))"
)


CONTAINER = ("bwrap", "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--die-with-parent")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("bwrap") is None, reason="needs root and bubblewrap")
def test_where_there_is_no_other_user_root_stays_what_it_is() -> None:
    made = Zygote("seccomp", before=(*CONTAINER, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"))
    try:
        assert made.printed(PROBE) == "read\n0 2.0"
    finally:
        made.close()


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("bwrap") is None, reason="needs root and bubblewrap")
def test_strict_inside_a_container_without_user_namespaces() -> None:
    made = Zygote(before=(*CONTAINER, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"))
    try:
        assert made.level == "strict"
        assert made.printed(PROBE) == "no\n0 2.0"
        assert made.run("import ctypes\nctypes.CDLL(None).unshare(0x10000000)").code == -31
    finally:
        made.close()


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """An interpreter, its packages and kata outside root's home, readable by everyone."""
    folder = Path(tempfile.mkdtemp(dir="/opt"))
    folder.chmod(0o755)
    packages = Path(sysconfig.get_path("purelib"))
    here = Path(__file__).resolve().parents[2]
    for source, name in ((sys.base_prefix, "python"), (packages, "packages"), (here / "src", "src")):
        subprocess.run(["cp", "-al", source, folder / name], check=True)
    (folder / "tests").mkdir()
    subprocess.run(
        ["cp", "-al", here / "tests" / "__init__.py", here / "tests" / "zygote", folder / "tests"], check=True
    )
    yield folder
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody else")
@pytest.mark.parametrize("level", ["strict", "seccomp"])
def test_strict_as_an_unprivileged_user(elsewhere: Path, level: str) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = str(elsewhere / "python" / "bin" / version)
    folders = [elsewhere / "packages", elsewhere / "src", elsewhere]
    become = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    made = Zygote(level, become, python, tuple(map(str, folders)))
    try:
        assert made.level == level
        assert made.printed(PROBE) == ("no" if level == "strict" else "read") + "\n65534 2.0"
        assert made.printed("try:\n    open('/tmp/x', 'w')\nexcept OSError:\n    print('no')") == "no"
    finally:
        made.close()


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody else")
def test_at_level_seccomp_root_becomes_nobody_where_nobody_can_read(elsewhere: Path) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders = [elsewhere / "packages", elsewhere / "src", elsewhere]
    made = Zygote("seccomp", (), str(elsewhere / "python" / "bin" / version), tuple(map(str, folders)))
    try:
        assert made.printed(PROBE) == "read\n65534 2.0"
    finally:
        made.close()


def test_what_may_be_read_is_named_one_by_one() -> None:
    named = list(readable.paths())
    assert len(named) < 2000
    for path in named:
        assert not path.endswith(readable.OTHERS)
        assert path not in ("/", "/usr", "/usr/lib", "/lib", "/home", "/root", "/tmp", "/proc", str(Path.home()))
