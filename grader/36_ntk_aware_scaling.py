"""How ntk_aware_scaling is graded: each frequency by itself, base^(−2j/d) over scale^(2j/(d−2)), is the reference."""

SECTION = "Positions"
LEVEL = 3
AFTER = (28,)
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
Answer = Callable[..., Tensor]


# b^(−e) with e < 1 in float32 is off by about ln(b) roundings of e, 2⁻²⁴ each: 2·10⁻⁶ for a base of 10¹².
close = proportional(1e-5)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Slower = Callable[[float, int, float], float]  # (pair, head_dim, scale) → by how much the pair is slowed down
SLOWER: dict[str, Slower] = {
    "s^(2j/(d-2))": lambda j, d, s: s ** (2 * j / (d - 2)),
    "s^(2j/d)": lambda j, d, s: s ** (2 * j / d),
    "s": lambda j, d, s: s,
    "1": lambda j, d, s: 1.0,
    "inverse": lambda j, d, s: s ** (-2 * j / (d - 2)),
    "s^((d-2)/d)": lambda j, d, s: s ** ((d - 2) / d * 2 * j / d),
    "s^(d/2)": lambda j, d, s: s ** (d / 2 * 2 * j / d),
    "s^d": lambda j, d, s: s ** (2 * j),
    "s^(2/(d-2))": lambda j, d, s: s ** (2 / (d - 2) * 2 * j / d),
    "s^(d/(d-1))": lambda j, d, s: s ** (2 * j / (d - 1)),
    "s^(d/(d+2))": lambda j, d, s: s ** (2 * j / (d + 2)),
    "s^(half/(half-2))": lambda j, d, s: s ** (d / 2 / (d / 2 - 2) * 2 * j / d),
    "s^2": lambda j, d, s: s ** (2 * 2 * j / d),
    "s^(1-2/d)": lambda j, d, s: s ** ((1 - 2 / d) * 2 * j / d),
    "s·d/(d-2)": lambda j, d, s: (s * d / (d - 2)) ** (2 * j / d),
    "whole exponent": lambda j, d, s: s ** (d // (d - 2) * 2 * j / d),
    "whole scale": lambda j, d, s: int(s) ** (2 * j / (d - 2)),
    "and s": lambda j, d, s: s * s ** (2 * j / (d - 2)),
    "twice": lambda j, d, s: s ** (2 * 2 * j / (d - 2)),
    "root": lambda j, d, s: s ** (j / (d - 2)),
    "linearly more": lambda j, d, s: 1 + (s - 1) * 2 * j / (d - 2),
    "log": lambda j, d, s: (1 + math.log(s)) ** (2 * j / (d - 2)),
    "s-1": lambda j, d, s: (s - 1) ** (2 * j / (d - 2)) if s > 1 or not j else 1e-320,
    "s+1": lambda j, d, s: (s + 1) ** (2 * j / (d - 2)),
    "last only": lambda j, d, s: s if j == d // 2 - 1 else 1.0,
    "whole reach": lambda j, d, s: s ** (d / (d - 2) * 2 * j / (d - 2)),
    "from one": lambda j, d, s: s ** (2 * (j + 1) / (d - 2)),
    "1/s": lambda j, d, s: 1 / s,
    "s^d/(d-2)": lambda j, d, s: (float(s) ** d / (d - 2)) ** (2 * j / d),
    "s^(d/d-2)": lambda j, d, s: s ** (-2 * j / d),
    "dynamic": lambda j, d, s: (s * s - (s - 1)) ** (2 * j / (d - 2)),
}
Schedule = Callable[[float, int, float], float]  # (pair, head_dim, base) → unscaled frequency
SCHEDULES: dict[str, Schedule] = {
    "2j/d": lambda j, d, b: b ** (-2 * j / d),
    "j/d": lambda j, d, b: b ** (-j / d),
    "4j/d": lambda j, d, b: b ** (-4 * j / d),
    "2(j+1)/d": lambda j, d, b: b ** (-2 * (j + 1) / d),
    "2j/(d-2)": lambda j, d, b: b ** (-2 * j / (d - 2)),
    "raised as well": lambda j, d, b: b ** (-2 * j / (d - 2)),
    "10000": lambda j, d, b: 10000.0 ** (-2 * j / d),
    "500000": lambda j, d, b: (500000.0 if b == 10000.0 else b) ** (-2 * j / d),
    "whole": lambda j, d, b: float(int(b)) ** (-2 * j / d),
}


def reference(
    head_dim: int,
    scale: float,
    base: float = 10000.0,
    device: Device = None,
    *,
    odd: bool = True,
    small: bool = True,
    below: str = "refused",
    slower: str = "s^(2j/(d-2))",
    schedule: str = "2j/d",
    power: float = 1.0,
    factor: float = 1.0,
    shape: str = "",
) -> Tensor:
    """base^(−2j/d) / scale^(2j/(d−2)), one pair after the other, in Python's numbers: (head_dim/2,) of float64."""
    if odd and head_dim % 2:
        raise ValueError("head_dim must be even")
    if small and head_dim < 4:
        raise ValueError("head_dim must be at least 4")
    if scale < 1:
        if below == "refused":
            raise ValueError("scale must be at least 1")
        scale = 1.0 if below == "clamped" else scale
    count = head_dim if shape == "channels" else head_dim // 2
    pairs = [j / 2 if shape == "channels" else float(j) for j in range(count)]
    values = [SCHEDULES[schedule](j, head_dim, base) / SLOWER[slower](j, head_dim, scale) for j in pairs]
    made = torch.tensor(values, dtype=torch.float64) ** power * factor
    match shape:
        case "reversed":
            return made.flip(0)
        case "twice":
            return torch.cat([made, made])
        case "each twice":
            return made.repeat_interleave(2)
        case "row":
            return made[None]
        case "one less":
            return made[:-1]
    return made


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def like(head_dim: int) -> Tensor:
    """A tensor of the shape and dtype that must come back."""
    return torch.zeros(head_dim // 2, dtype=torch.float32)


def unscaled(head_dim: int, base: float) -> Tensor:
    """The frequencies without scaling, in float64."""
    return base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """One frequency for each pair comes back."""
    for head_dim in (6, 16, 4):
        yield call(head_dim, 2.0, like=like(head_dim))


@check(points=1, explains=True)
def first_pair(draw: Draw) -> Checking:
    """The first pair keeps its speed, one radian a position."""
    for head_dim, scale in ((8, 4.0), (64, 2.5)):
        made = yield call(head_dim, scale, like=like(head_dim))
        if not abs(float(made[0]) - 1) <= 1e-5:
            raise Failed(f"with head_dim {head_dim} and scale {scale} pair 0 turns by {float(made[0]):.6g}, not by 1")


@check(points=1, explains=True)
def last_pair(draw: Draw) -> Checking:
    """The last pair is slowed down by `scale`, exactly."""
    for head_dim, scale in ((8, 4.0), (64, 2.5)):
        made = yield call(head_dim, scale, like=like(head_dim))
        slower = float(unscaled(head_dim, 10000.0)[-1] / made[-1].double())
        if not abs(slower / scale - 1) <= 1e-5:
            raise Failed(f"with head_dim {head_dim} and scale {scale} the last pair is {slower:.6g} times slower")


@check(points=1, explains=True)
def between(draw: Draw) -> Checking:
    """From pair to pair the slowing grows, by the same ratio."""
    head_dim, scale = 12, 8.0
    made = yield call(head_dim, scale, like=like(head_dim))
    slower = unscaled(head_dim, 10000.0) / made.double()
    ratio = slower[1:] / slower[:-1]
    if not bool((ratio > 1.0001).all()):
        raise Failed(f"with scale 8 the pairs are slower by {', '.join(f'{s:.4g}' for s in slower.tolist())}")
    if not bool(((ratio / ratio[0] - 1).abs() <= 1e-4).all()):
        raise Failed(f"the slowing grows by ratios that differ: {', '.join(f'{r:.4g}' for r in ratio.tolist())}")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The frequencies are right for several widths and scales."""
    for head_dim, scale in ((8, 4.0), (16, 2.0), (6, 3.0), (64, 8.0), (128, 16.0), (10, 100.0)):
        yield call(head_dim, scale, want=reference)


@check(points=1)
def smallest_head(draw: Draw) -> Checking:
    """`head_dim` 4 has a first and a last pair and nothing between."""
    for scale in (2.0, 5.5, 1.0):
        yield call(4, scale, want=reference)


@check(points=2)
def fractional_scales(draw: Draw) -> Checking:
    """`scale` need not be whole, and may be an int."""
    for scale in (1.5, 2.75, 1.001, 3, 2):
        yield call(12, scale, want=reference)


@check(points=2)
def scale_one(draw: Draw) -> Checking:
    """With scale 1 the frequencies are the unscaled ones."""
    for head_dim, base in ((8, 10000.0), (64, 500000.0)):
        yield call(head_dim, 1.0, base=base, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, not whole, or an int."""
    for base in (3.5, 500000.0, 77.5, 100, 1e7):
        yield call(16, 4.0, base=base, want=reference)


@check(points=1)
def extremes(draw: Draw) -> Checking:
    """Wide heads and large scales are as exact as others."""
    for head_dim, scale in ((256, 32.0), (8, 1000.0), (512, 1.25)):
        yield call(head_dim, scale, base=500000.0, want=reference)


@check(points=1)
def another_call_later(draw: Draw) -> Checking:
    """What a call returns depends on its arguments alone, not on earlier calls."""
    for head_dim, scale, base in (
        (8, 2.0, 10000.0),
        (8, 4.0, 10000.0),
        (8, 4.0, 50.0),
        (10, 4.0, 50.0),
        (8, 2.0, 10000.0),
        (8, 2.0, 10000.0),
    ):
        yield call(head_dim, scale, base=base, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The frequencies are float32."""
    for head_dim, scale in ((8, 4.0), (16, 1.0)):
        yield call(head_dim, scale, like=like(head_dim))


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(6, 2.0, want=reference)
    for head_dim in (7, 5):
        yield call(head_dim, 2.0, raises=ValueError)


@check(craft=True)
def head_dim_too_small(draw: Draw) -> Checking:
    """A `head_dim` below 4 raises ValueError."""
    yield call(4, 2.0, want=reference)
    for head_dim in (2, 0):
        yield call(head_dim, 2.0, raises=ValueError)


@check(craft=True)
def scale_below_one(draw: Draw) -> Checking:
    """A `scale` below 1 raises ValueError."""
    yield call(8, 1.0, want=reference)
    for scale in (0.5, 0.99, 0.0):
        yield call(8, scale, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round nothing and change no dtype."""
    yield call(16, 4.0, want=reference)
    yield from settings_ignored(call(16, 4.0, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(8, 4.0, want=reference))
    yield from settings_kept(call(8, 4.0, under="default_float64"))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Everything is made on `device`, and no number leaves it."""
    yield from on_one_device(draw, call(8, 4.0, device="cpu", want=reference), like(8))


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """No Python loop makes a tensor for each pair."""
    yield from no_loop_over("pairs", {d // 2: call(d, 4.0, want=reference) for d in (8, 32)})


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "exponent_missing",
        "`base` is multiplied by `scale` itself: the exponent head_dim/(head_dim − 2) is missing. The last pair's own "
        "exponent is a little less than 1, so it ends up a little too fast.",
        slower="s^(2j/d)",
    ),
    mistake(
        "position_interpolation_instead",
        "All frequencies are divided by `scale`. That is position interpolation (problem 35), which slows pair 0 down "
        "as well. Here the base changes, and pair 0 stays as it is.",
        slower="s",
    ),
    mistake(
        "scale_ignored",
        "`scale` changes nothing: these are the unscaled frequencies. The base must be raised by it.",
        slower="1",
    ),
    mistake(
        "base_lowered",
        "The base is divided by the power of `scale` (or the exponent is negative), so later pairs turn *faster*. To "
        "fit a longer text they must turn more slowly: raise the base.",
        slower="inverse",
    ),
    mistake(
        "exponent_upside_down",
        "The exponent is (head_dim − 2)/head_dim, upside down. Solve c^((d−2)/d) = scale for c: the inverse exponent.",
        slower="s^((d-2)/d)",
    ),
    mistake(
        "exponent_half_the_width",
        "The exponent is head_dim/2, as if the minus 2 were lost in a fraction. The base grows beyond all bounds.",
        slower="s^(d/2)",
    ),
    mistake(
        "exponent_without_a_divisor",
        "The exponent is head_dim: its divisor, head_dim − 2, is missing.",
        slower="s^d",
    ),
    mistake(
        "exponent_two_over",
        "The exponent is 2/(head_dim − 2), the step from pair to pair; the base is raised by head_dim/(head_dim − 2).",
        slower="s^(2/(d-2))",
    ),
    mistake(
        "exponent_lacks_one",
        "The exponent is head_dim/(head_dim − 1). The last pair's exponent is (head_dim − 2)/head_dim, since each pair "
        "owns two channels.",
        slower="s^(d/(d-1))",
    ),
    mistake(
        "exponent_plus_two",
        "The exponent is head_dim/(head_dim + 2). The last pair is number head_dim/2 − 1, which leads to a minus.",
        slower="s^(d/(d+2))",
    ),
    mistake(
        "exponent_of_the_half_width",
        "The exponent is made of head_dim/2: half/(half − 2). The 2 belongs to the whole width (with halves it would "
        "be half/(half − 1)).",
        slower="s^(half/(half-2))",
    ),
    mistake(
        "divided_after_the_power",
        "`scale` is raised to head_dim, and the power is divided by head_dim − 2: ** binds more strongly than /. Put "
        "the exponent in brackets.",
        slower="s^d/(d-2)",
    ),
    mistake(
        "two_subtracted_at_the_end",
        "The exponent is head_dim/head_dim − 2, which is −1: / binds more strongly than −. Put the "
        "difference in brackets.",
        slower="s^(d/d-2)",
    ),
    mistake(
        "base_raised_as_well",
        "The product of base and scale is raised to head_dim/(head_dim − 2), so the base itself changes even with "
        "scale 1. Only `scale` is raised.",
        schedule="raised as well",
    ),
    mistake(
        "scale_squared",
        "`base` is multiplied by the square of `scale`. The exponent is head_dim/(head_dim − 2), which is near 1.",
        slower="s^2",
    ),
    mistake(
        "scale_multiplied_by_the_exponent",
        "`scale` is *multiplied* by head_dim/(head_dim − 2) where it is to be raised to that power. Look for a * where "
        "** is meant.",
        slower="s·d/(d-2)",
    ),
    mistake(
        "exponent_made_whole",
        "The exponent is divided with //, so it is 1 for every head_dim above 4. Use a true division.",
        slower="whole exponent",
    ),
    mistake(
        "scale_made_whole",
        "`scale` is cut to a whole number: 2.75 becomes 2. Any number from 1 on is allowed.",
        slower="whole scale",
    ),
    mistake(
        "divided_as_well",
        "The base is raised, and all frequencies are divided by `scale` besides: that is NTK-aware scaling and "
        "position interpolation at once. The base alone changes.",
        slower="and s",
    ),
    mistake(
        "raised_twice",
        "The base is raised by the power of `scale` twice, so the last pair is slowed down by scale².",
        slower="twice",
    ),
    mistake(
        "half_the_slowing",
        "The slowing reaches only the root of `scale` at the last pair: a 2 is lost on the way (pair j is slowed down "
        "by scale^(2j/(head_dim − 2))).",
        slower="root",
    ),
    mistake(
        "slowing_grows_linearly",
        "Both ends are right, but the slowing grows by equal *differences* in between. Raising a base makes it grow by "
        "equal *factors*.",
        slower="linearly more",
    ),
    mistake(
        "only_the_last_pair_slowed",
        "Both ends are right, but all pairs between them are as fast as without scaling. They are slowed down as well, "
        "more and more.",
        slower="last only",
    ),
    mistake(
        "logarithm_of_the_scale",
        "1 + ln(scale) stands where `scale` belongs. No logarithm appears in this formula.",
        slower="log",
    ),
    mistake(
        "one_too_little",
        "`scale` − 1 stands where `scale` belongs, so a scale of 2 changes nothing.",
        slower="s-1",
    ),
    mistake(
        "one_too_much",
        "`scale` + 1 stands where `scale` belongs, so even a scale of 1 changes something.",
        slower="s+1",
    ),
    mistake(
        "dynamic_factor",
        "scale·scale − (scale − 1) stands where `scale` belongs: the factor of the *dynamic* form is applied to a "
        "scale that is finished already.",
        slower="dynamic",
    ),
    mistake(
        "frequencies_multiplied",
        "The frequencies are multiplied by `scale`, all of them: the text is stretched. They must become slower, the "
        "first one not at all.",
        slower="1/s",
    ),
    mistake(
        "not_inverted",
        "The powers of the base are returned as they are, from 1 upwards: wavelengths, up to a factor 2π. Frequencies "
        "are their inverses and fall.",
        power=-1.0,
    ),
    mistake(
        "wavelengths",
        "What comes back are wavelengths, 2π divided by the frequency: after how many positions a pair has gone full "
        "circle. Frequencies are asked for.",
        power=-1.0,
        factor=2 * math.pi,
    ),
    mistake(
        "frequencies_in_turns",
        "The frequencies are divided by 2π, so they are turns a position. Radians are asked for: pair 0 has 1.",
        factor=1 / (2 * math.pi),
    ),
    mistake(
        "exponent_lacks_the_two",
        "The frequencies' own exponent is j/head_dim, with the 2 lost. Pair j owns two channels, hence −2j/head_dim.",
        schedule="j/d",
        slower="root",
    ),
    mistake("base_ignored", "`base` is not used: 10000 stands in its place.", schedule="10000"),
    mistake(
        "default_base_of_llama3",
        "When no base is given, 500000 is used (Llama 3's); the signature says 10000.",
        schedule="500000",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number, so 77.5 becomes 77. Any number is allowed.",
        schedule="whole",
    ),
    mistake(
        "last_frequency_reaches_the_base",
        "The exponents run from 0 to −1 *inclusive*, as linspace would have it. They are divided by head_dim, so the "
        "last one stops short of −1; the whole formula is built on that.",
        schedule="2j/(d-2)",
        slower="whole reach",
    ),
    mistake(
        "pairs_numbered_from_one",
        "Pairs are numbered 1, 2, …, so even the first is slowed down. Pair 0 has the exponent 0.",
        schedule="2(j+1)/d",
        slower="from one",
    ),
    mistake(
        "frequencies_reversed",
        "The frequencies stand in the wrong order, the slowest first. Pair 0 turns by one radian a position.",
        shape="reversed",
    ),
    mistake(
        "laid_out_twice",
        "The result is twice as wide as asked: all frequencies stand there twice, side by side. One for each pair is "
        "asked for; whoever turns the halves repeats them.",
        shape="twice",
    ),
    mistake(
        "every_frequency_twice",
        "The result is twice as wide as asked: each frequency stands there twice. One for each pair is asked for.",
        shape="each twice",
    ),
    mistake(
        "frequency_for_each_channel",
        "There are head_dim frequencies, one for each channel. Two channels make a pair and share one.",
        shape="channels",
    ),
    mistake(
        "axis_in_front_added",
        "The result has an axis of size 1 in front. One axis is asked for.",
        shape="row",
    ),
    mistake(
        "last_pair_missing",
        "The last pair is missing: there are head_dim/2, numbered from 0.",
        shape="one less",
    ),
    # what is refused
    mistake(
        "odd_channel_dropped",
        "An odd head_dim is not refused: the channel without a partner is dropped silently. Raise ValueError.",
        craft=True,
        odd=False,
    ),
    mistake(
        "scale_below_one_accepted",
        "A `scale` below 1 is taken as it comes, and *speeds up* the later pairs. The caller has made a mistake, "
        "perhaps the inverse was meant: raise ValueError.",
        craft=True,
        below="accepted",
    ),
    mistake(
        "scale_below_one_taken_for_one",
        "A `scale` below 1 is silently taken for 1. The caller has made a mistake: raise ValueError.",
        craft=True,
        below="clamped",
    ),
]


def valid(head_dim: int, scale: float) -> None:
    """What every answer refuses."""
    if head_dim < 4 or head_dim % 2 or not scale >= 1:
        raise ValueError("head_dim must be even and at least 4, scale at least 1")


def powers(
    head_dim: int, scale: float, base: float, device: Device, dtype: torch.dtype | None = torch.float32
) -> Tensor:
    """The frequencies by tensors of some dtype, or of the default one."""
    raised = base * scale ** (head_dim / (head_dim - 2))
    return 1.0 / raised ** (torch.arange(0, head_dim, 2, device=device).to(dtype or torch.int64) / head_dim)


def right_answer(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """What an answer does."""
    valid(head_dim, scale)
    return powers(head_dim, scale, base, device)


@wrong("A `scale` of 1 is refused, but it is allowed: then nothing is scaled. Only what is below 1 is wrong.")
def scale_one_refused(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """<= instead of <."""
    if scale <= 1:
        raise ValueError("scale must be larger than 1")
    return right_answer(head_dim, scale, base, device)


@wrong("A `head_dim` of 4 is refused, but it is allowed: two pairs, the first and the last. Only less is too small.")
def head_dim_four_refused(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """<= instead of <."""
    if head_dim <= 4:
        raise ValueError("head_dim must be larger than 4")
    return right_answer(head_dim, scale, base, device)


@wrong(
    "The new base is cut to a whole number. It hardly ever is one: `base` times a power of `scale` has digits behind "
    "the point, and without them the slow pairs lose their fifth digit."
)
def new_base_made_whole(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """int(base · scale^…)."""
    valid(head_dim, scale)
    return powers(head_dim, 1.0, int(base * scale ** (head_dim / (head_dim - 2))), device)


@wrong(
    "`scale` multiplies the exponent of the frequencies: base^(−2j·scale/head_dim). It belongs to the base: raise "
    "that, and keep −2j/head_dim."
)
def scale_in_the_exponent(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """The exponents times scale."""
    valid(head_dim, scale)
    pairs = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device)
    return 1.0 / base ** (pairs / head_dim * scale)


@wrong(
    "The frequencies are rounded to half precision on the way: they are right to two or three digits. float32 is the "
    "least to compute in."
)
def rounded_to_bfloat16(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """bfloat16 on the way."""
    return right_answer(head_dim, scale, base, device).bfloat16().float()


@wrong(
    "Frequencies kept from an earlier call are returned although scale or base have changed since. Everything that "
    "they depend on belongs into the key.",
    fresh=True,
)
def kept_by_width_alone() -> Answer:
    """A cache by head_dim alone."""
    return remembering(right_answer, lambda head_dim, *rest, **named: head_dim)


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "The result is float64: computing in it is fine, and exact; but float32 is asked for. Cast once at the end.",
    craft=True,
)
def comes_back_as_float64(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """No cast at the end."""
    valid(head_dim, scale)
    return powers(head_dim, scale, base, device, torch.float64)


@wrong(
    "An odd head_dim is not refused, and gets a pair more than it has partners for. Raise ValueError.",
    craft=True,
)
def odd_not_refused(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange(0, head_dim, 2) of an odd width."""
    if head_dim < 4 or scale < 1:
        raise ValueError("head_dim or scale")
    return powers(head_dim, scale, base, device)


@wrong(
    "A head_dim of 2 or 0 is not refused: the exponent divides by zero, or makes no sense. Raise ValueError first.",
    craft=True,
)
def small_not_refused(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """ZeroDivisionError for 2, an empty tensor for 0."""
    if head_dim % 2 or scale < 1:
        raise ValueError("head_dim or scale")
    return powers(head_dim, scale, base, device)


@wrong(
    "Nothing is refused: neither an odd head_dim nor one that is too small nor a `scale` below 1. Compare first and "
    "raise ValueError.",
    craft=True,
)
def nothing_refused(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """Whatever comes of it."""
    return powers(head_dim, scale, base, device)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """assert instead of raise."""
    assert head_dim >= 4
    assert head_dim % 2 == 0
    assert scale >= 1
    return right_answer(head_dim, scale, base, device)


@wrong(
    "The exponents take torch's default dtype (an integer arange divided by a number does). A program that sets it to "
    "bfloat16 rounds them; one that sets float64 gets float64 back. Name the dtype.",
    craft=True,
)
def default_dtype_taken(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange / number, without a dtype."""
    valid(head_dim, scale)
    return powers(head_dim, scale, base, device, None)


@wrong(
    "The exponents take torch's default dtype (an integer arange divided by a number does), so a program that sets it "
    "to bfloat16 rounds them, although the result is cast afterwards. Name the dtype in the factory.",
    craft=True,
)
def default_dtype_cast_too_late(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange / number, cast too late."""
    valid(head_dim, scale)
    return powers(head_dim, scale, base, device, None).float()


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(head_dim, scale, base, device)


@wrong(
    "torch.set_default_dtype(torch.float32) is called inside: a program that has set another dtype finds it changed. "
    "Name the dtype where tensors are made.",
    craft=True,
)
def default_dtype_set_to_float32(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """Leaves float32 as the default."""
    torch.set_default_dtype(torch.float32)
    return right_answer(head_dim, scale, base, device)


@wrong(
    "`device` is not passed on: tensors are made on the CPU (and moved afterwards, or not at all). Pass it to every "
    "factory.",
    craft=True,
)
def made_without_device(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange without a device."""
    return right_answer(head_dim, scale, base, None)


@wrong("The frequencies are right, but a Python loop makes one tensor for each pair.", craft=True)
def loop_over_pairs(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """One after the other."""
    valid(head_dim, scale)
    whole = powers(head_dim, scale, base, device)
    return torch.stack([whole[j] for j in range(head_dim // 2)])


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def slowed_one_by_one(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """Unscaled frequencies over a geometric row from 1 to scale."""
    valid(head_dim, scale)
    pairs = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    return torch.pow(base, -2 * pairs / head_dim) / torch.pow(float(scale), pairs / (head_dim // 2 - 1))


@accepted
def by_logarithms(head_dim: int, scale: float, base: float = 10000.0, device: Device = None) -> Tensor:
    """exp of a row that falls linearly."""
    valid(head_dim, scale)
    pairs = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    return torch.exp(pairs * (-2 * math.log(base) / head_dim - 2 * math.log(scale) / (head_dim - 2)))


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Start with the unscaled frequencies of problem 28. For head_dim 8 and base 10000 they are 1, 0.1, "
        "0.01 and 0.001."
    ),
    hint(
        "Multiply the base by some number c and look at what that does to pair 0 and to the last pair. Which c makes "
        "the last pair `scale` times slower?"
    ),
    hint("The last pair's exponent is −(head_dim − 2)/head_dim. Solve c^((head_dim − 2)/head_dim) = scale for c."),
    hint(
        "Divide the unscaled frequencies by yours. The quotients should begin with 1, end with scale, and grow by one "
        "ratio. What are yours?",
        "exponent_missing",
        "exponent_upside_down",
        "exponent_half_the_width",
        "exponent_without_a_divisor",
        "exponent_two_over",
        "exponent_lacks_one",
        "exponent_plus_two",
        "exponent_of_the_half_width",
        "exponent_made_whole",
        "divided_after_the_power",
        "two_subtracted_at_the_end",
        "scale_in_the_exponent",
        "scale_squared",
        "scale_multiplied_by_the_exponent",
        "half_the_slowing",
        "raised_twice",
        "slowing_grows_linearly",
        "only_the_last_pair_slowed",
        "base_lowered",
    ),
    hint(
        "Is your first frequency 1? Nothing that changes the base can change it, so what else does your code do?",
        "position_interpolation_instead",
        "divided_as_well",
        "pairs_numbered_from_one",
        "frequencies_multiplied",
        "frequencies_reversed",
    ),
    hint(
        "With scale 1 your result should be that of problem 28. Is it?",
        "base_raised_as_well",
        "one_too_much",
        "one_too_little",
        "scale_one_refused",
        "exponent_lacks_the_two",
        "last_frequency_reaches_the_base",
    ),
]

QUIZ = [
    question(
        "Which pair does raising the base leave exactly as it was?",
        right("The first: its exponent is 0", "Any base to the power of 0 is 1."),
        wrong_choice("The last", "It changes most."),
        wrong_choice("None, all change by the same factor", "That is position interpolation."),
        wrong_choice("The one in the middle", "It changes by the root of the last one's factor."),
    ),
    question(
        "head_dim is 128, base 10000 and scale 4. About what is the new base?",
        right("40,900", "10000 · 4^(128/126) = 10000 · 4.089."),
        wrong_choice("40,000", "That lacks the exponent 128/126, a little more than 1."),
        wrong_choice("39,100", "That has the exponent upside down, 126/128."),
        wrong_choice("2,446", "That divides: the pairs would turn faster."),
    ),
    question(
        "Why is the exponent head_dim/(head_dim − 2) and not 1?",
        right(
            "The last pair's exponent is −(head_dim − 2)/head_dim, so a base c times larger slows it down by "
            "less than c",
            "The exponent makes up for it, so that the last pair is slowed down by exactly scale.",
        ),
        wrong_choice(
            "Two channels are lost to the first pair", "Nothing is lost; the 2 is the step between exponents."
        ),
        wrong_choice("To keep attention scores at the same size", "Scores don't depend on the base in that way."),
        wrong_choice("It is an empirical value", "It follows from one equation."),
    ),
    question(
        "What does this keep that position interpolation gives up?",
        right(
            "The fast pairs, which tell neighbouring tokens apart",
            "Pair 0 still turns by one radian from token to token.",
        ),
        wrong_choice("Relative positions", "Both keep scores relative."),
        wrong_choice("The lengths of queries and keys", "Both keep them."),
        wrong_choice("The trained range of every angle", "That is what interpolation keeps and this does not."),
    ),
    question(
        "In the dynamic form scale grows while the text grows. What breaks if keys are cached after they were turned?",
        right(
            "Old keys were turned with other frequencies than new queries: their scores are no longer relative",
            "The cache must hold unturned keys, or be made anew when scale changes.",
        ),
        wrong_choice("Nothing: pair 0 never changes", "All the others do."),
        wrong_choice("The cache grows too large", "Its size does not depend on frequencies."),
        wrong_choice("Only values are affected", "Values are never turned."),
    ),
]
