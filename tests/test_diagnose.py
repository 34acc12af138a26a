"""The doctor: one mistake, several, families, ties; and silence where nothing fits."""

from pathlib import Path

import pytest

from kata.diagnose import KEPT, Probe
from kata.model import Grader
from tests import tiny
from tests.tiny import Judged

HEAD = "def double_and_shift(x, amount):\n"
CHECKED = HEAD + "    if amount < 0: raise ValueError\n"


def answer(expression: str) -> str:
    return f"{CHECKED}    return {expression}\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (answer("2 * x + amount"), []),
        (answer("x + amount"), ["not_doubled"]),
        (answer("2 * x - amount"), ["minus"]),
        (HEAD + "    return 2 * x + amount\n", ["unchecked"]),
        (answer("(2 * x + amount).float()"), ["always_float32"]),
        (CHECKED + "    return x.mul_(2).add_(amount)\n", ["in_place"]),
        (answer("2 * x * x + amount"), ["curved"]),
        (answer("x - amount"), ["not_doubled + minus"]),
        (HEAD + "    return 2 * x - amount\n", ["minus", "unchecked"]),
        (HEAD + "    return x + amount\n", ["not_doubled", "unchecked"]),
        (answer("x + amount + 0.25"), []),
        (answer("None"), []),
        (answer("x.nope"), []),
    ],
)
def test_names(grader: Grader, text: str, named: list[str]) -> None:
    found = " + ".join(Judged(grader, text).named)
    assert sorted(found.split(" + ")) == sorted(" + ".join(named).split(" + "))


def test_a_diagnosis_tells_its_checks_in_teaching_order(grader: Grader) -> None:
    [diagnosis] = Judged(grader, answer("x + amount")).diagnoses
    assert diagnosis.text == "The input is not doubled."
    assert diagnosis.checks == ("values", "gradient", "refuses")  # craft is explained once the answer is right


def test_a_family_tells_the_texts_of_all(grader: Grader) -> None:
    [diagnosis] = Judged(grader, answer("2 * x * x + amount")).diagnoses
    assert diagnosis.text == "The input is squared.\nOr: The input is multiplied by itself."


def test_two_at_once_are_one_diagnosis_that_covers_both(grader: Grader) -> None:
    [diagnosis] = Judged(grader, answer("x - amount")).diagnoses
    assert diagnosis.text == "Two things are off. The input is not doubled.\nAnd: The amount is taken away."
    assert {"values", "gradient"} <= set(diagnosis.checks)


def test_a_craft_mistake_explains_no_required_check(grader: Grader) -> None:
    judged = Judged(grader, answer("(2 * x + amount).double()"))
    assert judged.verdicts["half"] == "failed"
    assert judged.named == []  # float64 is not float32


def test_craft_is_explained_once_the_answer_is_right(grader: Grader) -> None:
    judged = Judged(grader, HEAD + "    return (2 * x + amount).float()\n")
    assert judged.verdicts["half"] == "failed"
    assert [(d.name, d.checks) for d in judged.diagnoses] == [("unchecked", ("refuses",))]


KNOBS = """
def reference(x, amount, *, a=0.0, b=0.0, c=0.0):
    return 2 * x.double() + amount + a * (amount == 1) + b * (amount == 2) + c * (amount == 3)


def one(n):
    def run(draw):
        yield call(draw.normal(2), float(n), want=reference)
    run.__name__, run.__doc__ = f"at_{n}", "Right."
    return check(points=1)(run)


CHECKS = [one(1), one(2), one(3), one(4)]
"""


def test_ties_are_of_mistakes_that_explain_the_same_checks(tmp_path: Path) -> None:
    """Two that explain as many, but different checks, are two things and no alternative."""
    mistakes = 'MISTAKES = [mistake("first", "First.", a=1.0, b=1.0), mistake("other", "Other.", a=1.0, c=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    judged = Judged(own, HEAD + "    return 2 * x + amount + (1 <= amount <= 3)\n")
    assert [(d.name, d.checks) for d in judged.diagnoses] == [("first", ("at_1", "at_2")), ("other", ("at_1", "at_3"))]


def test_of_mistakes_that_explain_the_same_the_one_that_passes_what_passed_is_named(tmp_path: Path) -> None:
    mistakes = 'MISTAKES = [mistake("wide", "Wide.", a=1.0, c=1.0), mistake("narrow", "Narrow.", a=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + (amount == 1)\n").named == ["narrow"]
    assert Judged(own, HEAD + "    return 2 * x + amount + (amount == 1) + (amount == 3)\n").named == ["wide"]


def test_a_family_names_only_its_own(tmp_path: Path) -> None:
    mistakes = 'MISTAKES = [mistake("one", "1.", a=1.0, family="f"), mistake("two", "2.", a=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + (amount == 1)\n").named == ["one or two"]


def test_knobs_that_clash_are_not_turned_together(tmp_path: Path) -> None:
    mistakes = 'MISTAKES = [mistake("one", "1.", a=1.0), mistake("two", "2.", a=2.0), mistake("three", "3.", b=1.0)]'
    own = tiny.graded(KNOBS + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + 3 * (amount == 1)\n").named == []


def test_a_mistake_with_memory_starts_anew_in_every_check(grader: Grader) -> None:
    text = """
seen = []
def double_and_shift(x, amount):
    seen.append(x)
    if amount < 0: raise ValueError
    return 2 * x + amount if len(seen) == 1 else 0 * x
"""
    assert "first_call_only" in Judged(grader, text).named


def test_replies_are_compared_whole(tmp_path: Path) -> None:
    """The kind of an exception, a missing gradient and a changed input tell mistakes apart."""
    own = tiny.graded(
        '''
        @check(points=1)
        def values(draw):
            """Right."""
            yield call(draw.normal(2), 1.0, want=reference, cotangent=draw.normal(2))

        @wrong("Raises KeyError.")
        def raises_key(x, amount):
            raise KeyError("x")

        @wrong("Raises TypeError.")
        def raises_type(x, amount):
            raise TypeError("x")

        @wrong("Cut off.")
        def cut_off(x, amount):
            return 2 * x.detach() + amount
        ''',
        tmp_path,
    )
    assert Judged(own, HEAD + "    raise KeyError('other')\n").named == ["raises_key"]
    assert Judged(own, HEAD + "    return x + None\n").named == ["raises_type"]
    assert Judged(own, HEAD + "    return 2 * x.detach() + amount\n").named == ["cut_off"]
    assert Judged(own, HEAD + "    raise ValueError\n").named == []


@pytest.mark.parametrize(
    ("argument", "total"),
    [("Blocks((draw.normal(2), draw.normal(2)))", "sum(x)"), ("draw.generator()", "torch.rand(2, generator=x)")],
)
def test_arguments_that_come_alive_do_so_for_mistakes_too(tmp_path: Path, argument: str, total: str) -> None:
    own = tiny.graded(
        f"""
        from kata.author import Blocks

        def reference(x, amount, *, factor=1.0, asks=False):
            return {total} > 0 if asks else factor * ({total}).double() + amount

        @check(points=1)
        def values(draw):
            \"\"\"Right.\"\"\"
            yield call({argument}, 1.0, want=reference)

        MISTAKES = [mistake("asks", "Asks.", asks=True), mistake("twice", "Twice.", factor=2.0)]
        """,
        tmp_path,
    )
    head = "import torch\ndef double_and_shift(x, amount):\n    return "
    assert Judged(own, f"{head}{total} + amount\n").verdicts == {"values": "passed"}
    assert Judged(own, f"{head}2 * {total} + amount\n").named == ["twice"]
    assert Judged(own, f"{head}{total} > 0\n").named == ["asks"]


TORN = """
@check(points=1)
def values(draw):
    \"\"\"Right.\"\"\"
    yield call(draw.normal(3), 1.0, want=reference)


@check(craft=True)
def mapped(draw):
    \"\"\"Works under vmap.\"\"\"
    yield call(draw.normal(2, 3), 1.0, want=reference)
    yield call(draw.normal(2, 3), amount=1.0, want=reference, under="vmap")


def right(x, amount):
    return 2 * x + amount
"""


def test_a_required_mistake_that_merely_raises_explains_no_craft_that_it_contradicts(tmp_path: Path) -> None:
    """It raises where the answer raised, in the same words, but also where the answer was right."""
    mistakes = """
@wrong("Asks everywhere.")
def asks_everywhere(x, amount):
    return right(x, amount) if x.dim() == 2 else [right(x, amount), bool((x > 0).all())][x.dim()]
"""
    text = HEAD + "    return 2 * x + amount if x.dim() == 2 or (x == x).all() else x\n"
    assert Judged(tiny.graded(TORN + mistakes, tmp_path), text).verdicts == {"values": "passed", "mapped": "crashed"}
    assert Judged(tiny.graded(TORN + mistakes, tmp_path), text).named == []
    craft = """
@wrong("Looks at values.", craft=True)
def looks(x, amount):
    return right(x, amount) if x.dim() == 2 or (x > -99).all() else x
"""
    judged = Judged(tiny.graded(TORN + mistakes + craft, tmp_path), text)
    assert [(d.name, d.checks) for d in judged.diagnoses] == [("looks", ("mapped",))]


def test_exceptions_of_one_kind_but_another_matter_are_another_mistake(tmp_path: Path) -> None:
    mistakes = """
@wrong("Sizes don't fit.")
def misfit(x, amount):
    return x + torch.ones(7)

@wrong("Written into what wants a gradient.")
def written(x, amount):
    return x.clone().requires_grad_().mul_(2)
"""
    own = tiny.graded(TORN + mistakes, tmp_path)
    assert Judged(own, "import torch\n" + HEAD + "    return x + torch.ones(9)\n").named == ["misfit"]
    assert Judged(own, "import torch\n" + HEAD + "    return x.view(5)\n").named == ["misfit"]
    assert Judged(own, HEAD + "    return x.clone().requires_grad_().add_(1)\n").named == ["written"]
    assert Judged(own, HEAD + "    return x.mean(dim=3)\n").named == []


def test_of_mistakes_that_raise_alike_the_one_whose_sizes_misfit_in_the_same_way_is_named(tmp_path: Path) -> None:
    mistakes = """
@wrong("Too long.")
def long(x, amount):
    return x + torch.ones(99)

@wrong("Too short.")
def short(x, amount):
    return x + torch.ones(2)
"""
    own = tiny.graded(TORN + mistakes, tmp_path)
    assert Judged(own, "import torch\n" + HEAD + "    return x + torch.ones(500)\n").named == ["long"]
    assert Judged(own, "import torch\n" + HEAD + "    return x + torch.ones(2)\n").named == ["short"]


AUDITED = '''
@check(points=1)
def values(draw):
    """Right."""
    yield call(draw.normal(3), 1.0, want=reference)


@check(craft=True)
def device(draw):
    """Stays on its device."""
    reply = yield call(draw.normal(3), 1.0, want=reference, under="audit", whole=True)
    if reply.audit:
        raise Failed(reply.audit[0][0])


@wrong("Brought to the CPU.", craft=True)
def brought(x, amount):
    return 2 * x.cpu() + amount


@wrong("Made anywhere.", craft=True)
def made(x, amount):
    return 2 * x + amount + torch.zeros(3)


@wrong("Both at once.", craft=True)
def both(x, amount):
    return 2 * x.cpu() + amount + torch.zeros(3)
'''


def test_two_offences_against_the_device_are_two_mistakes(tmp_path: Path) -> None:
    own = tiny.graded(AUDITED.split('@wrong("Both')[0], tmp_path)
    body = "    return 2 * x.cpu() + amount + torch.arange(3) - torch.arange(3)\n"
    [diagnosis] = Judged(own, "import torch\n" + HEAD + body).diagnoses
    assert diagnosis.name == "brought + made"
    assert diagnosis.text == "Brought to the CPU.\nAnd: Made anywhere."
    assert Judged(own, "import torch\n" + HEAD + "    return 2 * x + amount + torch.zeros(3)\n").named == ["made"]
    assert Judged(own, HEAD + "    return 2 * x + amount * float(x[0] == x[0])\n").named == []


def test_of_mistakes_that_differ_in_a_factory_the_one_with_the_answers_own_is_named(tmp_path: Path) -> None:
    other = """
@wrong("Others made anywhere.", craft=True)
def others(x, amount):
    return 2 * x + amount + torch.ones(3) - 1
"""
    own = tiny.graded(AUDITED + other, tmp_path)
    for factory, name in (("zeros(3)", "made"), ("ones(3) - 1", "others")):
        body = f"    return 2 * x + amount + torch.{factory}\n"
        assert Judged(own, "import torch\n" + HEAD + body).named == [name]
    body = "    return 2 * x + amount + torch.full((3,), 0.0)\n"
    assert Judged(own, "import torch\n" + HEAD + body).named == ["made or others"]


def test_a_mistake_with_all_offences_goes_before_those_with_some(tmp_path: Path) -> None:
    body = "    return 2 * x.cpu() + amount + torch.zeros(3)\n"
    assert Judged(tiny.graded(AUDITED, tmp_path), "import torch\n" + HEAD + body).named == ["both"]


MADE_ANYWHERE = """
def reference(x, amount, *, gain=2.0):
    return gain * x.double() + amount + torch.zeros(3)


@check(points=1)
def values(draw):
    \"\"\"Right.\"\"\"
    yield call(torch.zeros(3), 1.0, want=reference)
    yield call(torch.ones(3), 1.0, want=reference)


@check(craft=True)
def device(draw):
    \"\"\"Stays on its device.\"\"\"
    reply = yield call(torch.zeros(3), 1.0, want=reference, under="audit", whole=True)
    if reply.audit:
        raise Failed(reply.audit[0][0])


@check(points=1)
def again(draw):
    \"\"\"Another amount is another result.\"\"\"
    for amount in (1.0, 2.0, 3.0):
        yield call(torch.zeros(3), amount, want=reference)


MISTAKES = [mistake("not_doubled", "Not doubled.", gain=1.0)]


@wrong("The last is forgotten.")
def one_for_two(x, amount):
    return x + min(amount, 2.0)
"""


def test_a_passed_audit_is_held_against_no_knob(tmp_path: Path) -> None:
    """The reference makes tensors without a device, an answer does not; `again` tells the two mistakes apart."""
    own = tiny.graded(MADE_ANYWHERE, tmp_path)
    assert Judged(own, HEAD + "    return x + amount\n").named == ["not_doubled"]
    assert Judged(own, HEAD + "    return x + min(amount, 2.0)\n").named == ["one_for_two"]


PAIRED = '''
def reference(x, amount, *, a=0.0, b=0.0, c=0.0):
    shape = torch.complex if {complex} else (lambda one, two: (one, {{"two": two}}))
    x = x.double()
    return shape(x + a + c * (amount == 2), amount * x + b + c)


@check(points=1)
def values(draw):
    """Right."""
    yield call(draw.normal(3), 1.0, want=reference)


@check(points=1)
def later(draw):
    """Right."""
    yield call(draw.normal(3), 2.0, want=reference)


MISTAKES = [mistake(name, name, **{{name: 1.0}}) for name in "abc"]
'''


@pytest.mark.parametrize("complex_", [True, False])
def test_pairs_are_found_in_tuples_dicts_and_complex_numbers(tmp_path: Path, complex_: bool) -> None:
    own = tiny.graded(PAIRED.format(complex=complex_), tmp_path)
    made = "torch.complex(x + 1, amount * x + 1)" if complex_ else '(x + 1, {"two": amount * x + 1})'
    assert Judged(own, f"import torch\n{HEAD}    return {made}\n").named == ["a + b"]


@pytest.mark.parametrize("complex_", [True, False])
def test_a_probe_rules_out_what_lies_elsewhere_in_trees_too(tmp_path: Path, complex_: bool) -> None:
    own = tiny.graded(PAIRED.format(complex=complex_), tmp_path)
    made = "torch.complex(x + 1, amount * x)" if complex_ else '(x + 1, {"two": amount * x})'
    exchange = Judged(own, f"import torch\n{HEAD}    return {made}\n").trials[0].exchanges[0]
    likely = {mistake.name: Probe(own, exchange).likely(mistake) for mistake in own.mistakes}
    assert likely == {"a": True, "b": False, "c": False}


def test_of_pairs_that_explain_as_many_the_one_that_passes_what_passed_is_named(tmp_path: Path) -> None:
    """Both pairs give what came for 1; only one is right for 3, as the answer is."""
    mistakes = """MISTAKES = [
    mistake("wide", "Wide.", a=1.0, c=5.0), mistake("narrow", "Narrow.", a=1.0), mistake("other", "Other.", b=1.0),
]"""
    own = tiny.graded(KNOBS.replace("b * (amount == 2)", "b * (amount == 1)") + mistakes, tmp_path)
    assert Judged(own, HEAD + "    return 2 * x + amount + 2 * (amount == 1)\n").named == ["narrow + other"]
    wide = HEAD + "    return 2 * x + amount + 2 * (amount == 1) + 5 * (amount == 3)\n"
    assert Judged(own, wide).named == ["wide + other"]


REPEATED = '''
@check(points=1)
def again(draw):
    """The same once more is right."""
    x = draw.normal(3)
    for amount in ({}):
        yield call(x, amount, want=reference)


@check(points=1)
def once(draw):
    """Right."""
    yield call(draw.normal(3), 1.0, want=reference)
'''
KEEPS = "kept = []\ndef double_and_shift(x, amount):\n    kept.append(1)\n    return "


@pytest.mark.parametrize(
    ("amounts", "text", "named"),
    [
        ("1.0, 1.0", KEEPS + "2 * x + amount * len(kept)", [KEPT]),
        ("1.0, 2.0, 1.0", KEEPS + "2 * x + amount + (len(kept) > 2)", [KEPT]),
        ("1.0, 1.0", KEEPS + "2 * x + 2 * amount", []),  # wrong from the first call on
        ("1.0, 2.0", KEEPS + "2 * x + amount * len(kept)", []),  # another call may be wrong on its own account
        ("1.0, 1.0", KEEPS + "2 * x + amount", []),
    ],
)
def test_what_is_changed_between_calls_is_said_although_no_mistake_foresaw_how(
    tmp_path: Path, amounts: str, text: str, named: list[str]
) -> None:
    judged = Judged(tiny.graded(REPEATED.format(amounts), tmp_path), text + "\n")
    assert judged.named == named
    assert all(d.checks == ("again",) and "outlives a call" in d.text for d in judged.diagnoses)


def test_a_known_mistake_goes_before_what_can_only_be_said_of_it(tmp_path: Path) -> None:
    known = """
@wrong("Counted.", fresh=True)
def counted():
    seen = []
    def double_and_shift(x, amount):
        seen.append(x)
        return 2 * x + amount * len(seen)
    return double_and_shift
"""
    own = tiny.graded(REPEATED.format("1.0, 1.0") + known, tmp_path)
    assert Judged(own, KEEPS + "2 * x + amount * len(kept)\n").named == ["counted"]


def test_calls_that_a_check_repeats_to_look_at_them_itself_prove_nothing(tmp_path: Path) -> None:
    """As one that asks for chance does: there the same result twice is what is wrong."""
    own = tiny.graded(
        '''
        @check(points=1)
        def differs(draw):
            """Another result each time."""
            x = draw.normal(3)
            one, other = (yield call(x, 1.0, like=x)), (yield call(x, 1.0, like=x))
            if (one == other).all():
                raise Failed("the same twice")


        @check(points=1)
        def leaves_no_trace(draw):
            """Nothing global changes."""
            x = draw.normal(3)
            yield call(x, 1.0, want=reference)
            yield call(x, 1.0, want=reference)
            raise Failed("a trace")
        ''',
        tmp_path,
    )
    judged = Judged(own, HEAD + "    return 2 * x + amount\n")
    assert judged.verdicts == {"differs": "failed", "leaves_no_trace": "failed"} and judged.named == []
