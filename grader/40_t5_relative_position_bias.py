"""How t5_relative_position_bias is graded: buckets by whole numbers, without a logarithm, are the reference."""

SECTION = "Positions"
LEVEL = 4
AFTER = (39,)
VERSION = 2
FORBIDS = (
    "torch.nn.functional.embedding",
    "torch.nn.functional.embedding_bag",
    "torch.nn.Embedding",
    "torch.embedding",
    "torch.bucketize",
    "torch.searchsorted",
)
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from kata.author import (
    Checking,
    Draw,
    Failed,
    accepted,
    apart,
    call,
    check,
    hint,
    inputs_kept,
    mistake,
    no_loop_over,
    on_one_device,
    question,
    remembering,
    right,
    settings_ignored,
    within,
    wrong,
    wrong_choice,
)

# Entries are numbers of the table, exact. A gradient is a sum of at most 200 terms here, each partial sum rounded by
# u of up to about 14 (√200), so 200 · 14 · u at worst: 2⁻¹³ of 1 in float32, and in practice a twentieth of that.
close = within({torch.float64: 1e-12, torch.float32: 2.0**-13, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7})

Setting = tuple[
    int, bool, int
]  # num_buckets, bidirectional, max_distance: all unlike, with no threshold near a whole number
BOTH: tuple[Setting, ...] = ((8, True, 20), (16, True, 50), (12, True, 50), (10, True, 20), (11, True, 40))
ONE: tuple[Setting, ...] = ((8, False, 30), (12, False, 70), (10, False, 60), (7, False, 33))

# ── The reference, with a knob for everything that can be done the wrong way ────────────────────────────────────────

Steps = Callable[[int, int, int, int], float]  # (distance, nb, me, max_distance) → how far beyond me
STEPS: dict[str, Steps] = {
    "factor nb": lambda n, nb, me, far: math.log(n / me) / math.log(far / me) * nb,
    "factor me": lambda n, nb, me, far: math.log(n / me) / math.log(far / me) * me,
    "less one": lambda n, nb, me, far: math.log(n / me) / math.log(far / me) * (nb - me - 1),
    "log n": lambda n, nb, me, far: math.log(n) / math.log(far / me) * (nb - me),
    "log far": lambda n, nb, me, far: math.log(n / me) / math.log(far) * (nb - me),
    "both without": lambda n, nb, me, far: math.log(n) / math.log(far) * (nb - me),
    "no quotient": lambda n, nb, me, far: math.log(n / me) * (nb - me),
    "far 128": lambda n, nb, me, far: math.log(n / me) / math.log(128 / me) * (nb - me),
    "whole quotient": lambda n, nb, me, far: math.floor(math.log(n / me) / math.log(far / me) + 1e-9) * (nb - me),
    "linear": lambda n, nb, me, far: (n - me) / (far - me) * (nb - me),
    "root": lambda n, nb, me, far: math.sqrt(max(n - me, 0) / (far - me)) * (nb - me),
    "log n + 1": lambda n, nb, me, far: math.log((n + 1) / me) / math.log(far / me) * (nb - me),
    "log1p": lambda n, nb, me, far: math.log1p(n - me) / math.log1p(far - me) * (nb - me),
}
ROUND: dict[str, Callable[[float], int]] = {"down": math.floor, "up": math.ceil, "nearest": round}


@cache
def exact(n: int, nb: int, me: int, far: int) -> int:
    """⌊ln(n/me)/ln(far/me)·(nb − me)⌋ by comparing powers: it is at least b where (n/me)^(nb−me) ≥ (far/me)^b."""
    whole, b = nb - me, 0
    while b < whole and n**whole * me ** (b + 1) >= far ** (b + 1) * me**whole:
        b += 1
    return b


def bucket(n: int, nb: int, me: int, far: int, steps: str, rounding: str, cap: str, base: str) -> int:
    """The bucket of a distance within its side."""
    if n < me:
        return n
    if steps == "exact" and rounding == "down" and cap not in ("none", "rows - 1"):
        beyond = exact(n, nb, me, far)
    else:
        formula = STEPS.get(steps, lambda n, nb, me, far: math.log(n / me) / math.log(far / me) * (nb - me))
        beyond = ROUND[rounding](formula(n, nb, me, far) + 1e-9 * (rounding == "down"))
    found = beyond if base == "0" else me + beyond
    return min(found, {"nb - 1": nb - 1, "nb": nb, "none": 10**6, "nb - 2": nb - 2, "rows - 1": 10**6}[cap])


def reference(
    table: Tensor,
    q_len: int,
    k_len: int,
    bidirectional: bool = True,
    max_distance: int = 128,
    *,
    valid: bool = True,
    offset: str = "key - query",
    after: str = "> 0",
    sides: str = "given",
    half: str = "both sides alone",
    future: str = "bucket 0",
    near: str = "half",
    steps: str = "exact",
    rounding: str = "down",
    cap: str = "nb - 1",
    base: str = "me",
    align: str = "end",
    order: str = "heads, q, k",
    gain: float = 1.0,
    taken: int = 0,
) -> Tensor:
    """Offset by offset, in whole numbers: (1, heads, q_len, k_len) of float64."""
    both = {"given": bidirectional, "both": True, "one": False, "exchanged": not bidirectional}[sides]
    rows = taken or table.shape[0]
    nb = (rows + (half == "rounded up")) // 2 if (both and half != "never") or half == "always" else rows
    me = {"half": nb // 2, "quarter": nb // 4, "rows": rows // 2, "all but one": nb - 1, "one more": nb // 2 + 1}[near]
    if valid and (me < 1 or max_distance <= me):
        raise ValueError("no buckets")
    shift = {
        "end": k_len - q_len,
        "start": 0,
        "never before": max(0, k_len - q_len),
        "one further": k_len - q_len + 1,
        "one behind": k_len - q_len - 1,
        "keys pushed": q_len - k_len,
    }[align]

    def found(i: int, j: int) -> int:
        rel = j - (i + shift) if offset == "key - query" else (i + shift) - j
        n = abs(rel) if both or future == "mirrored" else max(rel if future == "alone" else -rel, 0)
        n = n - 1 if after == "packed" and both and rel > 0 else n
        inner = bucket(n, nb, me, max_distance, steps, rounding, cap, base)
        later = {"> 0": rel > 0, "packed": rel > 0, ">= 0": rel >= 0, "< 0": rel < 0, "<= 0": rel <= 0, "never": False}[
            after
        ]
        number = inner + nb * (both and later)
        return min(number, rows - 1) if cap == "rows - 1" else number

    index = torch.tensor([[found(i, j) for j in range(k_len)] for i in range(q_len)], dtype=torch.long)
    values = table.double()[index.reshape(q_len, k_len)] * gain  # (q_len, k_len, heads)
    bias = values.permute(2, 0, 1)[None]
    if future == "hidden" and not both:
        ahead = torch.ones(q_len, k_len, dtype=torch.bool).triu(shift + 1)
        bias = bias.masked_fill(ahead, -torch.inf)
    match order:
        case "q, k, heads":
            return values[None]
        case "no batch":
            return bias[0]
        case "no batch, heads last":
            return values
        case "heads, k, q":
            return bias.transpose(-1, -2)
        case "heads first":
            return bias.transpose(0, 1)
        case "reshaped":
            return values.reshape(bias.shape)
        case "buckets":
            return index.reshape(1, 1, q_len, k_len).expand(bias.shape).double() + 0 * bias
    return bias


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(draw: Draw, setting: Setting, heads: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """A table for a setting."""
    return draw.normal(setting[0], heads, dtype=dtype)


def rest(setting: Setting) -> dict[str, Any]:
    """The arguments that a setting stands for."""
    return {"bidirectional": setting[1], "max_distance": setting[2]}


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The bias has an axis of size 1, then heads, queries and keys."""
    for heads, q, k in ((3, 5, 7), (2, 1, 4), (4, 6, 2)):
        yield call(drawn(draw, BOTH[0], heads), q, k, **rest(BOTH[0]), like=torch.zeros(1, heads, q, k))


@check(points=1, explains=True)
def same_at_every_place(draw: Draw) -> Checking:
    """Only the offset matters: a query one step further sees the same bias one key further."""
    for setting in (BOTH[0], ONE[0]):
        bias = yield call(drawn(draw, setting, 2), 9, 12, **rest(setting), like=torch.zeros(1, 2, 9, 12))
        if at := apart(bias[..., 1:, 1:], bias[..., :-1, :-1], 1e-6):
            _, h, i, j = at
            one, other = bias[0, h, i, j], bias[0, h, i + 1, j + 1]
            raise Failed(f"in head {h} entry ({i}, {j}) is {one:.6g}, and ({i + 1}, {j + 1}) {other:.6g}")


@check(points=1, explains=True)
def near_buckets(draw: Draw) -> Checking:
    """A query's own key has bucket 0, the key before it bucket 1; with both sides the key after it another."""
    for setting, after in ((BOTH[1], 9), (ONE[1], 0)):  # 16 // 2 + 1
        marked = torch.arange(setting[0], dtype=torch.float32)[:, None]  # each bucket holds its own number
        bias = yield call(marked, 3, 3, **rest(setting), like=torch.zeros(1, 1, 3, 3))
        for name, key, bucket_ in (("its own key", 1, 0), ("the key before it", 0, 1), ("the key after it", 2, after)):
            if not bool((bias[0, 0, 1, key] - bucket_).abs() <= 1e-6):
                text = f"with {setting[0]} buckets a query sees bucket {bias[0, 0, 1, key]:g} for {name}, not {bucket_}"
                raise Failed(text)


@check(points=3)
def both_sides(draw: Draw) -> Checking:
    """With both sides all offsets are in the right buckets, for several numbers of buckets."""
    for setting in BOTH:
        yield call(drawn(draw, setting, 2), 30, 30, **rest(setting), want=reference)


@check(points=3)
def one_side(draw: Draw) -> Checking:
    """With one side all offsets are in the right buckets, for several numbers of buckets."""
    for setting in ONE:
        yield call(drawn(draw, setting, 3), 40, 40, **rest(setting), want=reference)


@check(points=2)
def as_t5_has_it(draw: Draw) -> Checking:
    """With 32 buckets and the default arguments the thresholds are those of T5."""
    table = drawn(draw, (32, True, 128), 2)
    yield call(table, 1, 140, want=reference)
    yield call(table, 140, 1, want=reference)
    yield call(table, 1, 140, bidirectional=False, want=reference)


@check(points=1)
def far_away(draw: Draw) -> Checking:
    """Offsets far beyond `max_distance` share the last bucket of their side."""
    for setting in (BOTH[0], ONE[0], (32, True, 128), (32, False, 128)):
        yield call(drawn(draw, setting, 2), 1, 400, **rest(setting), want=reference)
        yield call(drawn(draw, setting, 2), 400, 1, **rest(setting), want=reference)


@check(points=2)
def lengths(draw: Draw) -> Checking:
    """With more keys than queries the queries are the last positions, with fewer they begin before key 0."""
    for q, k in ((2, 9), (1, 12), (9, 4), (draw.integer(3, 7), draw.integer(8, 14))):
        for setting in (BOTH[0], ONE[0]):
            yield call(drawn(draw, setting, 3), q, k, **rest(setting), want=reference)


@check(points=1)
def empty(draw: Draw) -> Checking:
    """No query and no key are fine."""
    for q, k in ((2, 3), (0, 4), (3, 0), (0, 0)):
        yield call(drawn(draw, BOTH[0], 3), q, k, **rest(BOTH[0]), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`table` may be a transposed, sliced or expanded view, and keeps its values."""
    for table in (draw.normal(3, 8).T, draw.normal(16, 6)[::2, 1::2], draw.normal(8, 1).expand(8, 3)):
        yield from inputs_kept(call(table, 5, 7, **rest(BOTH[0]), want=reference), "table")


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach the table: for each bucket the sum over the entries that used it."""
    for setting, q, k in ((BOTH[0], 9, 12), (ONE[1], 10, 14), (BOTH[3], 6, 6)):
        table = drawn(draw, setting, 2)
        yield call(table, q, k, **rest(setting), cotangent=draw.normal(1, 2, q, k), want=reference)


@check(points=1)
def another_call_later(draw: Draw) -> Checking:
    """What a call does depends on its arguments alone."""
    one, two = draw.normal(8, 2), draw.normal(8, 2)
    for table, q, both, far in (
        (one, 9, True, 20),
        (two, 9, True, 20),
        (two, 9, False, 20),
        (two, 9, False, 6),
        (two, 12, False, 6),
        (one, 9, True, 20),
    ):
        yield call(table, q, 12, bidirectional=both, max_distance=far, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `table`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        yield call(drawn(draw, BOTH[0], 3, dtype), 4, 6, **rest(BOTH[0]), like=torch.zeros(1, 3, 4, 6, dtype=dtype))


@check(craft=True)
def precision(draw: Draw) -> Checking:
    """Entries are those of the table to the last digit, and buckets don't depend on its dtype."""
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        for setting in ((32, False, 128), (32, True, 128), BOTH[2], ONE[1]):
            yield call(drawn(draw, setting, 2, dtype), 1, 240, **rest(setting), want=reference)


@check(craft=True)
def impossible_arguments(draw: Draw) -> Checking:
    """Too few buckets, or a `max_distance` that is no further than the exact buckets, raise ValueError."""
    yield call(draw.normal(4, 2), 3, 4, max_distance=2, want=reference)
    yield call(draw.normal(8, 2), 3, 4, bidirectional=False, max_distance=3, raises=ValueError)
    yield call(draw.normal(8, 2), 3, 4, bidirectional=False, max_distance=4, raises=ValueError)
    yield call(draw.normal(3, 2), 3, 4, raises=ValueError)
    yield call(draw.normal(1, 2), 3, 4, bidirectional=False, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """The program's default dtype and autocast round no number and change no dtype."""
    yield from settings_ignored(call(drawn(draw, (32, True, 128), 2), 1, 140, want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `table`, and no number leaves it."""
    for setting in (BOTH[0], ONE[0]):
        asked = call(drawn(draw, setting, 2), 5, 9, **rest(setting), want=reference)
        yield from on_one_device(draw, asked, torch.zeros(1, 2, 5, 9))


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over several tables with torch.func.vmap."""
    yield call(drawn(draw, BOTH[0], 2), q_len=4, k_len=6, **rest(BOTH[0]), want=reference)
    yield call(draw.normal(3, 8, 2), q_len=4, k_len=6, **rest(BOTH[0]), want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(drawn(draw, BOTH[0], 2), n, n, **rest(BOTH[0]), want=reference) for n in (8, 24)}
    # a look-up alone takes 8, offsets and logarithms make it 20 and more
    yield from no_loop_over("positions", calls, least=11)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "query_minus_key",
        "The offset is taken as query minus key, so past and future have changed places. It is key minus query: keys "
        "before the query have negative offsets.",
        offset="query - key",
    ),
    mistake(
        "halves_exchanged",
        "With both sides, keys *before* the query get the upper half of the buckets. That half is for keys after it.",
        after="< 0",
    ),
    mistake(
        "own_key_in_the_upper_half",
        "A query's own key (offset 0) falls into the upper half of the buckets. That half is for offsets above 0.",
        after=">= 0",
    ),
    mistake(
        "halves_exchanged_with_own_key",
        "With both sides, keys before the query and its own key get the upper half. That half is for keys *after* it.",
        after="<= 0",
    ),
    mistake(
        "upper_half_begins_at_one_step",
        "For keys after the query the distance 1 has the first bucket of the upper half: distances are one short "
        "there. That bucket stays unused; the next one holds the distance 1.",
        after="packed",
    ),
    mistake(
        "sides_not_told_apart",
        "With both sides, keys before and after the query share their buckets: nothing is added for offsets above 0.",
        after="never",
    ),
    mistake(
        "buckets_not_halved",
        "With both sides the buckets are not halved before distances are sorted in, so each side takes all of them and "
        "the upper half is out of the table.",
        half="never",
    ),
    mistake(
        "odd_half_rounded_up",
        "With both sides half of an odd number of buckets is rounded up: 11 become 6 and 6, and the last is out of the "
        "table. Round down.",
        half="rounded up",
    ),
    mistake(
        "always_32_buckets",
        "32 buckets are taken for granted, as T5 has them. How many there are is the table's first size.",
        taken=32,
    ),
    mistake(
        "one_side_halved_too",
        "With one side, too, only half of the buckets are used. There all num_buckets are for the past.",
        half="always",
    ),
    mistake(
        "always_both_sides",
        "`bidirectional` is not used: both sides are told apart even when it is False.",
        sides="both",
    ),
    mistake(
        "always_one_side", "`bidirectional` is not used: the future has bucket 0 even when it is True.", sides="one"
    ),
    mistake(
        "flag_inverted", "`bidirectional` means the opposite here: both sides when it is False.", sides="exchanged"
    ),
    mistake(
        "future_mirrored",
        "With one side, keys after the query are sorted in by their distance, as those before it. They all have "
        "bucket 0.",
        future="mirrored",
    ),
    mistake(
        "past_in_one_bucket",
        "With one side it is the keys *before* the query that share bucket 0, and those after it are told apart: the "
        "sign of the offset is lost on the way to the distance. It is max(−rel, 0).",
        future="alone",
    ),
    mistake(
        "causal_mask_inside",
        "With one side, keys after the query get −inf. A mask will hide them; the bias has the number of bucket 0 "
        "there.",
        future="hidden",
    ),
    mistake(
        "a_quarter_exact",
        "Only a quarter of a side's buckets hold a single distance. Half of them do: me is ⌊nb/2⌋.",
        near="quarter",
    ),
    mistake(
        "one_exact_bucket_too_many",
        "me is one too large: the distances 0 to ⌊nb/2⌋ − 1 are exact, and the logarithm starts from ⌊nb/2⌋.",
        near="one more",
    ),
    mistake(
        "half_of_all_exact",
        "With both sides me is half of *all* buckets, so the logarithm never gets a turn. It is half of one side's.",
        near="rows",
        valid=False,
    ),
    mistake(
        "no_logarithm",
        "Distances are cut at the last bucket: no logarithm is taken. Only the first half of a side's buckets hold "
        "single distances.",
        near="all but one",
        valid=False,
    ),
    mistake(
        "buckets_not_capped",
        "Distances beyond max_distance run out of their side's buckets: with both sides the past runs into those of "
        "the future, and else out of the table. No bucket is above nb − 1.",
        cap="none",
    ),
    mistake(
        "capped_at_the_end_of_the_table",
        "Buckets are capped at the last row of the table. With both sides each has a last bucket of its own, nb − 1 "
        "before the side is added: else the past runs into the buckets of the future.",
        cap="rows - 1",
    ),
    mistake(
        "capped_one_too_high",
        "Buckets are capped at nb, and the last is nb − 1: they count from 0.",
        cap="nb",
    ),
    mistake("capped_one_too_low", "Buckets are capped at nb − 2, so the last of a side is never used.", cap="nb - 2"),
    mistake(
        "max_distance_ignored",
        "`max_distance` is not used: 128 stands in its place.",
        steps="far 128",
    ),
    mistake(
        "logarithm_lacks_me_above",
        "The logarithm is taken of n, not of n/me, so that far buckets begin much too high.",
        steps="log n",
    ),
    mistake(
        "logarithm_lacks_me_below",
        "The logarithm below is that of max_distance, not of max_distance/me, so the last buckets are never reached in "
        "time.",
        steps="log far",
    ),
    mistake("me_missing_in_both_logarithms", "Both logarithms lack the division by me.", steps="both without"),
    mistake(
        "logarithm_not_divided",
        "ln(n/me) is not divided by ln(max_distance/me).",
        steps="no quotient",
    ),
    mistake(
        "steps_times_nb",
        "The quotient of the logarithms is multiplied by nb. Only nb − me buckets are left for it.",
        steps="factor nb",
    ),
    mistake(
        "steps_times_me",
        "The quotient of the logarithms is multiplied by me. nb − me buckets are left, which is one more for an odd "
        "nb.",
        steps="factor me",
    ),
    mistake(
        "steps_one_short",
        "The quotient of the logarithms is multiplied by nb − me − 1. It is nb − me, and the cap does the rest.",
        steps="less one",
    ),
    mistake(
        "quotient_rounded_before_multiplied",
        "The quotient of the logarithms is rounded down *before* it is multiplied by nb − me, so it is 0 up to "
        "max_distance. Multiply first.",
        steps="whole quotient",
    ),
    mistake("far_buckets_linear", "Far buckets are equally wide. They grow, by a logarithm.", steps="linear"),
    mistake("root_for_the_logarithm", "A square root stands in place of the logarithm.", steps="root"),
    mistake(
        "logarithm_of_the_rest",
        "The logarithm is taken of 1 + n − me. It is taken of n/me: what counts is the ratio.",
        steps="log1p",
    ),
    mistake(
        "logarithm_of_n_plus_one",
        "The logarithm is taken of n + 1, so far buckets begin one distance too early. From me on n is never 0: "
        "nothing has to be added.",
        steps="log n + 1",
    ),
    mistake(
        "rounded_up",
        "Far buckets are rounded up. Round down: a bucket begins where the logarithm reaches its number.",
        rounding="up",
    ),
    mistake(
        "rounded_to_nearest",
        "Far buckets are rounded to the nearest number. Round down, as .long() does.",
        rounding="nearest",
    ),
    mistake(
        "me_not_added",
        "Far buckets start again at 0: me is missing in front of the logarithm, so far and near keys share buckets.",
        base="0",
    ),
    mistake(
        "aligned_at_start",
        "Query i is taken to stand at position i. With more keys than queries the queries are the *last* positions.",
        align="start",
    ),
    mistake(
        "aligned_never_before",
        "With more queries than keys, the first queries stand before key 0. Here the offset k_len − q_len is not "
        "allowed to become negative.",
        align="never before",
    ),
    mistake(
        "one_position_too_far",
        "Every query stands one position too far; the last is at k_len − 1.",
        align="one further",
    ),
    mistake(
        "one_position_behind",
        "Every query stands one position too early; the last is at k_len − 1.",
        align="one behind",
    ),
    mistake(
        "offset_the_wrong_way",
        "Queries are moved by q_len − k_len: the sign is wrong. More keys mean *later* queries.",
        align="keys pushed",
    ),
    mistake("heads_last", "Heads run along the last axis. Asked for is (1, heads, q_len, k_len).", order="q, k, heads"),
    mistake("batch_axis_missing", "The axis of size 1 in front is missing.", order="no batch"),
    mistake(
        "look_up_as_it_is",
        "What indexing gives, (q_len, k_len, heads), is returned as it is. Heads go in front, and an axis of size 1 "
        "before them.",
        order="no batch, heads last",
    ),
    mistake(
        "rows_and_columns_exchanged",
        "Queries run along the last axis. Rows are queries, columns are keys.",
        order="heads, k, q",
    ),
    mistake("axis_of_one_after_heads", "Heads stand in front of the axis of size 1.", order="heads first"),
    mistake(
        "reshaped_for_permuted",
        "The shape is right, but by reshape or view: numbers of different heads and keys are mixed. Axes change places "
        "with permute.",
        order="reshaped",
    ),
    mistake("doubled", "Every number of the table comes back twice as large.", gain=2.0),
]


def buckets_of(
    table: Tensor, q_len: int, k_len: int, both: bool, far: int, device: torch.device | str | None, dtype: torch.dtype
) -> Tensor:
    """What an answer does up to the look-up: (q_len, k_len) of buckets, by logarithms of some dtype."""
    nb = table.shape[0] // 2 if both else table.shape[0]
    me = nb // 2
    if me < 1 or far <= me:
        raise ValueError("no buckets")
    rel = torch.arange(k_len, device=device) - torch.arange(k_len - q_len, k_len, device=device)[:, None]
    n = rel.abs() if both else (-rel).clamp(min=0)
    steps = torch.log(n.clamp(min=me).to(dtype) / me) / math.log(far / me) * (nb - me)
    found = torch.where(n < me, n, (me + steps.long()).clamp(max=nb - 1))
    return found + nb * (rel > 0) if both else found


def right_answer(
    table: Tensor,
    q_len: int,
    k_len: int,
    bidirectional: bool = True,
    max_distance: int = 128,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """What an answer does."""
    found = buckets_of(table, q_len, k_len, bidirectional, max_distance, table.device, dtype)
    return table[found].permute(2, 0, 1)[None]


Rest = Any  # the arguments after the table, as they come


@wrong(
    "No gradient reaches the table: .data, detach, torch.no_grad or torch.tensor has cut it off: it is never trained."
)
def table_cut_off(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """table.detach()."""
    return right_answer(table.detach(), *rest, **named)


@wrong("`table` itself is changed. The caller still needs it as it was; make new tensors.")
def written_into_the_table(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """Scaled in place, and back no more."""
    bias = right_answer(table, *rest, **named)
    with torch.no_grad():
        table.zero_()
    return bias


@wrong(
    "Buckets kept from an earlier call are used although `bidirectional`, `max_distance` or the number of buckets has "
    "changed since. Everything that they depend on belongs into the key.",
    fresh=True,
)
def kept_buckets_know_lengths_alone() -> Callable[..., Tensor]:
    """A cache by lengths."""
    kept: dict[tuple[int, int], Tensor] = {}

    def answer(table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128) -> Tensor:
        if (q_len, k_len) not in kept:
            kept[q_len, k_len] = buckets_of(
                table, q_len, k_len, bidirectional, max_distance, table.device, torch.float32
            )
        return table[kept[q_len, k_len]].permute(2, 0, 1)[None]

    return answer


@wrong(
    "A bias kept from an earlier call is returned although the table or other arguments have changed since: in "
    "training the table changes with every step.",
    fresh=True,
)
def kept_bias() -> Callable[..., Tensor]:
    """A cache of results."""
    return remembering(right_answer, lambda table, *rest, **named: (*rest, *named.items(), *table.shape))


@wrong("What comes back are the numbers of the buckets, not what the table holds for them. The look-up is missing.")
def buckets_returned(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """The index alone."""
    found = buckets_of(table, q_len, k_len, bidirectional, max_distance, table.device, torch.float32)
    return found[None, None].expand(1, table.shape[1], q_len, k_len)


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong("Whatever dtype the table has, float32 comes out. A look-up keeps the dtype by itself.", craft=True)
def always_float32(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """.float()."""
    return right_answer(table, *rest, **named).float()


@wrong(
    "The table passes through float32, so that float64 loses half of its digits. A look-up needs no cast.", craft=True
)
def cut_to_float32(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """.float() and back."""
    return right_answer(table.float(), *rest, **named).to(table.dtype)


@wrong(
    "The logarithms are made in the dtype of the table. bfloat16 and float16 put distances near a threshold into the "
    "wrong bucket, or can't hold them at all. Buckets need float32, whatever the table has.",
    craft=True,
)
def logarithms_in_the_table_s_dtype(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """n.to(table.dtype)."""
    return right_answer(table, *rest, dtype=table.dtype, **named)


@wrong(
    "An int tensor divided by a number takes torch's default dtype. Where a program sets it to bfloat16, distances "
    "near a threshold fall into the wrong bucket: call .float() first.",
    craft=True,
)
def default_dtype_taken(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """n / me."""
    return right_answer(table, *rest, dtype=torch.get_default_dtype(), **named)


@wrong(
    "Tensors are made without saying where, on the CPU. Pass the table's device to every arange (zeros, tensor …).",
    craft=True,
)
def made_without_device(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """arange without a device."""
    found = buckets_of(table, q_len, k_len, bidirectional, max_distance, None, torch.float32)
    return table[found].permute(2, 0, 1)[None]


@wrong(
    "Numbers leave the device, by .cpu(), .tolist(), .item() or a branch on a tensor. On a GPU that stops everything.",
    craft=True,
)
def brought_to_the_cpu(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """.cpu() and back."""
    return right_answer(table.cpu(), *rest, **named).to(table.device)


def _unchecked(table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128) -> Tensor:
    nb = table.shape[0] // 2 if bidirectional else table.shape[0]
    me = nb // 2
    rel = torch.arange(k_len, device=table.device) - torch.arange(k_len - q_len, k_len, device=table.device)[:, None]
    n = rel.abs() if bidirectional else (-rel).clamp(min=0)
    steps = torch.log(n.float() / me) / math.log(max_distance / me) * (nb - me)
    found = torch.where(n < me, n, (me + steps.long()).clamp(max=nb - 1))
    found = found + nb * (rel > 0) if bidirectional else found
    return table[found].permute(2, 0, 1)[None]


@wrong(
    "Nothing is refused: with too few buckets, or a max_distance within the exact ones, the formula divides by 0 or "
    "by a negative logarithm. The caller made a mistake: raise ValueError.",
    craft=True,
)
def nothing_refused(table: Tensor, *rest: Rest, **named: Rest) -> Tensor:
    """Whatever the formula gives."""
    return _unchecked(table, *rest, **named)


@wrong(
    "`max_distance` equal to me is not refused, only what is below. ln(max_distance/me) is 0 there: raise ValueError.",
    craft=True,
)
def equal_max_distance_accepted(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """< in place of <=."""
    me = table.shape[0] // (4 if bidirectional else 2)
    if me < 1 or max_distance < me:
        raise ValueError("no buckets")
    return _unchecked(table, q_len, k_len, bidirectional, max_distance)


@wrong(
    "Too few buckets are not refused: with fewer than 2 (4 for both sides) me is 0, and n/me divides by it. Raise "
    "ValueError.",
    craft=True,
)
def few_buckets_accepted(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """max_distance alone is looked at."""
    if max_distance <= table.shape[0] // (4 if bidirectional else 2):
        raise ValueError("max_distance")
    return _unchecked(table, q_len, k_len, bidirectional, max_distance)


@wrong(
    "Impossible arguments are refused by assert. That raises AssertionError, and with python -O nothing is checked. "
    "ValueError is asked for.",
    craft=True,
)
def refused_by_assert(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """assert instead of raise."""
    me = table.shape[0] // (4 if bidirectional else 2)
    assert 0 < me < max_distance
    return right_answer(table, q_len, k_len, bidirectional, max_distance)


@wrong(
    "Under autocast the entries are rounded to bfloat16: the look-up is a matrix product (one-hot @ table), which "
    "autocast lowers. Indexing copies numbers as they are.",
    craft=True,
)
def looked_up_by_matmul(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """one_hot @ table."""
    found = buckets_of(table, q_len, k_len, bidirectional, max_distance, table.device, torch.float32)
    hot = (found[..., None] == torch.arange(table.shape[0], device=table.device)).to(table.dtype)
    return (hot @ table).permute(2, 0, 1)[None]


@wrong(
    "The result is filled into a tensor made from a shape alone. Under vmap the table stands for many, and that one "
    "for a single one. Indexing makes a tensor of its own.",
    craft=True,
)
def buffer_unknown_to_vmap(table: Tensor, q_len: int, k_len: int, *rest: Rest, **named: Rest) -> Tensor:
    """zeros(shape) filled."""
    out = torch.zeros(1, table.shape[1], q_len, k_len, dtype=table.dtype, device=table.device)
    out[:] = right_answer(table, q_len, k_len, *rest, **named)
    return out


@wrong(
    "Entries are picked by a mask, as in buckets[rel > 0]: how many there are depends on the numbers, so a GPU has "
    "to stop and count, and the meta device can't. A product with the mask, or torch.where, needs no such look.",
    craft=True,
)
def entries_picked_by_mask(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """buckets[mask] += 0."""
    found = buckets_of(table, q_len, k_len, bidirectional, max_distance, table.device, torch.float32)
    found[found > 1] += 0
    return table[found].permute(2, 0, 1)[None]


@wrong(
    "The result is right, but a Python loop runs over queries (or over single entries). A row of key positions minus a "
    "column of query positions has all offsets at once.",
    craft=True,
)
def loop_over_positions(table: Tensor, q_len: int, k_len: int, *rest: Rest, **named: Rest) -> Tensor:
    """One row after the other."""
    bias = right_answer(table, q_len, k_len, *rest, **named)
    return torch.stack([bias[:, :, i] for i in range(q_len)], 2) if q_len else bias


@wrong(
    "The buckets are found number by number in Python and turned into a tensor at the end. Tensor operations find "
    "all of them at once.",
    craft=True,
)
def buckets_in_python(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """A list of lists of buckets."""
    nb = table.shape[0] // 2 if bidirectional else table.shape[0]
    me = nb // 2
    if me < 1 or max_distance <= me:
        raise ValueError("no buckets")

    def one(rel: int) -> int:
        n = abs(rel) if bidirectional else max(-rel, 0)
        return bucket(n, nb, me, max_distance, "exact", "down", "nb - 1", "me") + nb * (bidirectional and rel > 0)

    rows = [[one(j - i - k_len + q_len) for j in range(k_len)] for i in range(q_len)]
    index = torch.tensor(rows, dtype=torch.long, device=table.device).reshape(q_len, k_len)
    return table[index].permute(2, 0, 1)[None]


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def one_row_of_offsets(
    table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128
) -> Tensor:
    """A look-up for every offset there is, spread over the matrix afterwards."""
    rows = table.shape[0]
    nb = rows // 2 if bidirectional else rows
    me = nb // 2
    if me == 0 or max_distance <= me:
        raise ValueError("no buckets")
    rel = torch.arange(1 - k_len, max(q_len, 1) + k_len, device=table.device)  # more than needed
    n = torch.where(rel < 0, -rel, rel if bidirectional else torch.zeros_like(rel))
    far = (torch.log2(n.double().clamp(min=1) / me) * ((nb - me) / math.log2(max_distance / me))).floor().long() + me
    found = torch.where(n < me, n, far.minimum(torch.full_like(far, nb - 1))) + (rel > 0) * (nb if bidirectional else 0)
    values = table.index_select(0, found).T  # (heads, offsets)
    place = torch.arange(k_len, device=table.device) - torch.arange(k_len - q_len, k_len, device=table.device)[:, None]
    return values[:, place + k_len - 1].unsqueeze(0)


@accepted
def in_place(table: Tensor, q_len: int, k_len: int, bidirectional: bool = True, max_distance: int = 128) -> Tensor:
    """Buckets added up, as the paper's code has it."""
    nb = table.shape[0]
    i = torch.arange(q_len, device=table.device)[:, None] + (k_len - q_len)
    rel = torch.arange(k_len, device=table.device)[None, :] - i
    found = torch.zeros_like(rel)
    if bidirectional:
        nb //= 2
        found += (rel > 0).long() * nb
        rel = rel.abs()
    else:
        rel = -torch.minimum(rel, torch.zeros_like(rel))
    me = nb // 2
    if not 0 < me < max_distance:
        raise ValueError("no buckets")
    large = me + (torch.log(rel.float() / me) / math.log(max_distance / me) * (nb - me)).to(torch.long)
    large = torch.min(large, torch.full_like(large, nb - 1))
    found = found + torch.where(rel < me, rel, large)
    return torch.einsum("qkh->hqk", table[found]).unsqueeze(0)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint("Work on whole numbers first: the matrix of offsets, then the matrix of buckets. The table comes last."),
    hint("Write the bucket of a distance for one side only, and print it for 0 to 20. The sides are split off before."),
    hint("table[buckets] with buckets of shape (q_len, k_len) gives (q_len, k_len, heads). Which axes change places?"),
    hint(
        "Let the table hold 0, 1, 2, … in its only head: the bias then shows buckets. Compare with the row of the "
        "statement, for 8 buckets and max_distance 20.",
        "query_minus_key",
        "halves_exchanged",
        "own_key_in_the_upper_half",
        "halves_exchanged_with_own_key",
        "sides_not_told_apart",
        "a_quarter_exact",
        "half_of_all_exact",
        "no_logarithm",
        "me_not_added",
        "rounded_up",
        "rounded_to_nearest",
        "logarithm_lacks_me_above",
        "logarithm_lacks_me_below",
        "me_missing_in_both_logarithms",
        "logarithm_not_divided",
        "steps_times_nb",
        "steps_times_me",
        "steps_one_short",
        "quotient_rounded_before_multiplied",
        "one_exact_bucket_too_many",
        "upper_half_begins_at_one_step",
        "far_buckets_linear",
        "logarithm_of_the_rest",
        "logarithm_of_n_plus_one",
    ),
    hint(
        "Which is the largest bucket that a distance of 1000 gets in your code, and which is the last of its side?",
        "buckets_not_capped",
        "capped_at_the_end_of_the_table",
        "capped_one_too_high",
        "capped_one_too_low",
        "buckets_not_halved",
        "odd_half_rounded_up",
        "always_32_buckets",
        "max_distance_ignored",
    ),
    hint(
        "With one side: how many buckets are there for the past, and which one does the future have?",
        "one_side_halved_too",
        "future_mirrored",
        "past_in_one_bucket",
        "causal_mask_inside",
        "always_both_sides",
        "always_one_side",
        "flag_inverted",
    ),
    hint(
        "Print the buckets of one query and four keys. Which key should have bucket 0?",
        "aligned_at_start",
        "aligned_never_before",
        "one_position_too_far",
        "one_position_behind",
        "offset_the_wrong_way",
    ),
]

QUIZ = [
    question(
        "32 buckets, both sides, max_distance 128. Which offsets have a bucket to themselves?",
        right("−7 to 7", "Each side has 16 buckets, and half of them, 8, hold the distances 0 to 7 exactly."),
        wrong_choice("−15 to 15", "16 buckets are a whole side; only half of them are exact."),
        wrong_choice("−31 to 0", "All 32 buckets are for the past only with one side, and then 16 are exact."),
        wrong_choice("All up to 128", "Beyond 7, several distances share a bucket."),
    ),
    question(
        "Why are far buckets wider than near ones?",
        right(
            "Whether a word is 2 or 3 steps away matters; whether it is 60 or 61 hardly does",
            "The logarithm spends the table's few rows where differences count.",
        ),
        wrong_choice("Because far keys are masked anyway", "They aren't: an encoder sees all of them."),
        wrong_choice(
            "To keep gradients of far buckets small", "More entries to a bucket make larger gradients, if any."
        ),
        wrong_choice("Because logarithms are faster to compute", "A plain division would be faster."),
    ),
    question(
        "A model with this bias was trained on 512 tokens, with max_distance 128. What happens at 2000?",
        right(
            "All offsets beyond 128 use the last bucket, which training has met already",
            "No new row is needed. How well it reads is another question.",
        ),
        wrong_choice("The look-up fails", "Buckets are capped at the last one."),
        wrong_choice("Offsets beyond 512 have untrained buckets", "They share the bucket of 128 to 511."),
        wrong_choice(
            "Far offsets come round to near buckets again", "Only a forgotten cap would do something like it."
        ),
    ),
    question(
        "In a decoder the future has bucket 0, the same as the token itself. Does that do harm?",
        right("No: a causal mask hides those keys", "What is added to a hidden score is never seen."),
        wrong_choice("Yes: the model looks ahead", "The bias hides and shows nothing; the mask does."),
        wrong_choice("Yes: row 0 learns from the future", "Hidden scores pass no gradient on."),
        wrong_choice("No: bucket 0 always holds 0", "It is a learned number like any other."),
    ),
    question(
        "A table of 32 rows, both sides: row 16 never gets a gradient. Why?",
        right(
            "It is the distance 0 of keys after the query, and there is none",
            "Keys after the query are at least 1 step away, so the upper half begins with its second row.",
        ),
        wrong_choice("It is the far end of the past, and no text is that long", "That is row 15."),
        wrong_choice("Indexing passes no gradient to the middle of a table", "It does, to every row that was used."),
        wrong_choice("The cap cuts it off", "The cap makes large buckets smaller; row 16 is only never asked for."),
    ),
]
