"""The judge's end of a learner's process: real forks that misbehave, and forged frames."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch

from kata.errors import OwnFault
from kata.model import Call, Error, Finding, Job, Limits, Raised, Reply, Report, Submission
from kata.zygote import budget, launch, start
from kata.zygote.budget import OUTPUT_KEPT
from kata.zygote.frames import PREFIX, Channel, pack
from kata.zygote.launch import Engine
from kata.zygote.messages import Answer, Ask, Load, Loaded, Ready, decode_request, encode
from kata.zygote.remote import NO_REPLY, Remote
from kata.zygote.source import Source
from tests import tiny

HEAD = "import os, sys, time, torch\ndef double_and_shift(x, amount):\n    if amount < 0: raise ValueError\n"
QUICK = Limits(cpu_seconds=0.4, wall_seconds=30, memory_mib=512)


def judged(engine: Engine, root: Path, text: str, *only: str, limits: Limits = QUICK, seed: int = 0) -> Report:
    job = Job(str(root), 7, Submission(f"{tiny.NAME}.py", text.encode()), seed, only)
    return engine.report(job, limits)


def body(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


def timeless(report: Report) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(report)
    plain["seconds"] = 0
    for finding in plain["findings"]:
        finding["seconds"] = 0
    return plain


def values(report: Report) -> Finding:
    return next(finding for finding in report.findings if finding.check == "values")


def test_a_right_answer_and_its_report(engine: Engine, root: Path) -> None:
    report = judged(engine, root, tiny.ANSWER)
    assert report.passed and report.error is None
    assert (report.score, report.max_score, report.craft, report.max_craft) == (8.0, 8.0, 2, 2)
    assert report.torch == str(torch.__version__)
    assert report.problem.version == 5


def test_two_runs_give_the_same_report(engine: Engine, root: Path) -> None:
    text = body("import random", "print(x.sum(), random.random())", "return x + amount + torch.rand(()) / 100")
    one, same = (timeless(judged(engine, root, text, seed=4)) for _ in range(2))
    assert one == same
    with Engine() as another:
        assert timeless(judged(another, root, text, seed=4)) == one
    assert timeless(judged(engine, root, text, seed=5)) != one


def test_only_gives_the_same_finding_as_a_full_run(engine: Engine, root: Path) -> None:
    text = "import torch\ncalls = []\n" + body("calls.append(1)", "return x * len(calls) + torch.rand(())")
    whole = timeless(judged(engine, root, text))
    for index, finding in enumerate(whole["findings"]):
        report = judged(engine, root, text, finding["check"])
        alone = timeless(report)["findings"][index]
        if alone["verdict"] == "failed":
            assert alone == finding
        assert alone["verdict"] == finding["verdict"] and not report.passed


@pytest.mark.parametrize(
    ("text", "verdict", "message"),
    [
        (body("while True: pass"), "timed_out", "no answer after 0.4 seconds of computing"),
        (body("os._exit(3)"), "died", "it ended its own process with exit code 3"),
        (body("os._exit(0)"), "died", "it ended its own process with exit code 0"),
        (body("sys.exit(4)"), "crashed", "SystemExit: 4"),
        (body("raise KeyboardInterrupt"), "crashed", "KeyboardInterrupt"),
        (body("return torch.ones(2**40)"), "crashed", "RuntimeError: "),
        (body("return double_and_shift(x, amount)"), "crashed", "RecursionError: maximum recursion depth exceeded"),
        (body("return 'x' * 2_000_000"), "failed", "returned a value that is too large to come back where a tensor"),
        (body("return [0.0] * 1_000_000"), "failed", "returned a list where a tensor is asked for"),
        (body("return torch.eye(2).to_sparse()"), "failed", "a tensor came back that can't be read: float32 (2, 2)"),
        (body("return torch.empty_like(x, device='meta')"), "failed", "a tensor without numbers, on the meta device"),
        (body("return (x for x in ())"), "failed", "returned a generator where a tensor is asked for"),
    ],
    ids=lambda value: value.split("\n")[3].strip() if "\n" in value else None,
)
def test_whose_fault_has_a_name(engine: Engine, root: Path, text: str, verdict: str, message: str) -> None:
    report = judged(engine, root, text, "values")
    found = values(report)
    assert found.verdict == verdict, found.message
    assert found.message.startswith(message)
    assert not report.passed and report.score == 0.0 and report.error is None


def test_waiting_for_what_never_comes_has_a_limit_of_its_own(engine: Engine, root: Path) -> None:
    found = values(judged(engine, root, body("time.sleep(100)"), "values", limits=Limits(wall_seconds=0.5)))
    assert found.verdict == "timed_out"
    assert found.message == "no answer after 0.5 seconds: it waits for something that never comes"


SPIN = """
import torch

def inner(n):
    total = 0
    while n > 0: total += 1

def double_and_shift(x, amount):
    print("x" * 300_000, flush=True)
    SETUP
    inner(3)
"""


def stood(engine: Engine, root: Path, setup: str = "pass", wall: float = 30.0) -> list[tuple[int, str, str]]:
    """The lines at which an answer is said to have been when its time was over."""
    text = SPIN.replace("SETUP", setup)
    found = values(judged(engine, root, text, "values", limits=Limits(0.4, wall)))
    assert found.verdict == "timed_out" and "most recent call first" not in found.output
    return [(step["line"], step["function"], step["text"].strip()) for step in found.evidence.get("traceback", [])]


def test_a_time_out_says_where_the_answer_was(engine: Engine, root: Path) -> None:
    assert stood(engine, root) == [(11, "double_and_shift", "inner(3)"), (6, "inner", "while n > 0: total += 1")]
    asleep = stood(engine, root, "import time; time.sleep(100)", wall=0.5)
    assert asleep == [(10, "double_and_shift", "import time; time.sleep(100)")]
    busy_in_torch = "a = torch.ones(3000, 3000, dtype=torch.float64); [a @ a for _ in range(99)]"
    assert stood(engine, root, busy_in_torch)[0] == (10, "double_and_shift", busy_in_torch)


@pytest.mark.parametrize(
    "setup",
    [
        "import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})",
        "import os; os.close(2)",
        "import signal, os; signal.signal(signal.SIGUSR1, lambda *_: os.write(2, b'  File \"<a>\", line 3 in f'))",
    ],
)
def test_one_that_does_not_say_where_it_is_is_ended_all_the_same(engine: Engine, root: Path, setup: str) -> None:
    assert stood(engine, root, setup) == []


def test_what_is_said_of_lines_that_do_not_exist_is_not_believed(engine: Engine, root: Path) -> None:
    forged = "".join(f'  File "{tiny.NAME}.py", line {n} in expected_%d\\n' for n in (999, 0, 3, 10**6))
    setup = f"import signal, os; signal.signal(signal.SIGUSR1, lambda *_: os.write(2, b'{forged}' % (1, 2, 3, 4)))"
    assert stood(engine, root, setup) == [(3, "?", "")]


def test_a_segfault_is_named(engine: Engine, root: Path) -> None:
    found = values(judged(engine, root, body("import ctypes", "ctypes.string_at(0)"), "values"))
    assert found.verdict in ("died", "crashed")  # crashed, where the sandbox does not let ctypes be imported
    if found.verdict == "died":
        assert found.message == "its process was ended by SIGSEGV"


def test_the_rest_runs_in_a_new_process(engine: Engine, root: Path) -> None:
    text = body("if x.dim() == 2: os._exit(1)", "return 2 * x + amount")
    report = judged(engine, root, text)
    assert [f.verdict for f in report.findings] == ["died", "died", "passed", "passed", "passed", "passed"]


def test_every_time_out_shortens_the_next_until_something_is_answered(engine: Engine, root: Path) -> None:
    text = body("while x.dim() == 1 and len(x) == 3: pass", "return 2 * x + amount")
    report = judged(engine, root, text, "values", "gradient", "refuses", "half", "hands_off", limits=Limits(2.4))
    told = [f.message for f in report.findings if f.verdict == "timed_out"]
    assert told == [f"no answer after {n} seconds of computing" for n in ("2.4", "2.4", "0.6")]


def test_all_checks_together_have_a_limit_that_every_check_may_reach(engine: Engine, root: Path) -> None:
    """An answer that sleeps now and then stays below every limit of a call: the sum of its calls ends it."""
    text = body("time.sleep(0.5)", "return 2 * x + amount")
    report = judged(engine, root, text, limits=Limits(wall_seconds=30, submission_seconds=0.8))
    verdicts = [finding.verdict for finding in report.findings]
    assert verdicts == ["timed_out"] * len(verdicts) and report.score == 0 and report.diagnoses == ()
    said = "all checks together took 0.8 seconds, which is as long as one submission may take"
    assert {finding.message for finding in report.findings} == {said}
    assert judged(engine, root, tiny.ANSWER, limits=Limits(submission_seconds=30)).passed


def test_what_is_printed_is_kept_and_cut(engine: Engine, root: Path) -> None:
    found = values(judged(engine, root, body("print('\\x1b[31m', amount)", "return None"), "values"))
    assert found.output.startswith("␛[31m ") and found.output.endswith("\n")
    flood = values(judged(engine, root, body("print('x' * 100_000)", "return None"), "values"))
    assert flood.output == "x" * OUTPUT_KEPT + f"\n… and {100_001 - OUTPUT_KEPT:,} more bytes"
    mixed = values(judged(engine, root, body("os.write(2, b'\\xff\\n')", "return None"), "values"))
    assert mixed.output == "�\n"


def test_output_without_end_ends_the_process(engine: Engine, root: Path) -> None:
    found = values(judged(engine, root, body("while True: print('x' * 10_000)"), "values", limits=Limits()))
    assert (found.verdict, found.message) == ("died", "it printed more than 8 MiB")


def test_a_file_that_hangs_or_dies_while_it_is_run(engine: Engine, root: Path) -> None:
    report = judged(engine, root, "while True: pass\n" + tiny.ANSWER, "values", "half")
    assert {f.verdict for f in report.findings} == {"timed_out", "skipped"}
    report = judged(engine, root, "import os\nos._exit(7)\n" + tiny.ANSWER, "values")
    assert values(report).message == "it ended its own process with exit code 7"


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        (tiny.QUESTION, "not_written", 13),
        ("def f(:\n", "syntax", 1),
        ("x = 1\0", "not_python", None),
        ("import nonesuch\n", "import", 1),
        ("x = 1\n", "missing_function", None),
        ("def double_and_shift(x): return x\n", "signature", None),
    ],
)
def test_files_that_cannot_be_judged(engine: Engine, root: Path, text: str, kind: str, line: int | None) -> None:
    report = judged(engine, root, text)
    assert report.error is not None and (report.error.kind, report.error.line) == (kind, line)
    assert {f.verdict for f in report.findings} == {"skipped"}
    assert (report.passed, report.score, report.max_score) == (False, 0.0, 8.0)


# ── Forged replies ──────────────────────────────────────────────────────────────────────────────────────────────────

Talk = Callable[[Channel], None]


class Forger:
    """A child that is a thread of ours and says what it likes."""

    pid = 2**22 + 1  # no process has it

    def __init__(self, talk: Talk, printed: bytes = b"") -> None:
        self.channel, theirs = socket.socketpair()
        self.output, self._printed = socket.socketpair()
        self.print(printed)
        self._theirs = Channel(theirs)
        self._thread = threading.Thread(target=self._run, args=(talk,))
        self._thread.start()

    def _run(self, talk: Talk) -> None:
        with contextlib.suppress(OSError):
            talk(self._theirs)

    def print(self, text: bytes) -> None:
        self._printed.sendall(text)

    def reap(self) -> int:
        self._theirs.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._theirs.sock.close()
        self._printed.close()
        return 0


def answer(request: Ask | Load, **changes: Any) -> bytes:
    plain: dict[str, Any] = {"ended": "value", "value": None, "gradients": None, "raised": None, "changed": ()}
    plain |= {"state": (), "used": (), "torch_calls": -1, "audit": (), "shortcuts": (), "storages": []}
    return pack(encode(Answer(id=request.id, **(plain | changes))))


FILE = Source(b"", "f.py", ("f",), {"f": ["x"]})


def forger(
    reply: Callable[[Ask], bytes], loaded: Callable[[Load], bytes] | None = None, printed: bytes = b""
) -> Remote:
    """The judge's end of a child that answers with these bytes, and prints others before."""

    def printing(request: Ask) -> bytes:
        made[-1].print(printed)
        return reply(request)

    def spawn(memory: int) -> Forger:
        made.append(Forger(lambda channel: willing(channel, printing, loaded)))
        return made[-1]

    made: list[Forger] = []
    return Remote(spawn, FILE, Limits(cpu_seconds=1, wall_seconds=2))


def willing(
    channel: Channel, reply: Callable[[Ask], bytes] = answer, loaded: Callable[[Load], bytes] | None = None
) -> None:
    """A child that gets ready and answers what it is asked."""
    channel.send(encode(Ready()))
    while (frame := channel.receive()) is not None:
        request = decode_request(frame[0])
        if isinstance(request, Ask):
            channel.sock.sendall(reply(request))
        elif loaded is not None:
            channel.sock.sendall(loaded(request))
        else:
            channel.send(encode(Loaded(request.id, None)))


def forged(reply: Callable[[Ask], bytes], loaded: Callable[[Load], bytes] | None = None) -> Reply | Error | None:
    """What the judge makes of these bytes for an answer."""
    remote = forger(reply, loaded)
    try:
        return remote.fresh() or asked(remote)
    finally:
        remote.close()


def asked(remote: Remote) -> Reply:
    """The reply to one call."""
    remote.send(Call((torch.ones(2),), {}))
    return remote.receive()


def test_an_honest_forger_is_believed() -> None:
    assert forged(answer) == Reply("value")


def big(request: Ask) -> bytes:
    return PREFIX.pack(2**31, 0)


@pytest.mark.parametrize(
    "reply",
    [
        lambda r: pack(b""),
        lambda r: pack(b"\xc1"),
        lambda r: pack(b"\x81\xa4type\xa3ask"),
        lambda r: pack(b"\x91" * 5000),
        lambda r: pack(encode(Ready())),
        lambda r: pack(encode(Loaded(r.id, None))),
        lambda r: pack(encode(r)),
        lambda r: answer(msgspec.structs.replace(r, id=r.id + 1)),
        lambda r: answer(r) * 2,
        lambda r: answer(r, ended="raised"),
        lambda r: answer(r, ended="raised", raised=Raised((), "")),
        lambda r: answer(r, raised=Raised(("E",), "")),
        lambda r: answer(r, value=["T", "float32", [2], [1], 0, 0]),
        lambda r: answer(r, value=["d", [1], []]),
        lambda r: answer(r, gradients=[["r", "a", ["self", "__dataclass_self__"], [1, 2]]]),
        big,
    ],
)
def test_what_is_no_reply_ends_the_process(reply: Callable[[Ask], bytes]) -> None:
    made = forged(reply)
    assert isinstance(made, Reply) and made.ended == "died"
    assert made.message.startswith((NO_REPLY, "the answer's process sent a reply that nobody asked for"))


def test_half_a_reply_is_waited_for_and_no_longer() -> None:
    made = forged(lambda request: answer(request)[:-1])
    assert isinstance(made, Reply) and made.ended == "timed_out"


def test_all_replies_together_have_a_cap_that_outlives_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "REPLIES_CAP", 3 * 2**20)
    remote = forger(lambda request: answer(request, value="x" * 900_000))
    assert remote.fresh() is None
    assert [asked(remote).ended for _ in range(4)] == ["value"] * 3 + ["died"]
    spent = Reply("died", message="it sent back more than 3 MiB, which is all that one submission may send")
    assert remote.fresh() == spent


def test_all_prints_together_have_a_cap_that_outlives_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "PRINTED_CAP", 2**20)
    remote = forger(answer, printed=b"x" * 400_000)
    assert remote.fresh() is None
    for _ in range(2):
        assert asked(remote).ended == "value"
        assert remote.take_output().startswith("xxx")
    spent = Reply("died", message="it printed more than 1 MiB, which is all that one submission may print")
    assert asked(remote) == spent
    assert remote.fresh() == spent


@pytest.mark.parametrize("kind", ["ours", "missing_file", "unreadable", "too_large"])
def test_a_child_cannot_claim_an_error_that_is_not_its_own(kind: Any) -> None:
    made = forged(answer, lambda load: pack(encode(Loaded(load.id, Error(kind, "not me")))))
    assert isinstance(made, Reply) and made.ended == "died"
    syntax = Error("syntax", "mine", 1)
    assert forged(answer, lambda load: pack(encode(Loaded(load.id, syntax)))) == syntax


def test_a_child_that_never_gets_ready_is_our_own_fault() -> None:
    def silent(channel: Channel) -> None:
        channel.sock.shutdown(socket.SHUT_RDWR)

    def spawn(memory: int) -> Forger:
        started.append(Forger(silent))
        return started[-1]

    started: list[Forger] = []
    remote = Remote(spawn, FILE, Limits())
    with pytest.raises(OwnFault, match="the answer's process could not be started: it ended its own process"):
        remote.fresh()
    assert len(started) == 2, "one more is tried, and no third"


def test_a_start_that_fails_once_is_tried_again_and_leaves_no_trace() -> None:
    def broken(channel: Channel) -> None:
        channel.sock.shutdown(socket.SHUT_RDWR)

    def spawn(memory: int) -> Forger:
        made.append(Forger(willing) if made else Forger(broken, b"OSError: what our own code said\n"))
        return made[-1]

    made: list[Forger] = []
    remote = Remote(spawn, FILE, Limits(cpu_seconds=1, wall_seconds=2))
    try:
        assert remote.fresh() is None
        assert asked(remote) == Reply("value")
        assert (len(made), remote.take_output()) == (2, "")
    finally:
        remote.close()


def test_a_child_that_can_not_confine_itself_sees_no_source(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A confinement whose rule set is no descriptor: both starts fail, the fault is ours, and there is no report."""
    monkeypatch.setattr(launch, "command", broken_rules(start.command))
    printing = f"print('seen', flush=True)\n{tiny.ANSWER}"
    with Engine() as engine, pytest.raises(OwnFault, match="could not be started") as told:
        judged(engine, root, printing)
    assert "OSError" in str(told.value) and "seen" not in str(told.value)


def broken_rules(command: Callable[..., list[str]]) -> Callable[..., list[str]]:
    """The command line of a process whose children find a bad descriptor where their rules should be."""
    broken = "import kata.zygote.landlock as l; l.restrict = lambda rules: (_ for _ in ()).throw(OSError('no rules')); "

    def changed(module: str, *args: str) -> list[str]:
        words = command(module, *args)
        return [
            w.replace(f"from kata.zygote.{module} import main;", f"{broken}from kata.zygote.{module} import main;")
            for w in words
        ]

    return changed


@pytest.fixture(autouse=True)
def no_threads_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before
