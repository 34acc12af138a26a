"""The judge: verdicts, evidence, determinism, what it wants of each call."""

from pathlib import Path
from typing import Any

import pytest
import torch

from kata.errors import KataError, OwnFault
from kata.inline import Inline
from kata.judge import Judge, Refused, Trial
from kata.model import Call, Error, Finding, Grader, Raised, Reply
from tests import tiny
from tests.tiny import Judged

RIGHT = tiny.ANSWER
HEAD = "def double_and_shift(x, amount):\n"
CHECKED = HEAD + "    if amount < 0: raise ValueError\n"


class Scripted:
    """A callee that answers whatever it is told to."""

    def __init__(self, *replies: Reply, made: Error | Reply | None = None) -> None:
        self.replies, self.made, self.shortcuts = list(replies), made, set[tuple[str, int]]()

    def fresh(self) -> Error | Reply | None:
        return self.made

    def send(self, call: Call) -> None:
        pass

    def receive(self) -> Reply:
        return self.replies.pop(0)

    def take_output(self) -> str:
        return "\x1b[1mprinted"


def judge(grader: Grader, seed: int = 0) -> Judge:
    return Judge(grader, seed, {"double_and_shift": ["x", "amount"]})


def trial(grader: Grader, name: str, *replies: Reply, made: Error | Reply | None = None) -> Trial:
    check = next(check for check in grader.checks if check.name == name)
    return judge(grader).trial(check, Scripted(*replies, made=made))


def timeless(findings: tuple[Finding, ...]) -> list[tuple[Any, ...]]:
    return [(f.check, f.verdict, f.points, f.message, f.evidence, f.output) for f in findings]


def test_a_right_answer_passes_everything(grader: Grader) -> None:
    judged = Judged(grader, RIGHT)
    assert set(judged.verdicts.values()) == {"passed"}
    assert [f.points for f in judged.findings] == [1.0, 4.0, 2.0, 1.0, 0.0, 0.0]
    assert judged.diagnoses == ()


def test_findings_come_in_order_with_their_promises(grader: Grader) -> None:
    found = Judged(grader, RIGHT).findings
    assert [f.check for f in found] == ["keeps_the_shape", "values", "gradient", "refuses", "half", "hands_off"]
    assert found[0].promise == "The result has the shape of the input."
    assert [f.tier for f in found] == ["required"] * 4 + ["craft"] * 2
    assert found[0].explains


def test_evidence_tells_the_call_the_numbers_and_where(grader: Grader) -> None:
    judged = Judged(grader, CHECKED + "    y = 2 * x + amount\n    if y.dim() == 2: y[1] = 0\n    return y\n")
    finding = judged["values"]
    assert finding.verdict == "failed"
    assert finding.message.startswith("3 of 6 values are wrong; the first at [1, 0] is 0 where ")
    assert finding.evidence["call"].startswith("double_and_shift(x: float32 (2, 3), ")
    assert finding.evidence["where"] == ["along axis 0 (size 2) everything before index 1 is right"]
    one, other = finding.evidence["map"]
    assert one == "···" and set(other) <= set("▒▓█")
    assert not {"bad", "tensors"} & finding.evidence.keys()


def test_a_crash_carries_the_learners_lines(grader: Grader) -> None:
    finding = Judged(grader, "def helper(x):\n    return x.nope\n\n" + HEAD + "    return helper(x)\n")["values"]
    assert finding.verdict == "crashed"
    assert finding.message.startswith("AttributeError: 'Tensor' object has no attribute 'nope'")
    lines = finding.evidence["traceback"]
    assert [(at["line"], at["function"]) for at in lines] == [(5, "double_and_shift"), (2, "helper")]
    assert lines[1]["text"] == "return x.nope"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("    return 2 * x + amount\n", "returned float32 (2,) where ValueError is asked for"),
        ("    if amount < 0: return None\n    return 2 * x + amount\n", "returned None where ValueError is asked for"),
        (
            "    if amount < 0: raise TypeError('no')\n    return 2 * x + amount\n",
            "raised TypeError where ValueError is asked for: no",
        ),
        (
            "    assert amount >= 0\n    return 2 * x + amount\n",
            "raised AssertionError where ValueError is asked for: ",
        ),
    ],
)
def test_an_error_that_must_be_raised(grader: Grader, body: str, message: str) -> None:
    judged = Judged(grader, HEAD + body)
    assert (judged["refuses"].verdict, judged["refuses"].message) == ("failed", message)


def test_a_subclass_of_the_error_will_do(grader: Grader) -> None:
    text = "class Mine(ValueError): pass\n" + HEAD + "    if amount < 0: raise Mine\n    return 2 * x + amount\n"
    assert Judged(grader, text)["refuses"].verdict == "passed"


def test_gradients_are_judged(grader: Grader) -> None:
    cut = Judged(grader, CHECKED + "    return 2 * x.detach() + amount\n")["gradient"]
    assert cut.message == "the gradient is missing: nothing flows back from the result to the input"
    half = Judged(grader, CHECKED + "    return x + x.detach() + amount\n")["gradient"]
    assert half.message.startswith("3 of 3 values are wrong in the gradient; the first at [0] is ")


@pytest.mark.parametrize("ended", ["timed_out", "died"])
def test_endings_of_the_process_become_verdicts(grader: Grader, ended: Any) -> None:
    found = trial(grader, "values", Reply(ended, message="no \x1b more")).finding
    assert (found.verdict, found.message, found.output) == (ended, "no ␛ more", "␛[1mprinted")
    assert found.points == 0.0


def test_source_that_ends_badly_costs_each_check_its_verdict(grader: Grader) -> None:
    found = trial(grader, "values", made=Reply("timed_out", message="late")).finding
    assert (found.verdict, found.message, found.evidence) == ("timed_out", "late", {})
    with pytest.raises(Refused) as refused:
        trial(grader, "values", made=Error("syntax", "odd", 3))
    assert refused.value.error == Error("syntax", "odd", 3)


def test_a_text_without_end_is_cut_and_harmless(grader: Grader) -> None:
    raised = Raised(("E\x1b", "Exception", "BaseException"), "m\x00" * 5000)
    found = trial(grader, "values", Reply("raised", raised=raised)).finding
    assert found.message.startswith("E␛: m␀m␀") and len(found.message) <= 1001


def test_only(grader: Grader) -> None:
    whole = Judged(grader, CHECKED + "    return x + amount\n", seed=3)
    for finding in whole.findings:
        alone = Judged(grader, CHECKED + "    return x + amount\n", seed=3, only=(finding.check,))
        [ran] = [f for f in alone.findings if f.verdict != "skipped"]
        assert (
            timeless((ran,))[0][:2] + timeless((ran,))[0][3:]
            == timeless((finding,))[0][:2] + timeless((finding,))[0][3:]
        )
        assert {f.message for f in alone.findings if f is not ran} == {"left out by --only"}


def test_an_unknown_check_is_named_with_all_that_there_are(grader: Grader) -> None:
    with pytest.raises(KataError) as wrong:
        list(judge(grader).trials(Scripted(), ("value",)))
    names = "keeps_the_shape, values, gradient, refuses, half, hands_off"
    assert str(wrong.value) == f"There is no check value; this problem has {names}."


def test_the_seed_decides_everything(grader: Grader) -> None:
    wrong = CHECKED + "    return x + amount + torch.rand(()) + random.random()\n"
    text = "import torch, random\n" + wrong
    one, same, other = (timeless(Judged(grader, text, seed).findings) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_every_check_starts_clean(grader: Grader) -> None:
    text = """
import torch
calls = []
def double_and_shift(x, amount):
    if amount < 0: raise ValueError
    if not calls:
        assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()
        assert not torch.is_autocast_enabled("cpu") and not torch.is_anomaly_enabled()
        assert torch.get_num_threads() == 1 and torch.get_default_device().type == "cpu"
    calls.append(1)
    result = 2 * x + amount
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_autocast_enabled("cpu", True)
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    return result
"""
    judged = Judged(grader, text)
    assert set(judged.verdicts.values()) == {"passed"}
    assert torch.get_default_dtype() == torch.float32 and torch.is_grad_enabled()
    assert not torch.is_autocast_enabled("cpu") and not torch.is_anomaly_enabled()


def test_what_the_judge_wants_is_computed_once_a_seed(tmp_path: Path) -> None:
    own = tiny.graded(
        """
        calls = []
        def counted(x, amount):
            calls.append(amount)
            return reference(x, amount)

        @check(points=1)
        def values(draw):
            \"\"\"Right.\"\"\"
            got = yield call(draw.normal(2), 1.0, want=counted)
            yield call(draw.normal(2), float(got.sum() > 0), want=counted)
        """,
        tmp_path,
    )
    calls = next(check for check in own.checks).run.__globals__["calls"]
    same = judge(own)
    for _ in range(3):
        callee = Inline(lambda: tiny.functions(own.problem, RIGHT))
        assert [t.finding.verdict for t in same.trials(callee)] == ["passed"]
    assert len(calls) == 2


@pytest.mark.parametrize(
    "second",
    [
        "call(x, 1.0, want=reference, cotangent=torch.ones(2) * (1 + float(big)))",
        "call(x, 1.0 + float(big), want=reference)",
        "call(x, True if big else 1, want=reference)",
        "call(x * (1 + float(big)), 1.0, want=reference)",
        "call(x if big else x[:1], 1.0, want=reference)",
    ],
)
def test_what_is_kept_is_wanted_of_the_same_call_only(tmp_path: Path, second: str) -> None:
    """A check whose calls depend on replies: what was wanted of another answer's call is not wanted of this one's."""
    own = tiny.graded(
        f"""
        @check(points=1)
        def values(draw):
            \"\"\"Right.\"\"\"
            x = draw.normal(2)
            big = (yield call(x, 0.5, function="double_and_shift")).sum() > 100
            yield {second}
        """,
        tmp_path,
    )
    kept = judge(own)
    for first in ("0", "1000 * (amount == 0.5)"):
        text = f"{HEAD}    return 2 * x + amount + {first}\n"
        callee = Inline(lambda text=text: tiny.functions(own.problem, text))  # type: ignore[misc]
        [found] = [t.finding for t in kept.trials(callee)]
        assert found.verdict == "passed", found.message


def test_the_reference_never_sees_what_the_learner_could_touch(grader: Grader) -> None:
    judged = Judged(grader, CHECKED + "    x.zero_()\n    return x + amount\n")
    assert judged.verdicts["values"] == "failed"
    assert judged["hands_off"].message == "wrote to argument 1"


@pytest.mark.parametrize("bug", ["1 / 0", "raise KeyError('x')", "assert False", "got.nope"])
def test_a_bug_in_a_check_is_our_own_fault(tmp_path: Path, bug: str) -> None:
    body = "\n            ".join(['"""Right."""', "got = yield call(draw.normal(2), 1.0, want=reference)", bug])
    own = tiny.graded(f"\n        @check(points=1)\n        def values(draw):\n            {body}\n", tmp_path)
    with pytest.raises(OwnFault) as fault:
        Judged(own, RIGHT)
    assert str(fault.value) == f"the check values of {tiny.NAME} raised an error of its own"


def test_a_reference_that_raises_is_our_own_fault(tmp_path: Path) -> None:
    own = tiny.graded(
        '''
        @check(points=1)
        def values(draw):
            """Right."""
            yield call(draw.normal(2), -1.0, want=reference)
        ''',
        tmp_path,
    )
    with pytest.raises(OwnFault, match="the reference of 07_double_and_shift raised"):
        Judged(own, RIGHT)


def test_evidence_is_plain_json(tmp_path: Path) -> None:
    own = tiny.graded(
        '''
        @check(points=1)
        def values(draw):
            """Right."""
            yield call(draw.normal(2), 1.0, want=reference)
            odd = {"a": float("nan"), "b": [1, (2.0, float("inf"))], "c": {1: "\\x1b"}}
            raise Failed("no", **odd, d=torch.zeros(2), e=None, f=1j)
        ''',
        tmp_path,
    )
    evidence = Judged(own, RIGHT)["values"].evidence
    expected = {"a": "nan", "b": [1, [2.0, "inf"]], "c": {"1": "␛"}, "d": "float32 (2,)", "e": None, "f": "a complex"}
    assert {name: evidence[name] for name in expected} == expected


def test_meta_results_count_on_the_meta_device_alone(tmp_path: Path) -> None:
    own = tiny.graded(
        '''
        @check(points=1)
        def values(draw):
            """Right."""
            yield call(draw.normal(2), 1.0, want=reference)

        @check(craft=True)
        def follows(draw):
            """Stays on the device of its input."""
            yield call(draw.normal(2), 1.0, like=torch.zeros(2), on="meta")
        ''',
        tmp_path,
    )
    right = Judged(own, RIGHT)
    assert right.verdicts == {"values": "passed", "follows": "passed"}
    away = Judged(own, "import torch\n" + HEAD + "    return torch.empty_like(x, device='meta')\n")
    assert away.verdicts == {"values": "failed", "follows": "passed"}
    back = Judged(own, "import torch\n" + HEAD + "    return torch.zeros(2)\n")
    assert back["follows"].message == "float32 (2,) came back on the CPU where the meta device is asked for"
