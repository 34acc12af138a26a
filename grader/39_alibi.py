"""How alibi is graded: slopes by repeated multiplication and a loop over all entries are the reference."""

SECTION = "Positions"
LEVEL = 3
AFTER = (19,)
VERSION = 2
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Callable

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
    mistake,
    no_loop_over,
    on_one_device,
    proportional,
    question,
    remembering,
    right,
    settings_ignored,
    settings_kept,
    wrong,
    wrong_choice,
)

Device = torch.device | str | None


# Distances are exact, so only the slope's rounding counts. The longest honest way is a slope of n heads as the n-th
# power of a first one rounded to float32: n·2⁻²⁴ of itself, 2⁻¹⁸ for 64 heads. Twice that is allowed, and next to
# nothing where 0 is right.
close = proportional(2.0**-17, 2.0**-40)


# ── The reference, with a knob for everything that can be done the wrong way ────────────────────────────────────────


def powers(c: int, begin: int = 1) -> list[float]:
    """The slopes of c heads, c a power of two: each is the one before it times 2^(−8/c)."""
    ratio, slopes = 2.0 ** (-8.0 / c), [1.0]
    for _ in range(c):
        slopes.append(slopes[-1] * ratio)
    return slopes[begin : begin + c]


def chosen(n: int, rule: str) -> list[float]:
    """The slopes of n heads, rightly or by a rule of somebody's own."""
    c = 1
    while 2 * c <= n:
        c *= 2
    first, double, rest = powers(c), powers(2 * c), n - c
    rules: dict[str, Callable[[], list[float]]] = {
        "odd": lambda: first + double[0::2][:rest],
        "odd, from zero": lambda: powers(c, 0) + powers(2 * c, 0)[0::2][:rest],
        "from zero, odd": lambda: powers(c, 0) + double[0::2][:rest],
        "any n": lambda: [2.0 ** (-8 * (i + 1) / n) for i in range(n)],
        "any n from zero": lambda: [2.0 ** (-8 * i / n) for i in range(n)],
        "sorted": lambda: sorted(first + double[0::2][:rest], reverse=True),
        "sorted up": lambda: sorted(first + double[0::2][:rest]),
        "next power": lambda: double[:n] if rest else first,
        "nearest": lambda: double[:n] if n * n >= 2 * c * c else first + double[0::2][:rest],
        "even": lambda: first + double[1::2][:rest],
        "in a row": lambda: first + double[:rest],
        "last odd": lambda: first + double[0::2][c - rest :],
        "strictly below": lambda: first + double[0::2][:rest] if rest or n == 1 else powers(n // 2) + powers(n)[0::2],
        "even steps": lambda: [2.0 ** (-1 - 7 * i / max(n - 1, 1)) for i in range(n)],
        "continued": lambda: [2.0 ** (-8 * (i + 1) / c) for i in range(n)],
        "extras in front": lambda: double[0::2][:rest] + first,
        "eight heads": lambda: [2.0 ** -(i + 1) for i in range(n)],
        "no eight": lambda: (
            [2.0 ** (-(i + 1) / c) for i in range(c)] + [2.0 ** (-(2 * i + 1) / (2 * c)) for i in range(rest)]
        ),
        "reversed": lambda: (first + double[0::2][:rest])[::-1],
        "growing": lambda: [1 / slope for slope in first + double[0::2][:rest]],
        "e": lambda: [math.exp(math.log2(slope)) for slope in first + double[0::2][:rest]],
        "whole": lambda: (
            [2.0 ** -(8 * (i + 1) // c) for i in range(c)] + [2.0 ** -(4 * (2 * i + 1) // c) for i in range(rest)]
        ),
        "linear": lambda: [(i + 1) / n for i in range(n)],
        "harmonic": lambda: [1 / (i + 1) for i in range(n)],
        "exponent": lambda: [-math.log2(slope) for slope in first + double[0::2][:rest]],
        "one": lambda: [1.0] * n,
    }
    return rules[rule]()


Distance = Callable[[int, int], float]  # (position of the query, of the key) → what the slope is multiplied by
DISTANCES: dict[str, Distance] = {
    "both ways": lambda p, j: -abs(p - j),
    "signed": lambda p, j: j - p,
    "past alone": lambda p, j: -max(p - j, 0),
    "future hidden": lambda p, j: j - p if j <= p else -math.inf,
    "lowest hidden": lambda p, j: j - p if j <= p else torch.finfo(torch.float32).min,
    "squared": lambda p, j: -((p - j) ** 2),
    "from one": lambda p, j: -abs(p - j) - 1,
    "root": lambda p, j: -(abs(p - j) ** 0.5),
    "log": lambda p, j: -math.log1p(abs(p - j)),
    "key alone": lambda p, j: j,
}


def reference(
    num_heads: int,
    q_len: int,
    k_len: int,
    device: Device = None,
    *,
    valid: bool = True,
    slopes: str = "odd",
    distance: str = "both ways",
    align: str = "end",
    sign: float = 1.0,
    shape: str = "",
) -> Tensor:
    """Entry by entry, in Python's floats: (num_heads, q_len, k_len) of float64."""
    if valid and num_heads < 1:
        raise ValueError("num_heads must be at least 1")
    shift = {
        "end": k_len - q_len,
        "start": 0,
        "never before": max(0, k_len - q_len),
        "one further": k_len - q_len + 1,
        "one behind": k_len - q_len - 1,
        "keys pushed": q_len - k_len,
    }[align]
    taken = DISTANCES[distance]
    table = torch.tensor([[taken(i + shift, j) for j in range(k_len)] for i in range(q_len)], dtype=torch.float64)
    table = table.reshape(1, q_len, k_len)
    bias = torch.cat([sign * slope * table for slope in chosen(num_heads, slopes)])
    bias = torch.where(table < -1e30, table, bias)  # a mask is laid over the product
    match shape:
        case "last row":
            return bias[:, -1:].expand(bias.shape)
        case "batch axis":
            return bias[None]
        case "heads last":
            return bias.permute(1, 2, 0)
        case "transposed":
            return bias.transpose(1, 2)
    return bias


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The bias has a matrix for each head, with a row for each query and a column for each key."""
    for n, q, k in ((2, 3, 5), (4, 1, 7), (3, 5, 4)):
        yield call(n, q, k, like=torch.zeros(n, q, k))


@check(points=1, explains=True)
def own_position(draw: Draw) -> Checking:
    """A query's own key gets 0, and every other less."""
    bias = yield call(4, 3, 6, like=torch.zeros(4, 3, 6))
    for i in range(3):
        if not bool((bias[:, i, i + 3].abs() <= 1e-6).all()):
            raise Failed(
                f"query {i} of 3, with 6 keys, stands at position {i + 3}: key {i + 3} gets {bias[0, i, i + 3]:.6g}"
            )
    highest = bias.amax(-1)
    if not bool(((highest <= 1e-6) & (bias.sum(-1) < -0.01)).all()):
        raise Failed(f"among the keys of one query the highest bias is {highest.max():.6g}")


@check(points=1, explains=True)
def same_at_every_place(draw: Draw) -> Checking:
    """Only distance matters: a query one step further sees the same bias one key further."""
    bias = yield call(3, 9, 12, like=torch.zeros(3, 9, 12))
    if at := apart(bias[:, 1:, 1:], bias[:, :-1, :-1], 1e-5):
        h, i, j = at
        text = (
            f"in head {h} entry ({i}, {j}) is {bias[h, i, j]:.6g}, and ({i + 1}, {j + 1}) {bias[h, i + 1, j + 1]:.6g}"
        )
        raise Failed(text)


@check(points=1, explains=True)
def straight_line(draw: Draw) -> Checking:
    """With every step away from the query the bias falls by the same amount: the head's slope."""
    bias = yield call(4, 1, 9, like=torch.zeros(4, 1, 9))
    steps = bias[:, 0, 1:] - bias[:, 0, :-1]  # (heads, 8), going towards the query
    if at := apart(steps, steps[:, -1:], 1e-5):
        h, j = at
        raise Failed(
            f"in head {h} the last step is {steps[h, -1]:.6g}, and that from key {j} to {j + 1} {steps[h, j]:.6g}"
        )
    if not bool((steps > 0).all()):
        h = int((~(steps > 0)).any(-1).nonzero()[0])
        raise Failed(
            f"in head {h} the bias changes by {steps[h, -1]:.6g} with a step towards the query; it should rise"
        )


@check(points=3)
def powers_of_two(draw: Draw) -> Checking:
    """The bias is right for 8, 4, 2, 16, 1 and 64 heads."""
    for n, q, k in ((8, 3, 3), (4, 5, 5), (2, 4, 4), (16, 3, 3), (1, 6, 6), (64, 2, 2)):
        yield call(n, q, k, want=reference)


@check(points=3)
def other_numbers_of_heads(draw: Draw) -> Checking:
    """The bias is right when the number of heads is no power of two."""
    for n in (6, 12, 3, 5, 7, 20, 9 + draw.integer(0, 7)):
        yield call(n, 3, 3, want=reference)


@check(points=2)
def lengths(draw: Draw) -> Checking:
    """With more keys than queries the queries are the last positions, as in decoding with a cache."""
    for n, q, k in ((4, 2, 5), (2, 1, 8), (6, 3, 7), (3, draw.integer(1, 4), draw.integer(5, 12))):
        yield call(n, q, k, want=reference)


@check(points=1)
def more_queries_than_keys(draw: Draw) -> Checking:
    """With more queries than keys the first queries stand before key 0."""
    for n, q, k in ((2, 5, 3), (3, 4, 1), (4, draw.integer(7, 10), draw.integer(2, 6))):
        yield call(n, q, k, want=reference)


@check(points=1)
def far_away(draw: Draw) -> Checking:
    """Thousands of positions are as exact as a few."""
    yield call(2, 3, 5, want=reference)
    yield call(3, 2, 3000, want=reference)


@check(points=1)
def empty(draw: Draw) -> Checking:
    """No query and no key are fine."""
    for q, k in ((2, 3), (0, 4), (3, 0), (0, 0)):
        yield call(4, q, k, want=reference)


@check(points=1)
def called_again(draw: Draw) -> Checking:
    """What a call returns depends on its arguments alone, not on earlier calls."""
    for n, q, k in ((4, 3, 5), (4, 3, 6), (4, 2, 6), (2, 2, 6), (6, 3, 5), (4, 3, 5)):
        yield call(n, q, k, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The bias is float32."""
    for n, q, k in ((4, 3, 5), (6, 2, 0)):
        yield call(n, q, k, like=torch.zeros(n, q, k))


@check(craft=True)
def no_heads(draw: Draw) -> Checking:
    """`num_heads` below 1 raises ValueError."""
    yield call(1, 4, 4, want=reference)
    for n in (-1, -draw.integer(2, 9), 0):
        yield call(n, 4, 4, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """The program's default dtype and autocast round no number and change no dtype."""
    yield call(6, 3, 5, want=reference)
    yield from settings_ignored(call(12, 2, 300, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(6, 3, 5, want=reference))
    yield from settings_kept(call(6, 3, 5, under="default_float64"))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Everything is made on `device`, and no number leaves it."""
    yield from on_one_device(draw, call(6, 3, 5, device="cpu", want=reference), torch.zeros(6, 3, 5))


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    yield from no_loop_over("positions", {n: call(2, n, n, want=reference) for n in (8, 24)}, least=3)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "first_slope_is_one",
        "Heads are counted from 0 in the exponent, so the first slope is 1 and the last one is not 1/256. With 8 heads "
        "the slopes begin at 1/2. Look at where the range of exponents starts.",
        slopes="odd, from zero",
    ),
    mistake(
        "first_slope_is_one_extras_right",
        "The exponents of the first heads start at 0, so the first slope is 1; only those appended for a number of "
        "heads that is no power of two are right. With 8 heads the slopes begin at 1/2.",
        slopes="from zero, odd",
    ),
    mistake(
        "one_formula_for_any_number",
        "2^(−8(h+1)/n) is used for every number of heads. It is right for powers of two only; for 6 heads the first "
        "four have the slopes of 4 heads, and two more are appended.",
        slopes="any n",
    ),
    mistake(
        "one_formula_from_zero",
        "2^(−8h/n) is used for every number of heads. Two things are off: heads count from 1 in the exponent, and the "
        "formula is for powers of two only.",
        slopes="any n from zero",
    ),
    mistake(
        "slopes_sorted",
        "The slopes are the right ones, but sorted from steep to flat. The extra ones stay at the end: a trained "
        "model's heads expect theirs in that order.",
        slopes="sorted",
    ),
    mistake(
        "slopes_sorted_upwards",
        "The slopes are sorted from flat to steep. They are listed as they are made: those of the power of two, steep "
        "to flat, then the extra ones.",
        slopes="sorted up",
    ),
    mistake(
        "first_of_the_next_power",
        "With a number of heads that is no power of two, the first n slopes of the *next larger* power are taken, so "
        "flat slopes are missing. Start from the power below n.",
        slopes="next power",
    ),
    mistake(
        "nearest_power",
        "log₂ n is rounded to the nearest whole number, so that 6, 7 or 12 heads count as 8 or 16 cut short, and "
        "only 5 as 4 and one more. It is always the power *below* n that comes first.",
        slopes="nearest",
    ),
    mistake(
        "extras_repeat_slopes",
        "The extra slopes are the second, fourth, … of the list for 2c heads, and those are the slopes that the first "
        "c heads already have. The first, third, … lie between them.",
        slopes="even",
    ),
    mistake(
        "extras_in_a_row",
        "The extra slopes are the first ones of the list for 2c heads, without leaving any out. Every second of them "
        "is among the first c slopes already.",
        slopes="in a row",
    ),
    mistake(
        "extras_from_the_end",
        "The extra slopes are the last ones that lie between those of c heads. The steepest come first: take them from "
        "the beginning of the list.",
        slopes="last odd",
    ),
    mistake(
        "sequence_continued",
        "The extra heads carry the sequence of c heads on, below 1/256. Their slopes lie *between* those of the first "
        "c heads.",
        slopes="continued",
    ),
    mistake(
        "strictly_the_power_below",
        "Numbers of heads that are powers of two are made of the power below as well: 8 heads get the slopes of 4, and "
        "four between them. They have the plain list.",
        slopes="strictly below",
    ),
    mistake(
        "exponents_spread_from_one",
        "The exponents are spread evenly from −1 to −8 whatever the number of heads. Only the last is always −8; a "
        "step is 8/n, and the first exponent is one step.",
        slopes="even steps",
    ),
    mistake(
        "extras_in_front",
        "The extra slopes stand in front of the others. They are appended.",
        slopes="extras in front",
    ),
    mistake(
        "written_for_eight_heads",
        "The slopes are 1/2, 1/4, 1/8, … whatever the number of heads: that is right for 8 only. The exponents are "
        "spread so that the last of a power of two reaches −8.",
        slopes="eight heads",
    ),
    mistake(
        "eight_missing_in_exponent",
        "The exponents end at −1 and not at −8, so all slopes lie between 1/2 and 1: the factor 8 is missing.",
        slopes="no eight",
    ),
    mistake(
        "slopes_reversed",
        "The slopes stand in reverse order. Head 0 has the first of the list.",
        slopes="reversed",
    ),
    mistake(
        "slopes_above_one",
        "The slopes grow to 256: the exponent has lost its minus.",
        slopes="growing",
    ),
    mistake(
        "powers_of_e",
        "The slopes are powers of e, with the right exponents. They are powers of 2.",
        slopes="e",
    ),
    mistake(
        "exponents_made_whole",
        "The exponents are rounded to whole numbers (//), so with more than 8 heads several share a slope.",
        slopes="whole",
    ),
    mistake(
        "slopes_fall_linearly",
        "The slopes are 1/n, 2/n, …, 1: equal differences. They fall by equal *factors*.",
        slopes="linear",
    ),
    mistake(
        "slopes_one_over_head",
        "The slopes are 1, 1/2, 1/3, 1/4, …. They are powers of 2, falling by equal factors.",
        slopes="harmonic",
    ),
    mistake(
        "exponent_taken_for_slope",
        "Distances are multiplied by the exponent itself; 2 to the power of it has not been taken.",
        slopes="exponent",
    ),
    mistake(
        "same_slope_for_all_heads",
        "All heads have the slope 1: what is returned is the distance. Each head has a slope of its own.",
        slopes="one",
    ),
    mistake(
        "distance_rewarded",
        "The bias is positive and grows with distance, so far keys are preferred. The minus is missing.",
        sign=-1.0,
    ),
    mistake(
        "future_rewarded",
        "Behind the query the bias falls, but ahead of it it *rises*: the distance keeps its sign. Distance is an "
        "absolute value here.",
        distance="signed",
    ),
    mistake(
        "future_at_no_cost",
        "Keys after the query get 0, as its own key does. Distance is taken both ways; what may be seen is for the "
        "mask to say.",
        distance="past alone",
    ),
    mistake(
        "causal_mask_inside",
        "Keys after the query get −inf: a causal mask is built in. The bias is to be without one, so that it serves "
        "any mask.",
        distance="future hidden",
    ),
    mistake(
        "causal_mask_inside_lowest_number",
        "Keys after the query get the lowest number of float32: a causal mask is built in. The bias is to be without "
        "one.",
        distance="lowest hidden",
    ),
    mistake(
        "distance_squared",
        "The bias falls with the *square* of the distance. ALiBi is linear.",
        distance="squared",
    ),
    mistake(
        "distance_from_one",
        "Distances are one too large, so that a query's own key is punished as well. It is 0 steps away.",
        distance="from one",
    ),
    mistake("distance_under_a_root", "The bias falls with the root of the distance. ALiBi is linear.", distance="root"),
    mistake(
        "logarithm_of_the_distance",
        "The bias falls with the logarithm of 1 + distance. ALiBi is linear.",
        distance="log",
    ),
    mistake(
        "key_position_alone",
        "The bias is slope · j, the same for every query. Under a causal mask softmax would make the same of it "
        "(BLOOM does so), but asked for are the numbers −slope · |p − j|, which hold without a mask too.",
        distance="key alone",
    ),
    mistake(
        "last_query_for_all",
        "All queries have the row of the last one. softmax would not mind, as long as a mask hides the future; but "
        "asked for are distances from each query's own position.",
        shape="last row",
    ),
    mistake(
        "aligned_at_start",
        "Query i is taken to stand at position i. With more keys than queries the queries are the *last* positions; a "
        "new token after a cache would otherwise look at its beginning.",
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
        "Every query stands one position too far: the last one should be at k_len − 1, at the last key.",
        align="one further",
    ),
    mistake(
        "one_position_behind",
        "Every query stands one position too early: the last one should be at k_len − 1, at the last key.",
        align="one behind",
    ),
    mistake(
        "offset_the_wrong_way",
        "Queries are moved by q_len − k_len: the offset has the wrong sign. More keys mean *later* queries.",
        align="keys pushed",
    ),
    mistake(
        "axis_for_the_batch_added",
        "The bias has an axis of size 1 in front. Asked for are three axes; broadcasting adds it by itself.",
        shape="batch axis",
    ),
    mistake("heads_last", "Heads run along the last axis. They are the first.", shape="heads last"),
    mistake(
        "transposed",
        "Rows and columns have changed places: queries run along the last axis. Rows are queries, columns are keys.",
        shape="transposed",
    ),
]


def made_slopes(num_heads: int, device: Device, dtype: torch.dtype | None = torch.float32) -> Tensor:
    """The slopes, by exponents of some dtype (or of the default one)."""
    c = 2 ** (num_heads.bit_length() - 1)
    exponents = [*range(2, 2 * c + 1, 2), *range(1, 2 * (num_heads - c), 2)]
    return 2.0 ** (torch.tensor(exponents, dtype=dtype, device=device) * (-4.0 / c))


def distances(q_len: int, k_len: int, device: Device) -> Tensor:
    """How far every key is from every query."""
    positions = torch.arange(q_len, device=device) + (k_len - q_len)
    return (positions[:, None] - torch.arange(k_len, device=device)).abs()


def right_answer(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """What an answer does."""
    if num_heads < 1:
        raise ValueError("num_heads")
    return -made_slopes(num_heads, device)[:, None, None] * distances(q_len, k_len, device)


@wrong(
    "The bias was made in bfloat16, which has 8 bits: slopes that are no powers of two are rounded, and so are "
    "distances beyond 256. Make it in float32; who needs less can cast."
)
def made_in_bfloat16(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """slopes.bfloat16() * distance.bfloat16()."""
    slopes = made_slopes(num_heads, device).bfloat16()
    return (-slopes[:, None, None] * distances(q_len, k_len, device).bfloat16()).float()


@wrong(
    "The bias was made in float16, which has 11 bits: distances beyond 2048 are rounded. Make it in float32; who needs "
    "less can cast."
)
def made_in_float16(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """slopes.half() * distance.half()."""
    slopes = made_slopes(num_heads, device).half()
    return (-slopes[:, None, None] * distances(q_len, k_len, device).half()).float()


@wrong(
    "A bias kept from an earlier call is returned although lengths have changed since. Everything that it depends on "
    "belongs into the key.",
    fresh=True,
)
def kept_bias_ignores_lengths() -> Callable[..., Tensor]:
    """A cache by the number of heads alone."""
    return remembering(right_answer, lambda num_heads, *rest, **named: num_heads)


@wrong(
    "Distances kept from an earlier call are used although `q_len` has changed since: where its queries stand depends "
    "on both lengths, and there may be too few rows. Both belong into the key.",
    fresh=True,
)
def kept_distances_know_keys_alone() -> Callable[..., Tensor]:
    """A cache by k_len, cut to q_len rows."""
    kept: dict[int, Tensor] = {}

    def answer(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
        if num_heads < 1:
            raise ValueError("num_heads")
        if k_len not in kept:
            kept[k_len] = distances(q_len, k_len, device)
        return -made_slopes(num_heads, device)[:, None, None] * kept[k_len][:q_len]

    return answer


@wrong(
    "The rows are cut from a square of k_len × k_len, from its end: with more queries than keys there are too few of "
    "them, and with no query the slice [-0:] is the whole square. Make positions for q_len queries."
)
def rows_cut_from_a_square(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """square[:, -q_len:]."""
    return right_answer(num_heads, k_len, k_len, device)[:, -q_len:]


@wrong("The bias holds whole numbers or truth values where a floating tensor is asked for: slopes are fractions.")
def made_of_integers(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """Cut to int64."""
    return right_answer(num_heads, q_len, k_len, device).long()


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong("The bias is float64. float32 is asked for: added to scores, a float64 bias makes them all float64.", craft=True)
def comes_back_as_float64(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """No cast at the end."""
    if num_heads < 1:
        raise ValueError("num_heads")
    return -made_slopes(num_heads, device, torch.float64)[:, None, None] * distances(q_len, k_len, device)


@wrong(
    "The slopes take torch's default dtype. A program that sets it to bfloat16, as many training scripts do, gets "
    "rounded ones. Name the dtype.",
    craft=True,
)
def default_dtype_taken(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """torch.tensor(list) without a dtype."""
    if num_heads < 1:
        raise ValueError("num_heads")
    return -made_slopes(num_heads, device, torch.get_default_dtype())[:, None, None] * distances(q_len, k_len, device)


@wrong(
    "The slopes take torch's default dtype and are cast afterwards. Digits that a default of bfloat16 has cost don't "
    "come back: name the dtype where the slopes are made.",
    craft=True,
)
def default_dtype_cast_late(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """torch.tensor(list).float()."""
    if num_heads < 1:
        raise ValueError("num_heads")
    slopes = torch.tensor(chosen(num_heads, "odd"), device=device).float()
    return -slopes[:, None, None] * distances(q_len, k_len, device)


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(num_heads, q_len, k_len, device)


@wrong(
    "torch.set_default_dtype(torch.float32) is called inside: a program that has set another dtype finds it changed. "
    "Name the dtype where tensors are made.",
    craft=True,
)
def default_dtype_set_to_float32(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """Leaves float32 as the default."""
    torch.set_default_dtype(torch.float32)
    return right_answer(num_heads, q_len, k_len, device)


@wrong("`num_heads` of 0 or less is not refused as a mistake of the caller: raise ValueError.", craft=True)
def heads_not_checked(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """An empty bias."""
    if num_heads < 1:
        return torch.zeros(0, q_len, k_len, device=device)
    return right_answer(num_heads, q_len, k_len, device)


@wrong(
    "A negative `num_heads` is refused, but not 0: an empty bias comes back. Attention without heads is a mistake of "
    "the caller, too.",
    craft=True,
)
def zero_heads_accepted(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """< 0 in place of < 1."""
    if num_heads < 0:
        raise ValueError("num_heads")
    return (
        torch.zeros(0, q_len, k_len, device=device) if num_heads == 0 else right_answer(num_heads, q_len, k_len, device)
    )


@wrong(
    "`num_heads` of 0 ends in some other error, from a division, a shift or a slice of nothing. The caller should be "
    "told what is wrong: compare first, and raise ValueError.",
    craft=True,
)
def fails_by_division(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """ZeroDivisionError."""
    return right_answer(num_heads if 8 / num_heads else 1, q_len, k_len, device)


@wrong(
    "`num_heads` is refused by assert. That raises AssertionError, and with python -O it is not checked at all. "
    "ValueError is asked for.",
    craft=True,
)
def refused_by_assert(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """assert instead of raise."""
    assert num_heads >= 1
    return right_answer(num_heads, q_len, k_len, device)


@wrong(
    "`device` is not passed on everywhere: tensors are made on the CPU (and moved afterwards, or not at all). Pass it "
    "to every factory.",
    craft=True,
)
def made_without_device(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """arange without a device."""
    if num_heads < 1:
        raise ValueError("num_heads")
    c = 2 ** (num_heads.bit_length() - 1)
    exponents = [*range(2, 2 * c + 1, 2), *range(1, 2 * (num_heads - c), 2)]
    slopes = 2.0 ** (torch.tensor(exponents, dtype=torch.float32) * (-4.0 / c))
    positions = torch.arange(q_len) + (k_len - q_len)
    return -slopes[:, None, None] * (positions[:, None] - torch.arange(k_len)).abs()


@wrong(
    "The bias is right, but a Python loop runs over its rows (or its entries). A column of positions minus a row of "
    "positions is the table of distances.",
    craft=True,
)
def loop_over_positions(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """One row after the other, where few enough to be quick."""
    bias = right_answer(num_heads, q_len, k_len, device)
    if not 0 < q_len < 50:
        return bias
    return torch.stack([bias[:, i] for i in range(q_len)], 1)


@wrong(
    "The bias is computed number by number in Python and turned into a tensor at the end. A column of positions minus "
    "a row of positions makes all distances at once.",
    craft=True,
)
def built_in_python(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """A list of lists."""
    if num_heads < 1:
        raise ValueError("num_heads")
    if k_len > 100 or device == "meta":
        return right_answer(num_heads, q_len, k_len, device)
    rows = [
        -m * abs(i + k_len - q_len - j) for m in chosen(num_heads, "odd") for i in range(q_len) for j in range(k_len)
    ]
    return torch.tensor(rows, dtype=torch.float32, device=device).reshape(num_heads, q_len, k_len)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_powers_of_a_first_slope(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """A float32 slope raised to 1, 2, …, and the list for twice as many heads cut to every second."""
    if num_heads < 1:
        raise ValueError("num_heads")

    def of(n: int) -> Tensor:
        first = torch.tensor(2.0 ** (-8.0 / n), dtype=torch.float32, device=device)
        return first ** torch.arange(1, n + 1, dtype=torch.int32, device=device)

    c = 2 ** math.floor(math.log2(num_heads))
    slopes = torch.cat([of(c), of(2 * c)[0::2][: num_heads - c]])
    q = torch.arange(k_len - q_len, k_len, dtype=torch.float32, device=device).view(1, -1, 1)
    k = torch.arange(k_len, dtype=torch.float32, device=device).view(1, 1, -1)
    return torch.minimum(q - k, k - q) * slopes.view(-1, 1, 1)


@accepted
def head_by_head(num_heads: int, q_len: int, k_len: int, device: Device = None) -> Tensor:
    """Python's slopes, one matrix a head."""
    if num_heads < 1:
        raise ValueError("num_heads")
    q = torch.arange(k_len - q_len, k_len, device=device)
    away = torch.cdist(q[:, None].double(), torch.arange(k_len, device=device)[:, None].double(), p=1.0)
    return torch.stack([away * -slope for slope in chosen(num_heads, "odd")]).float()


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint("Two parts that don't know of each other: a list of slopes, and a table of distances. Write them one by one."),
    hint("Distances: a column of query positions minus a row of key positions. Where does query i of q_len stand?"),
    hint(
        "Slopes: write exponents instead. For 4 heads they are −2, −4, −6, −8. What are they for 8 heads, and which of "
        "those are new?"
    ),
    hint(
        "Print your slopes for 8, 4 and 1 heads. They should end at 1/256 each time, and begin at 1/2, 1/4 and 1/256.",
        "first_slope_is_one",
        "first_slope_is_one_extras_right",
        "one_formula_from_zero",
        "exponents_spread_from_one",
        "written_for_eight_heads",
        "eight_missing_in_exponent",
        "slopes_above_one",
        "powers_of_e",
        "exponents_made_whole",
        "slopes_fall_linearly",
        "slopes_one_over_head",
        "exponent_taken_for_slope",
        "slopes_reversed",
    ),
    hint(
        "Print your slopes for 6 heads beside 1/4, 1/16, 1/64, 1/256, 1/2, 1/8. From which lists do the last two come?",
        "one_formula_for_any_number",
        "slopes_sorted",
        "slopes_sorted_upwards",
        "first_of_the_next_power",
        "nearest_power",
        "extras_repeat_slopes",
        "extras_in_a_row",
        "extras_from_the_end",
        "sequence_continued",
        "strictly_the_power_below",
        "extras_in_front",
    ),
    hint(
        "Print the bias of one query and four keys. Which key should have the 0?",
        "aligned_at_start",
        "one_position_too_far",
        "one_position_behind",
        "offset_the_wrong_way",
        "aligned_never_before",
        "rows_cut_from_a_square",
        "key_position_alone",
        "last_query_for_all",
    ),
    hint(
        "Look at a row in the middle of a square bias: it should be a tent, highest at the query and falling on both "
        "sides.",
        "future_rewarded",
        "future_at_no_cost",
        "causal_mask_inside",
        "causal_mask_inside_lowest_number",
        "distance_rewarded",
        "distance_from_one",
    ),
]

QUIZ = [
    question(
        "A layer has 4 heads. What are their slopes?",
        right("1/4, 1/16, 1/64, 1/256", "The exponents are −8/4 times 1, 2, 3, 4."),
        wrong_choice("1/2, 1/4, 1/8, 1/16", "Those are the first four of 8 heads; 4 heads reach 1/256 too."),
        wrong_choice("1, 1/4, 1/16, 1/64", "Heads count from 1 in the exponent, so the first slope is not 1."),
        wrong_choice("1/4, 1/2, 3/4, 1", "Slopes fall by equal factors, not differences."),
    ),
    question(
        "Two scores are equal before the bias. A head with the slope 1/2 sees one key 1 step back and one 3 steps "
        "back. How do their weights compare?",
        right(
            "The nearer one weighs e times as much", "Biases are −0.5 and −1.5; softmax makes e^1 of the difference."
        ),
        wrong_choice(
            "Three times as much", "The bias is added before the exponential; weights are not divided by distance."
        ),
        wrong_choice("Twice as much", "The slope is 1/2 in the scores, and scores are exponents."),
        wrong_choice("Equally: softmax removes the bias", "Only what is added to all keys of a row would be removed."),
    ),
    question(
        "BLOOM adds slope · j to key j, the same for every query. Why may it?",
        right(
            "Rows differ from −slope · (p − j) by the constant slope · p, which softmax removes",
            "With the future hidden by a mask, every visible key has j ≤ p, and |p − j| is p − j.",
        ),
        wrong_choice(
            "Because it is trained to live with other numbers", "The weights come out the same, trained or not."
        ),
        wrong_choice("Because its queries all stand at position 0", "They stand where tokens stand."),
        wrong_choice(
            "It may not: later keys are preferred wrongly", "Later means nearer, as long as keys are in the past."
        ),
    ),
    question(
        "Where does the bias belong in softmax(q·kᵀ/√d)·v?",
        right("To the scores, after the division by √d", "The slopes are made for scores of that size."),
        wrong_choice(
            "To q·kᵀ, before the division", "It would then be √d times weaker, and depend on the head's width."
        ),
        wrong_choice("To the weights, after the softmax", "They would no longer add up to 1, and could be negative."),
        wrong_choice("To q and k", "There it would be an embedding; ALiBi changes no vector."),
    ),
    question(
        "A model with ALiBi was trained on 1024 tokens and reads 4096. What does a head with the slope 1/2 do?",
        right(
            "Much the same as before: keys hundreds of steps back were already out of reach",
            "At 100 steps the bias is −50. Steep heads are windows, and a window moves along.",
        ),
        wrong_choice(
            "It fails, since there is no slope for position 2000", "Slopes belong to heads, not to positions."
        ),
        wrong_choice("It reads 4096 tokens as well as 1024", "It never read 1024 of them: it looks a few steps back."),
        wrong_choice("It turns to the first tokens", "Those have the lowest bias of all."),
    ),
]
