"""Real processes: whatever an answer does costs its own check at most, and nothing of ours outlives the command.

`KATA_START=spawn pytest tests/test_processes.py` runs everything with programs in place of forks.
"""

import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from kata.model import Job, Report, Submission
from kata.zygote.launch import Engine
from tests import real
from tests.real import MODULE, ROOT, SCRIPT, kata, report, unlucky, until, verdicts

MIB = 2**20
ALL_BUT_ONE = {"before": "passed", "after": "passed"}


@pytest.fixture(scope="session")
def track(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.track(tmp_path_factory.mktemp("track") / "track")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A learner's folder."""
    (made := tmp_path / "answers").mkdir()
    return made


@pytest.fixture
def marker(tmp_path: Path) -> Iterator[str]:
    """A folder for temporary files, whose name is in the environment of every process of ours."""
    made = tmp_path / f"marker-{os.getpid()}-{tmp_path.name}"
    made.mkdir()
    yield str(made)
    for pid in real.marked(str(made)):  # only after a failure
        os.kill(pid, signal.SIGKILL)


def write(folder: Path, text: str) -> Path:
    (file := folder / "05_double.py").write_text(text, "utf-8")
    return file


# ── What an answer does to itself ───────────────────────────────────────────────────────────────────────────────────

HOSTILE = {
    "hangs": ("while True: pass", "timed_out", "seconds of computing"),
    "sleeps": ("import time; time.sleep(1000)", "timed_out", "waits for something"),
    "exits at once": ("import os; os._exit(0)", "died", "exit code 0"),
    "segfaults": ("import ctypes; ctypes.string_at(0)", "died", "SIGSEGV"),
    "kills itself": ("import os; os.kill(os.getpid(), 9); [][0]", "died|crashed", "SIGKILL|not permitted"),
    "aborts": ("import os; os.abort()", "died", "SIGABRT|SIGSEGV|SIGKILL|SIGSYS"),
    "floods": ("while True: print('x' * 65536)", "died", "printed more than 8 MiB"),
    "leaves": ("import sys; sys.exit(0)", "crashed", "SystemExit"),
    "eats memory": ("x = [bytearray(2**24) for _ in range(1000)]", "crashed", "MemoryError"),
    "recurses": ("return double(13)", "crashed", "RecursionError"),
    "closes what it has": ("import os; os.closerange(0, 64)", "died", "exit code|SIGKILL"),
    "closes its stdout": ("import os; os.close(1); print('x'); raise ValueError('no')", "crashed", "no"),
    "interrupts": ("raise KeyboardInterrupt", "crashed", "KeyboardInterrupt"),
}


@pytest.fixture(scope="module")
def grade(track: Path) -> Iterator[Callable[[str], Report]]:
    """Judges a source with one engine for all tests."""
    with Engine() as engine:
        yield lambda text: engine.report(Job(str(track), 5, Submission("05_double.py", text.encode())))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_call_costs_its_check_and_the_rest_runs(name: str, grade: Callable[[str], Report]) -> None:
    statement, verdict, words = HOSTILE[name]
    told = grade(unlucky(statement))
    found = told.findings[1]
    assert verdicts(told) == ALL_BUT_ONE | {"during": found.verdict}
    assert re.fullmatch(verdict, found.verdict)
    assert re.search(words, found.message)
    assert (told.passed, told.score) == (False, 2.0)


def test_the_exit_code_after_a_child_has_died(track: Path, folder: Path) -> None:
    file = write(folder, unlucky("import os; os._exit(0)"))
    done = kata("grade", "5", file, "--track", track, "--json", cwd=folder)
    assert verdicts(report(done)) == ALL_BUT_ONE | {"during": "died"}
    assert (done.returncode, done.stderr) == (1, "")


def test_a_flood_is_cut_and_other_output_is_kept(grade: Callable[[str], Report]) -> None:
    assert grade(unlucky("print('thirteen'); raise ValueError('no')")).findings[1].output == "thirteen\n"
    output = grade(unlucky("print('y' * 100_000); raise ValueError('no')")).findings[1].output
    assert output.startswith("yyyy")
    assert output.endswith("more bytes")
    assert len(output) < 20_000


def test_a_file_that_ends_the_process_when_it_is_run_costs_every_check(grade: Callable[[str], Report]) -> None:
    told = grade("import os\nos._exit(0)\ndef double(n):\n    return 2 * n\n")
    assert set(verdicts(told).values()) == {"died"}
    assert told.score == 0.0


def test_time_outs_become_shorter_until_something_is_answered(grade: Callable[[str], Report]) -> None:
    """An answer that always hangs costs little more than one that hangs once."""
    told = grade("import time\ndef double(n):\n    time.sleep(1000)\n")
    assert set(verdicts(told).values()) == {"timed_out"}
    assert [f.message.split(":")[0] for f in told.findings] == [f"no answer after {n} seconds" for n in (8, 2, 1)]
    told = grade("def double(n):\n    while True: pass\n")
    assert [f.message.split(" of ")[0] for f in told.findings] == [
        f"no answer after {n} seconds" for n in (1, 0.5, 0.5)
    ]


@contextmanager
def started(
    *words: str | Path, cwd: Path, marker: str, cores: set[int] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """The command under way, in a session of its own; `marker` is in the environment of all its processes."""
    with subprocess.Popen(
        [*MODULE, *map(str, words)],
        cwd=cwd,
        env=real.environment(TMPDIR=marker),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=None if cores is None else lambda: os.sched_setaffinity(0, cores),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_finding(process: subprocess.Popen[str]) -> None:
    """Waits until the first check is done."""
    assert process.stdout is not None
    while line := process.stdout.readline():
        if "Small numbers are right" in line:
            return
    raise AssertionError("the command ended without a finding")


# ── What is left behind ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("statement", ["while True: pass", "import time; time.sleep(1000)"])
def test_killing_the_command_while_a_child_hangs_leaves_no_process(
    statement: str, track: Path, folder: Path, marker: str
) -> None:
    file = write(folder, unlucky(statement))
    with started("grade", "5", file, "--track", track, cwd=folder, marker=marker) as process:
        first_finding(process)
        time.sleep(0.3)  # it calls the answer with 13 now
        alive = [real.Process(pid) for pid in real.family(process.pid)]
        assert {one.pid for one in alive if real.readable(one.pid)} <= set(real.marked(marker)) | {process.pid}
        process.kill()
    until(lambda: not any(one.alive() for one in alive) and not list(real.marked(marker)), 10)


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.6, 1.0])
def test_killing_the_command_at_any_time_leaves_no_process(
    seconds: float, track: Path, folder: Path, marker: str
) -> None:
    file = write(folder, unlucky("while True: pass"))
    with started("grade", "5", file, "--track", track, cwd=folder, marker=marker) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    until(lambda: not list(real.marked(marker)), 30)


def test_interrupting_the_command_leaves_no_process_and_no_traceback(track: Path, folder: Path, marker: str) -> None:
    file = write(folder, unlucky("while True: pass"))
    with started("grade", "5", file, "--track", track, cwd=folder, marker=marker) as process:
        first_finding(process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    until(lambda: not list(real.marked(marker)), 10)


def test_a_judge_that_is_killed_is_replaced_once(track: Path, folder: Path, marker: str) -> None:
    file = write(folder, unlucky("import time; time.sleep(1.5); return 26"))
    with started("grade", "5", file, "--track", track, cwd=folder, marker=marker) as process:
        first_finding(process)
        os.kill(until(lambda: judge(process.pid)), signal.SIGKILL)
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "passed · 3/3 points" in out
    until(lambda: not list(real.marked(marker)), 10)


def judge(command: int) -> int:
    """The process that judges: started by the command, or forked by the zygote into no session of its own."""
    below = [pid for pid in real.family(command) if int(real.stat(pid)[1]) == command]
    if os.environ.get("KATA_START") != "spawn":
        forks = [pid for pid in real.family(command) if int(real.stat(pid)[1]) in below]
        below = [pid for pid in forks if int(real.stat(pid)[3]) != pid]
    return below[0] if below else 0


# ── The learner's folder ────────────────────────────────────────────────────────────────────────────────────────────


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(p.relative_to(folder)): (p.stat().st_mtime_ns, p.stat().st_size) for p in folder.rglob("*")}


def test_nothing_appears_in_the_learners_folder(track: Path, folder: Path) -> None:
    file = write(folder, "import torch\n" + unlucky("import re, colorsys; return 0"))
    (folder / "broken").mkdir()
    write(folder / "broken", "import helper\n" + real.ANSWER)
    (folder / "helper.py").write_text("x = 1\n")
    before, shelves = listing(folder), listing(track)
    for command in (["5"], [file, "--json"], ["5", folder / "broken" / "05_double.py"]):
        assert kata("grade", *command, "--track", track, cwd=folder).returncode == 1
    for command in (["list"], ["show", "5"], ["doctor"]):
        assert real.complaints(kata(*command, "--track", track, cwd=folder).stderr) == ""
    assert listing(folder) == before
    assert listing(track) == shelves


SHADOWS = ("torch", "numpy", "socket", "kata", "click", "msgspec", "rich", "pathlib", "subprocess", "resource")


@pytest.mark.parametrize("launcher", [SCRIPT, MODULE], ids=["kata", "python -P -m kata"])
def test_a_folder_with_files_named_like_modules(launcher: list[str], track: Path, folder: Path) -> None:
    for name in SHADOWS:
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong file was imported')\n")
    write(folder, "import torch, numpy, socket\n" + real.ANSWER)
    done = kata("grade", "5", "--track", track, cwd=folder, launcher=launcher)
    assert "passed · 3/3 points" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


def test_the_paths_of_pythonpath_that_lead_here_are_left_out(track: Path, folder: Path) -> None:
    for name in ("torch", "click", "rich"):
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong file was imported')\n")
    write(folder, real.ANSWER)
    path = os.pathsep.join(filter(None, ("", ".", str(folder), os.environ.get("PYTHONPATH"))))
    done = kata("grade", "5", "--track", track, cwd=folder, env={"PYTHONPATH": path})
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_that_was_deleted(track: Path, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "05_double.py"
    file.write_text(real.ANSWER)
    program = 'rmdir "$PWD" && exec "$@"'
    for words, code in (
        (["grade", "5", str(file)], 0),
        (["list"], 0),
        (["grade", "5"], 2),
        (["grade", "5", "x.py"], 2),
        (["init", "mine"], 2),
    ):
        folder.mkdir(exist_ok=True)
        launcher = ["sh", "-c", program, "sh", *MODULE]
        done = kata(*words, "--track", track, cwd=folder, launcher=launcher)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr


def no_privileges() -> None:
    """Before exec: not even root may read or write what the permissions forbid."""
    prctl = ctypes.CDLL(None).prctl
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def test_a_folder_that_is_read_only(track: Path, folder: Path) -> None:
    write(folder, real.ANSWER)
    (folder / "secret.py").write_text(real.ANSWER)
    (folder / "secret.py").chmod(0)
    folder.chmod(0o555)
    try:
        done = kata("grade", "5", "--track", track, "--junit", "out.xml", cwd=folder, preexec_fn=no_privileges)
        assert "passed · 3/3 points" in done.stdout
        assert (done.returncode, done.stderr) == (2, "kata: out.xml can't be written: Permission denied\n")
        done = kata("grade", "5", "secret.py", "--track", track, cwd=folder, preexec_fn=no_privileges)
        assert (done.returncode, "can't be read: Permission denied" in done.stdout) == (1, True)
    finally:
        folder.chmod(0o755)


# ── Streams and files that can't be written ─────────────────────────────────────────────────────────────────────────


def shell(line: str, track: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line for bash in which `kata` is the command."""
    write(folder, real.ANSWER)
    words = " ".join(f"'{word}'" for word in MODULE)
    start = f'set -o pipefail; kata() {{ {words} "$@"; }}; export KATA_TRACK={track}; '
    return kata("-c", start + line, cwd=folder, launcher=["bash"])


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_verdict(closed: str, track: Path, folder: Path) -> None:
    done = shell(f"kata grade 5 --json {closed} && kata --help {closed}", track, folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert ('"passed": true' in done.stdout) == (">&-" not in closed.replace("2>&-", ""))


def test_a_pipe_that_nobody_reads_is_no_fault(track: Path, folder: Path) -> None:
    for words in ("list", "show 5"):
        done = shell(f"kata {words} | true", track, folder)
        assert (done.returncode, real.complaints(done.stderr)) in ((0, ""), (1, "")), words
    assert shell("kata grade 5 | head -1", track, folder).stdout.startswith("5 · Double")


@pytest.mark.parametrize("words", ["grade 5 --json", "list", "--help"])
def test_a_full_disk_under_stdout_is_told(words: str, track: Path, folder: Path) -> None:
    done = shell(f"kata {words} > /dev/full", track, folder)
    assert done.returncode == 2
    told = real.complaints(done.stderr)
    assert told.startswith("kata: What there is to print can't be written: [Errno 28] No space left on device.")


def test_a_full_disk_under_stdout_and_stderr(track: Path, folder: Path) -> None:
    assert shell("kata list > /dev/full 2>&1", track, folder).returncode == 2


def test_a_full_disk_under_junit_is_told_and_leaves_no_half_file(track: Path, folder: Path) -> None:
    write(folder, real.ANSWER)
    (folder / "out.xml").write_text("old")
    before = listing(folder)

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = kata("grade", "5", "--track", track, "--junit", "out.xml", cwd=folder, preexec_fn=small_files)
    assert (done.returncode, done.stderr) == (2, "kata: out.xml can't be written: File too large\n")
    assert listing(folder) == before


def test_junit_goes_into_a_device_and_through_a_link(track: Path, folder: Path) -> None:
    done = shell("kata grade 5 --junit /dev/full", track, folder)
    assert (done.returncode, done.stderr) == (2, "kata: /dev/full can't be written: No space left on device\n")
    assert Path("/dev/full").is_char_device()
    (folder / "real.xml").write_text("old")
    (folder / "link.xml").symlink_to("real.xml")
    assert shell("kata grade 5 --junit link.xml", track, folder).returncode == 0
    assert (folder / "link.xml").is_symlink()
    assert "<testsuite " in (folder / "real.xml").read_text()
    assert "<testsuite " in shell("kata grade 5 --junit /dev/stdout | cat", track, folder).stdout


# ── torch that is missing or too old ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has everything that kata needs but torch."""
    home = tmp_path_factory.mktemp("bare") / "venv"
    venv.create(home, symlinks=True)
    mine = Path(next(iter((home / "lib").glob("python*")))) / "site-packages"
    theirs = Path(msgspec.__file__).parents[1]
    for name in ("click", "rich", "markdown_it", "mdurl", "pygments", "msgspec"):
        (mine / name).symlink_to(theirs / name)
    (mine / "kata.pth").write_text(str(ROOT / "src") + "\n")
    return home


def fake_torch(folder: Path, text: str, version: str = "") -> dict[str, str]:
    (folder / "torch").mkdir(parents=True)
    (folder / "torch" / "__init__.py").write_text(text)
    if version:
        (info := folder / f"torch-{version}.dist-info").mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
    return {"PYTHONPATH": str(folder)}


TORCHES = {
    "missing": (None, "", "can't be imported by {python} (No module named 'torch'). Install it into this environment:"),
    "too old": ("__version__ = '2.1.0+cu118'", "2.1.0", "2.1.0"),
    "ancient": ("__version__ = '0.4.1'", "0.4.1", "PyTorch 0.4.1 of {python} is older than 2.13, which kata needs."),
    "broken": (
        "raise OSError('libtorch_cpu.so: cannot open shared object file')",
        "",
        "can't be imported by {python} (libtorch_cpu.so: cannot open shared object file).",
    ),
}


@pytest.mark.parametrize("name", TORCHES)
def test_a_torch_that_does_not_do_is_told_with_its_remedy(
    name: str, bare: Path, track: Path, folder: Path, tmp_path: Path
) -> None:
    text, version, words = TORCHES[name]
    env = {"PYTHONPATH": ""} if text is None else fake_torch(tmp_path / "fake", text, version)
    python = str(bare / "bin" / "python")
    write(folder, real.ANSWER)
    for more in ([], ["--json"]):
        done = kata(
            "grade",
            "5",
            "--track",
            track,
            *more,
            cwd=folder,
            launcher=[python, "-P", "-m", "kata"],
            env={"COLUMNS": "1000"} | env,
        )
        assert done.returncode == 2
        assert words.format(python=python) in done.stderr
        assert f"{python} -m pip install 'torch>=2.13' --index-url" in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stderr.count("kata: ") == 1


def test_the_doctor_says_what_is_wrong_with_torch(bare: Path, track: Path, folder: Path, tmp_path: Path) -> None:
    python = str(bare / "bin" / "python")
    launcher = [python, "-P", "-m", "kata"]
    done = kata("doctor", "--track", track, cwd=folder, launcher=launcher, env={"PYTHONPATH": ""})
    assert (done.returncode, "it is not installed" in " ".join(done.stdout.split())) == (1, True)
    env = fake_torch(tmp_path / "fake", "", "2.1.0")
    done = kata("doctor", "--track", track, cwd=folder, launcher=launcher, env=env)
    assert (done.returncode, "2.1.0" in done.stdout, "-m pip install" in done.stdout) == (1, True, True)


# ── Small machines, and machines without fork ───────────────────────────────────────────────────────────────────────


def test_one_core_and_768_mib_do(track: Path, folder: Path, marker: str) -> None:
    write(folder, "import torch\n" + unlucky("x = torch.ones(2**24); import time; time.sleep(0.5)"))
    core = {min(os.sched_getaffinity(0))}
    peak = 0
    with started("grade", "5", "--track", track, cwd=folder, marker=marker, cores=core) as process:
        while process.poll() is None:
            peak = max(peak, real.memory([process.pid, *real.marked(marker)]))
        assert process.returncode == 0
    assert 64 * MIB < peak <= 768 * MIB, f"{peak / MIB:.0f} MiB"


NO_FORK = """
import os
vars(os).pop("fork", None)
raise ImportError("there is no {name} here")
"""
LAUNCHER = """
import os, sys
del os.fork
sys.argv[0] = "kata"
from kata.__main__ import main
main()
"""


def test_a_machine_without_fork_fcntl_and_resource(track: Path, folder: Path, tmp_path: Path) -> None:
    (shims := tmp_path / "shims").mkdir()
    for name in ("fcntl", "resource"):
        (shims / f"{name}.py").write_text(NO_FORK.format(name=name))
    (tmp_path / "launcher.py").write_text(LAUNCHER)
    path = os.pathsep.join(filter(None, (str(shims), os.environ.get("PYTHONPATH"))))
    launcher = [sys.executable, "-P", str(tmp_path / "launcher.py")]
    env = {"PYTHONPATH": path, "KATA_START": ""}
    check = "try:\n    import resource\nexcept ImportError as e: print(e)\n"
    file = write(folder, check + unlucky("import os; os._exit(3)"))
    done = kata("grade", "5", file, "--track", track, "--json", cwd=folder, launcher=launcher, env=env)
    told = report(done)
    assert verdicts(told) == ALL_BUT_ONE | {"during": "died"}
    assert told.findings[0].output == "there is no resource here\n"
    assert (done.returncode, done.stderr) == (1, "")
    assert "no fork here" in kata("doctor", "--track", track, cwd=folder, launcher=launcher, env=env).stdout
