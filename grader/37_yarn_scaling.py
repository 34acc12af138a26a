"""How yarn_scaling is graded: a loop over pairs in Python's numbers is the reference."""

SECTION = "Positions"
LEVEL = 4
AFTER = (35, 36)
VERSION = 2
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from kata.author import (
    Checking,
    Draw,
    Failed,
    accepted,
    call,
    check,
    first_true,
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
Result = tuple[Tensor, float]
Answer = Callable[..., Any]


# b^(−e) with e < 1 in float32 is off by about ln(b) roundings of e, 2⁻²⁴ each, and a blend of two such is no worse.
close = proportional(1e-5)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Round = Callable[[float], float]
ROUNDINGS: dict[str, tuple[Round, Round]] = {  # how low and high are made whole
    "floor, ceil": (math.floor, math.ceil),
    "none": (float, float),
    "floor, floor": (math.floor, math.floor),
    "ceil, ceil": (math.ceil, math.ceil),
    "ceil, floor": (math.ceil, math.floor),
    "round": (round, round),
}
HIGHEST: dict[str, Callable[[int], float]] = {
    "d-1": lambda d: d - 1,
    "d/2-1": lambda d: d // 2 - 1,
    "d/2": lambda d: d // 2,
    "none": lambda d: math.inf,
}
Bound = Callable[[float, int, float, float, float], float]  # (turns, head_dim, L, base, scale) → pair
BOUNDS: dict[str, Bound] = {
    "c": lambda r, d, n, b, s: d * math.log(n / (2 * math.pi * r)) / (2 * math.log(b)),
    "no 2π": lambda r, d, n, b, s: d * math.log(n / r) / (2 * math.log(b)),
    "π": lambda r, d, n, b, s: d * math.log(n / (math.pi * r)) / (2 * math.log(b)),
    "new length": lambda r, d, n, b, s: d * math.log(n * s / (2 * math.pi * r)) / (2 * math.log(b)),
    "length over scale": lambda r, d, n, b, s: d * math.log(n / s / (2 * math.pi * r)) / (2 * math.log(b)),
    "channels": lambda r, d, n, b, s: d * math.log(n / (2 * math.pi * r)) / math.log(b),
    "quarter": lambda r, d, n, b, s: d / 2 * math.log(n / (2 * math.pi * r)) / (2 * math.log(b)),
    "log10": lambda r, d, n, b, s: d * math.log10(n / (2 * math.pi * r)) / (2 * math.log(b)),
    "multiplied": lambda r, d, n, b, s: d * math.log(n * r / (2 * math.pi)) / (2 * math.log(b)),
    "2π above": lambda r, d, n, b, s: d * math.log(n / 2 * math.pi / r) / (2 * math.log(b)),
    "10000": lambda r, d, n, b, s: d * math.log(n / (2 * math.pi * r)) / (2 * math.log(10000.0)),
    "2048": lambda r, d, n, b, s: d * math.log(2048 / (2 * math.pi * r)) / (2 * math.log(b)),
    "4096": lambda r, d, n, b, s: d * math.log(4096 / (2 * math.pi * r)) / (2 * math.log(b)),
    "8192": lambda r, d, n, b, s: d * math.log(8192 / (2 * math.pi * r)) / (2 * math.log(b)),
    "minus one": lambda r, d, n, b, s: d * math.log(n / (2 * math.pi * r)) / (2 * math.log(b)) - 1,
}
SHARES: dict[str, Callable[[float], float]] = {  # of a ramp from 0 to 1
    "ramp": lambda t: t,
    "reversed": lambda t: 1 - t,
    "smooth": lambda t: t * t * (3 - 2 * t),
    "step": lambda t: 1.0 if t > 0 else 0.0,
    "late step": lambda t: 1.0 if t >= 1 else 0.0,
    "middle": lambda t: 1.0 if t > 0.5 else 0.0,
    "all": lambda t: 1.0,
    "nothing": lambda t: 0.0,
}
Blend = Callable[[float, float, float, float, float], float]  # (frequency, share, scale, base, 2j/d) → frequency
BLENDS: dict[str, Blend] = {
    "frequencies": lambda f, t, s, b, e: f * (1 - t) + f / s * t,
    "wavelengths": lambda f, t, s, b, e: f / (1 - t + s * t),
    "logarithms": lambda f, t, s, b, e: f / s**t,
    "base": lambda f, t, s, b, e: f * (1 - t) + (b * s) ** -e * t,
    "squared": lambda f, t, s, b, e: f * (1 - t) + f / s**2 * t,
    "multiplied": lambda f, t, s, b, e: f * (1 - t) + f * s * t,
    "sum": lambda f, t, s, b, e: f * (1 - t) + f / s,
    "only the slow part": lambda f, t, s, b, e: f / s * t,
    "divided by the share": lambda f, t, s, b, e: f * (1 - t) + f * t,
}
FACTORS: dict[str, Callable[[float, int], float]] = {
    "0.1 ln s + 1": lambda s, n: 0.1 * math.log(s) + 1,
    "1": lambda s, n: 1.0,
    "squared": lambda s, n: (0.1 * math.log(s) + 1) ** 2,
    "inverse": lambda s, n: 1 / (0.1 * math.log(s) + 1),
    "inverse square": lambda s, n: (0.1 * math.log(s) + 1) ** -2,
    "root": lambda s, n: math.sqrt(0.1 * math.log(s) + 1),
    "log10": lambda s, n: 0.1 * math.log10(s) + 1,
    "log2": lambda s, n: 0.1 * math.log2(s) + 1,
    "ln s + 1": lambda s, n: math.log(s) + 1,
    "0.1 ln s": lambda s, n: 0.1 * math.log(s),
    "0.1 ln (s + 1)": lambda s, n: 0.1 * math.log(s + 1),
    "0.1 s + 1": lambda s, n: 0.1 * s + 1,
    "longrope": lambda s, n: math.sqrt(1 + math.log(s) / math.log(n)),
    "of the factor": lambda s, n: 0.1 * math.log(0.1 * math.log(s) + 1) + 1,
}
Schedule = Callable[[float, int, float], float]  # (pair, head_dim, base) → unscaled frequency
SCHEDULES: dict[str, Schedule] = {
    "2j/d": lambda j, d, b: b ** (-2 * j / d),
    "j/d": lambda j, d, b: b ** (-j / d),
    "4j/d": lambda j, d, b: b ** (-4 * j / d),
    "growing": lambda j, d, b: b ** (2 * j / d),
    "10000": lambda j, d, b: 10000.0 ** (-2 * j / d),
}
BETAS: dict[str, Callable[[float, float], tuple[float, float]]] = {
    "given": lambda fast, slow: (fast, slow),
    "swapped": lambda fast, slow: (slow, fast),
    "32 and 1": lambda fast, slow: (32.0, 1.0),
    "fast fixed": lambda fast, slow: (32.0, slow),
    "slow fixed": lambda fast, slow: (fast, 1.0),
}


def reference(
    head_dim: int,
    scale: float,
    original_max_len: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    device: Device = None,
    *,
    odd: bool = True,
    below: str = "refused",
    bound: str = "c",
    rounding: str = "floor, ceil",
    lowest: float = 0.0,
    highest: str = "d-1",
    betas: str = "given",
    equal: float = 0.001,
    longer: float = 0.0,
    index: str = "pair",
    hold: tuple[float, float] = (0.0, 1.0),
    share: str = "ramp",
    blend: str = "frequencies",
    schedule: str = "2j/d",
    factor: str = "0.1 ln s + 1",
    gain: str = "",
    result: str = "",
) -> Any:
    """The frequencies, one pair after the other, in float64, and the factor."""
    if odd and head_dim % 2:
        raise ValueError("head_dim must be even")
    if scale < 1:
        if below == "refused":
            raise ValueError("scale must be at least 1")
        scale = 1.0 if below == "clamped" else scale
    fast, slow = BETAS[betas](beta_fast, beta_slow)
    down, up = ROUNDINGS[rounding]
    low = max(down(BOUNDS[bound](fast, head_dim, original_max_len, base, scale)), lowest)
    high = min(up(BOUNDS[bound](slow, head_dim, original_max_len, base, scale)), HIGHEST[highest](head_dim))
    width = (high + equal - low if low == high else high - low) + longer
    made = []
    for j in range(head_dim // 2):
        frequency = SCHEDULES[schedule](j, head_dim, base)
        place = 2 * j if index == "channel" else j + 1 if index == "from one" else j
        ramp = _ratio(place - low, width)
        if index == "turns":  # the paper's own ramp
            ramp = 1 - (original_max_len * frequency / (2 * math.pi) - slow) / (fast - slow)
        taken = SHARES[share](ramp if ramp != ramp else min(max(ramp, hold[0]), hold[1]))
        made.append(BLENDS[blend](frequency, taken, scale, base, 2 * j / head_dim))
    times = FACTORS[factor](scale, original_max_len)
    values = (
        torch.tensor(made, dtype=torch.float64)
        * {"": 1.0, "factor": times, "1/factor": 1 / times if times else math.inf}[gain]
    )
    return _given_back(values, times, result)


def _ratio(above: float, below: float) -> float:
    """A quotient as tensors have it."""
    if below:
        return above / below
    return math.nan if not above else math.copysign(math.inf, above)


def _given_back(values: Tensor, times: float, result: str) -> Any:
    match result:
        case "frequencies alone":
            return values
        case "exchanged":
            return times, values
        case "list":
            return [values, times]
        case "tensor":
            return values, torch.tensor(times, dtype=torch.float64)
        case "twice":
            return torch.cat([values, values]), times
        case "each twice":
            return values.repeat_interleave(2), times
        case "reversed":
            return values.flip(0), times
        case "wavelengths":
            return 1 / values, times
    return values, times


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def like(head_dim: int) -> Result:
    """What must come back, as far as kinds and shapes go."""
    return torch.zeros(head_dim // 2, dtype=torch.float32), 1.0


def unscaled(head_dim: int, base: float = 10000.0) -> Tensor:
    """The frequencies without scaling, in float64."""
    return base ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)


@check(points=1, explains=True)
def kind(draw: Draw) -> Checking:
    """A tuple comes back: one frequency for each pair, and a float."""
    for head_dim in (16, 6, 64):
        yield call(head_dim, 2.0, 1024, like=like(head_dim))


@check(points=1, explains=True)
def fast_pairs(draw: Draw) -> Checking:
    """Pairs that made more than `beta_fast` turns in training stay as they are."""
    for head_dim, scale, length in ((16, 4.0, 2048), (64, 8.0, 4096)):
        made, _ = yield call(head_dim, scale, length, like=like(head_dim))
        want = unscaled(head_dim)
        if at := first_true(((made.double() / want - 1).abs() > 1e-5) & (length * want / (2 * math.pi) > 33)):
            j = at[0]
            turns = length * float(want[j]) / (2 * math.pi)
            raise Failed(f"pair {j} made {turns:.4g} turns within {length} tokens, and is slowed down all the same")


@check(points=1, explains=True)
def slow_pairs(draw: Draw) -> Checking:
    """The slowest pair, which made less than a turn, is slowed down by all of `scale`."""
    for head_dim, scale, length in ((16, 4.0, 2048), (64, 8.0, 4096)):
        made, _ = yield call(head_dim, scale, length, like=like(head_dim))
        slower = float(unscaled(head_dim)[-1] / made[-1].double())
        if not abs(slower / scale - 1) <= 1e-5:
            raise Failed(f"with scale {scale} the last pair is {slower:.6g} times slower")


@check(points=1, explains=True)
def between(draw: Draw) -> Checking:
    """From pair to pair the slowing only grows, from 1 to `scale`."""
    made, _ = yield call(64, 8.0, 2048, like=like(64))
    slower = unscaled(64) / made.double()
    if at := first_true(slower[1:] < slower[:-1] * (1 - 1e-5)):
        j = at[0]
        raise Failed(f"pair {j} is {slower[j]:.4g} times slower, and pair {j + 1} only {slower[j + 1]:.4g} times")
    if not bool(((slower > 1 - 1e-5) & (slower < 8 + 1e-4)).all()):
        raise Failed(f"the slowing runs from {float(slower.min()):.4g} to {float(slower.max()):.4g}, not from 1 to 8")


@check(points=4)
def values(draw: Draw) -> Checking:
    """Frequencies and factor are right for several widths, scales and lengths."""
    for head_dim, scale, length in (
        (16, 4.0, 2048),
        (64, 2.0, 1024),
        (128, 8.0, 4096),
        (96, 16.0, 8192),
        (32, 3.0, 700),
    ):
        yield call(head_dim, scale, length, want=reference)


@check(points=1)
def short_training(draw: Draw) -> Checking:
    """Where even pair 0 made fewer than `beta_fast` turns, the blend begins at 0."""
    for head_dim, scale, length in ((64, 8.0, 40), (16, 4.0, 64), (16, 2.0, 100), (8, 4.0, 128)):
        yield call(head_dim, scale, length, want=reference)


@check(points=1)
def long_training(draw: Draw) -> Checking:
    """Where the blend ends beyond the last pair, none is slowed down by all of `scale`."""
    for head_dim, scale, length in ((16, 2.0, 60000), (64, 4.0, 131072), (8, 4.0, 100000)):
        yield call(head_dim, scale, length, want=reference)
    yield call(16, 4.0, 3000, base=20.0, beta_fast=128.0, want=reference)


@check(points=1)
def equal_bounds(draw: Draw) -> Checking:
    """Where low and high are equal nothing is divided by zero."""
    yield call(16, 4.0, 2048, want=reference)
    yield call(16, 4.0, 16, beta_slow=3.0, want=reference)
    yield call(32, 2.0, 30, beta_slow=5.0, beta_fast=40.0, want=reference)


@check(points=2)
def fractional_scales(draw: Draw) -> Checking:
    """`scale` need not be whole, and may be an int."""
    for scale in (1.5, 2.75, 1.001, 3, 40):
        yield call(32, scale, 2048, want=reference)


@check(points=2)
def scale_one(draw: Draw) -> Checking:
    """With scale 1 the frequencies are the unscaled ones, and the factor is 1."""
    for head_dim, base in ((16, 10000.0), (64, 500000.0)):
        yield call(head_dim, 1.0, 2048, base=base, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` counts in the frequencies and in the bounds."""
    for base in (500000.0, 1000, 77.5, 1e6):
        yield call(64, 4.0, 4096, base=base, want=reference)


@check(points=2)
def betas(draw: Draw) -> Checking:
    """`beta_fast` and `beta_slow` set the bounds."""
    for fast, slow in ((16.0, 2.0), (64.0, 1.0), (32.0, 0.5), (4.5, 3.5), (32, 1)):
        yield call(64, 4.0, 2048, beta_fast=fast, beta_slow=slow, want=reference)


@check(points=1)
def another_call_later(draw: Draw) -> Checking:
    """What a call returns depends on its arguments alone, not on earlier calls."""
    for head_dim, scale, length, base in (
        (16, 2.0, 2048, 10000.0),
        (16, 4.0, 2048, 10000.0),
        (16, 4.0, 512, 10000.0),
        (16, 4.0, 512, 50.0),
        (24, 4.0, 512, 50.0),
        (16, 2.0, 2048, 10000.0),
    ):
        yield call(head_dim, scale, length, base=base, want=reference)
    yield call(16, 2.0, 2048, 10000.0, 8.0, 2.0, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The frequencies are float32."""
    for head_dim, scale in ((8, 4.0), (16, 1.0)):
        yield call(head_dim, scale, 1024, like=like(head_dim))


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(6, 2.0, 512, want=reference)
    for head_dim in (7, 15):
        yield call(head_dim, 2.0, 512, raises=ValueError)


@check(craft=True)
def scale_below_one(draw: Draw) -> Checking:
    """A `scale` below 1 raises ValueError."""
    yield call(8, 1.0, 512, want=reference)
    for scale in (0.5, 0.99):
        yield call(8, scale, 512, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round nothing and change no dtype."""
    yield call(32, 4.0, 2048, want=reference)
    yield from settings_ignored(call(32, 4.0, 2048, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(16, 4.0, 2048, want=reference))
    yield from settings_kept(call(16, 4.0, 2048, under="default_float64"))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Everything is made on `device`, and no number leaves it."""
    yield from on_one_device(draw, call(16, 4.0, 2048, device="cpu", want=reference), like(16))


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """No Python loop makes a tensor for each pair."""
    yield from no_loop_over("pairs", {d // 2: call(d, 4.0, 2048, want=reference) for d in (16, 64)})


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    # the ramp
    mistake(
        "ramp_reversed",
        "The shares are the wrong way round: fast pairs are slowed down by `scale`, slow ones stay. Pair 0 should keep "
        "its frequency of 1. Either the ramp or the two parts of the blend have changed places.",
        share="reversed",
    ),
    mistake(
        "all_slowed_down",
        "Every pair is slowed down by `scale`: that is position interpolation (problem 35). Fast pairs stay "
        "as they are.",
        share="all",
    ),
    mistake(
        "none_slowed_down",
        "The frequencies are the unscaled ones. Slow pairs must be slowed down by `scale`.",
        share="nothing",
    ),
    mistake(
        "no_blend_after_low",
        "From low on every pair is slowed down by all of `scale`. Between low and high the share grows "
        "little by little.",
        share="step",
    ),
    mistake(
        "no_blend_before_high",
        "Up to high every pair stays as it is, and from there on it is slowed down by all of `scale`. Between low and "
        "high the share grows little by little.",
        share="late step",
    ),
    mistake(
        "switched_in_the_middle",
        "The pairs are split in the middle between low and high: kept before it, slowed down after it. The share grows "
        "little by little.",
        share="middle",
    ),
    mistake(
        "ramp_smoothed",
        "The ramp is bent into an S (3t² − 2t³). It is a straight line.",
        share="smooth",
    ),
    mistake(
        "ramp_not_held",
        "The ramp goes on below 0 and above 1: the fastest pairs are sped up, and the slowest stand almost still or "
        "turn backwards. The share is held between 0 and 1.",
        hold=(-math.inf, math.inf),
    ),
    mistake(
        "ramp_not_held_at_zero",
        "The ramp goes on below 0, so the fastest pairs are sped up. The share is held between 0 *and* 1.",
        hold=(-math.inf, 1.0),
    ),
    mistake(
        "ramp_not_held_at_one",
        "The ramp goes on above 1, so the slowest pairs are slowed down too much or turn backwards. The share is held "
        "between 0 *and* 1.",
        hold=(0.0, math.inf),
    ),
    mistake(
        "ramp_of_the_paper",
        "The share grows linearly with the number of *turns*, as the paper has it. The form of the libraries is asked "
        "for: linear in the number of the pair, between rounded bounds.",
        index="turns",
    ),
    mistake(
        "ramp_one_too_long",
        "The ramp is divided by high − low + 1, so it reaches 1 one pair after high. It is 0 at low and 1 at high.",
        longer=1.0,
    ),
    mistake(
        "ramp_over_channels",
        "The ramp runs over the numbers 0, 2, 4, … of channels, while low and high are numbers of pairs. Use j.",
        index="channel",
    ),
    mistake(
        "pairs_numbered_from_one",
        "The ramp counts pairs from 1, so every share is one step ahead. Pair 0 is the first.",
        index="from one",
    ),
    mistake(
        "equal_bounds_divide_by_zero",
        "Where low and high are equal the ramp divides 0 by 0 and holds NaN. Raise high a little in that case.",
        equal=0.0,
    ),
    # the bounds
    mistake(
        "bounds_not_rounded",
        "low and high are used with their fractions. low is rounded down, high up. (Some configurations say `truncate: "
        "false` for that; here they are rounded.)",
        rounding="none",
    ),
    mistake(
        "both_bounds_rounded_down",
        "high is rounded down like low (by floor, // or int()). It is rounded up.",
        rounding="floor, floor",
    ),
    mistake(
        "both_bounds_rounded_up",
        "low is rounded up like high. It is rounded down.",
        rounding="ceil, ceil",
    ),
    mistake(
        "bounds_rounded_inwards",
        "low is rounded up and high down, so the ramp is shorter than it should be. It is the other way round.",
        rounding="ceil, floor",
    ),
    mistake(
        "bounds_rounded_to_the_nearest",
        "low and high are rounded to the nearest whole number. low is rounded down, high up.",
        rounding="round",
    ),
    mistake(
        "two_pi_missing",
        "2π is missing in the bounds: L/r instead of L/(2πr). A turn is 2π radians.",
        bound="no 2π",
    ),
    mistake(
        "half_a_turn",
        "π stands in the bounds where 2π belongs. A turn is 2π radians.",
        bound="π",
    ),
    mistake(
        "two_pi_multiplied",
        "L is divided by 2 and *multiplied* by π: L / 2 * pi without brackets. 2π belongs below the fraction.",
        bound="2π above",
    ),
    mistake(
        "turns_multiplied",
        "The number of turns multiplies L where it should divide: more turns mean a faster pair, with a "
        "*smaller* number.",
        bound="multiplied",
    ),
    mistake(
        "new_length_taken",
        "The bounds are computed with the new length, scale · original_max_len. What counts is what the pairs saw in "
        "training.",
        bound="new length",
    ),
    mistake(
        "length_divided_by_the_scale",
        "The bounds are computed with original_max_len / scale, as if the new length had been given.",
        bound="length over scale",
    ),
    mistake(
        "bounds_in_channels",
        "The 2 before ln base is missing, so the bounds are numbers of channels, twice those of pairs.",
        bound="channels",
    ),
    mistake(
        "bounds_halved",
        "The bounds are half of what they should be: head_dim/2 and 2·ln base both halve. One of them is enough.",
        bound="quarter",
    ),
    mistake(
        "logarithms_mixed",
        "The bounds divide a decimal logarithm by a natural one. Both must be alike.",
        bound="log10",
    ),
    mistake(
        "base_ignored_in_the_bounds",
        "The bounds are computed with 10000 whatever `base` is.",
        bound="10000",
    ),
    mistake(
        "length_taken_for_2048",
        "The bounds are computed with 2048 tokens, the length of the statement's example, whatever `original_max_len` "
        "is.",
        bound="2048",
    ),
    mistake(
        "length_taken_for_4096",
        "The bounds are computed with 4096 tokens, as for Llama 2, whatever `original_max_len` is.",
        bound="4096",
    ),
    mistake(
        "length_taken_for_8192",
        "The bounds are computed with 8192 tokens, as for Llama 3, whatever `original_max_len` is.",
        bound="8192",
    ),
    mistake(
        "bounds_one_too_low",
        "Both bounds are one pair too low. c(r) needs no − 1.",
        bound="minus one",
    ),
    mistake(
        "low_not_held_at_zero",
        "low may be negative, so that even pair 0 is slowed down a little. It is at least 0.",
        lowest=-math.inf,
    ),
    mistake(
        "high_held_at_the_last_pair",
        "high is held at head_dim/2 − 1, so the last pair is always slowed down by all of `scale`. That would make "
        "sense, but the published code holds it at head_dim − 1, and models are tuned with that.",
        highest="d/2-1",
    ),
    mistake(
        "high_held_at_the_number_of_pairs",
        "high is held at head_dim/2. The published code holds it at head_dim − 1.",
        highest="d/2",
    ),
    mistake(
        "high_not_held",
        "high has no upper end. It is at most head_dim − 1.",
        highest="none",
    ),
    mistake(
        "betas_exchanged",
        "beta_fast and beta_slow have changed places, so low lies above high. Many turns (beta_fast) belong to fast "
        "pairs, with small numbers: low.",
        betas="swapped",
    ),
    mistake("betas_ignored", "beta_fast and beta_slow are not used: 32 and 1 stand in their place.", betas="32 and 1"),
    mistake("beta_fast_ignored", "beta_fast is not used: 32 stands in its place.", betas="fast fixed"),
    mistake("beta_slow_ignored", "beta_slow is not used: 1 stands in its place.", betas="slow fixed"),
    # the blend
    mistake(
        "wavelengths_blended",
        "Wavelengths are blended (or the frequency is divided by a blend of 1 and scale). It is the two *frequencies* "
        "whose weighted mean is taken.",
        blend="wavelengths",
    ),
    mistake(
        "logarithms_blended",
        "The frequency is divided by scale^share, a geometric mean. An arithmetic mean of the two "
        "frequencies is asked for.",
        blend="logarithms",
    ),
    mistake(
        "base_scaled_for_slow_pairs",
        "`scale` has got into the power: slow pairs have the frequency (scale·base)^(−2j/head_dim). It divides the "
        "frequency, outside of the power.",
        blend="base",
    ),
    mistake(
        "scaled_twice",
        "Slow pairs are divided by `scale` twice. Once is enough to bring them back into the range of the training.",
        blend="squared",
    ),
    mistake(
        "slow_pairs_multiplied",
        "Slow pairs are *multiplied* by `scale`, and turn faster than before. They must be slowed down.",
        blend="multiplied",
    ),
    mistake(
        "share_missing_for_the_slow_part",
        "f/scale is added without its share, so even fast pairs change. Both parts are weighted, and the weights add "
        "up to 1.",
        blend="sum",
    ),
    mistake(
        "fast_part_missing",
        "Only f/scale times the share is left, so fast pairs don't turn at all. The unscaled frequency times (1 − "
        "share) is to be added.",
        blend="only the slow part",
    ),
    mistake(
        "factor_in_the_frequencies",
        "The frequencies are multiplied by the attention factor. It is returned beside them, for cosines and sines; "
        "angles don't change.",
        gain="factor",
    ),
    mistake(
        "frequencies_divided_by_the_factor",
        "The frequencies are divided by the attention factor. It is returned beside them, for cosines and sines; "
        "angles don't change.",
        gain="1/factor",
    ),
    # the factor
    mistake(
        "factor_dropped",
        "The attention factor is always 1. It grows with the logarithm of `scale`.",
        factor="1",
    ),
    mistake(
        "factor_squared",
        "The attention factor is squared. Scores get its square anyhow, since queries and keys are both "
        "multiplied by it.",
        factor="squared",
    ),
    mistake(
        "factor_inverted",
        "The inverse of the attention factor is returned. The paper writes 1/t under a root; what multiplies cosines "
        "and sines is 0.1·ln(scale) + 1, above 1.",
        factor="inverse",
    ),
    mistake(
        "temperature_returned",
        "The paper's temperature t is returned, which divides scores. Asked for is √(1/t) = 0.1·ln(scale) + 1.",
        factor="inverse square",
    ),
    mistake(
        "root_of_the_factor",
        "The root of the attention factor is returned. 0.1·ln(scale) + 1 is the root already: scores get its square.",
        factor="root",
    ),
    mistake(
        "factor_with_decimal_logarithm",
        "The attention factor uses the decimal logarithm. ln is the natural one.",
        factor="log10",
    ),
    mistake(
        "factor_with_binary_logarithm",
        "The attention factor uses the logarithm to base 2. ln is the natural one.",
        factor="log2",
    ),
    mistake("tenth_missing", "The 0.1 before the logarithm is missing in the attention factor.", factor="ln s + 1"),
    mistake(
        "one_missing", "The + 1 is missing in the attention factor: with scale 1 it would be 0.", factor="0.1 ln s"
    ),
    mistake(
        "one_inside_the_logarithm",
        "The + 1 of the attention factor stands inside of the logarithm. It is added to it.",
        factor="0.1 ln (s + 1)",
    ),
    mistake(
        "logarithm_missing",
        "The attention factor is 0.1·scale + 1: the logarithm is missing.",
        factor="0.1 s + 1",
    ),
    mistake(
        "factor_of_longrope",
        "The attention factor is that of LongRoPE, √(1 + ln(scale)/ln(L)). YaRN's is 0.1·ln(scale) + 1.",
        factor="longrope",
    ),
    mistake(
        "logarithm_taken_twice",
        "The formula of the attention factor is applied to its own result.",
        factor="of the factor",
    ),
    # frequencies and form
    mistake(
        "base_ignored",
        "The unscaled frequencies are made with 10000 whatever `base` is.",
        schedule="10000",
    ),
    mistake(
        "base_ignored_altogether",
        "`base` is not used: 10000 stands in its place, in the frequencies and in the bounds.",
        schedule="10000",
        bound="10000",
    ),
    mistake(
        "exponent_lacks_the_two",
        "The exponent of the frequencies is j/head_dim; the 2 is lost. Pair j owns two channels, hence −2j/head_dim.",
        schedule="j/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent of the frequencies falls twice as fast as it should. Either a 2 stands above or a half below, "
        "not both.",
        schedule="4j/d",
    ),
    mistake(
        "exponent_positive",
        "Frequencies grow from pair to pair: the exponent has lost its minus.",
        schedule="growing",
    ),
    mistake(
        "wavelengths",
        "The inverses of the frequencies are returned.",
        result="wavelengths",
    ),
    mistake(
        "frequencies_reversed",
        "The frequencies stand in the wrong order, the slowest first.",
        result="reversed",
    ),
    mistake(
        "laid_out_twice",
        "There are twice as many frequencies as asked: all stand there twice, side by side. One for each "
        "pair is asked for.",
        result="twice",
    ),
    mistake(
        "every_frequency_twice",
        "There are twice as many frequencies as asked: each stands there twice. One for each pair is asked for.",
        result="each twice",
    ),
    mistake(
        "frequencies_alone",
        "Only the frequencies come back. A tuple is asked for: the frequencies, and the attention factor.",
        result="frequencies alone",
    ),
    mistake(
        "tuple_exchanged",
        "The attention factor comes first. The frequencies do.",
        result="exchanged",
    ),
    mistake("list_returned", "A list comes back. A tuple is asked for.", result="list"),
    mistake(
        "factor_as_a_tensor",
        "The attention factor comes back as a tensor. It is one number, a float: `math` computes it, without a tensor "
        "that would have to be on the right device.",
        result="tensor",
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
        "A `scale` below 1 is taken as it comes, and speeds up the slow pairs. The caller has made a mistake, perhaps "
        "the inverse was meant: raise ValueError.",
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
    if head_dim % 2 or not scale >= 1:
        raise ValueError("head_dim must be even, scale at least 1")


def blended(
    head_dim: int,
    scale: float,
    original_max_len: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    device: Device = None,
    dtype: torch.dtype | None = torch.float32,
) -> Result:
    """The frequencies by tensors of some dtype, or of the default one, and the factor."""
    low = max(math.floor(BOUNDS["c"](beta_fast, head_dim, original_max_len, base, scale)), 0)
    high = min(math.ceil(BOUNDS["c"](beta_slow, head_dim, original_max_len, base, scale)), head_dim - 1)
    top = high + 0.001 if low == high else high
    even = torch.arange(0, head_dim, 2, device=device).to(dtype or torch.int64)
    unscaled = 1.0 / base ** (even / head_dim)
    share = ((even / 2 - low) / (top - low)).clamp(0, 1)
    return unscaled * (1 - share) + unscaled / scale * share, 0.1 * math.log(scale) + 1.0


def right_answer(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """What an answer does."""
    valid(head_dim, scale)
    return blended(head_dim, scale, *args, **kwargs)


@wrong("A `scale` of 1 is refused, but it is allowed: then nothing is scaled. Only what is below 1 is wrong.")
def scale_one_refused(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """<= instead of <."""
    if scale <= 1:
        raise ValueError("scale must be larger than 1")
    return right_answer(head_dim, scale, *args, **kwargs)


@wrong(
    "The frequencies are rounded to half precision on the way: they are right to two or three digits. float32 is the "
    "least to compute in."
)
def rounded_to_bfloat16(*args: Any, **kwargs: Any) -> Result:
    """bfloat16 on the way."""
    made, factor = right_answer(*args, **kwargs)
    return made.bfloat16().float(), factor


@wrong(
    "Results kept from an earlier call are returned although the scale, the length, the base or the betas have changed "
    "since. Everything that they depend on belongs into the key.",
    fresh=True,
)
def kept_by_width_alone() -> Answer:
    """A cache by head_dim alone."""
    return remembering(right_answer, lambda head_dim, *rest, **named: head_dim)


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "The frequencies are float64: computing in it is fine, and exact; but float32 is asked for. Cast once at the end.",
    craft=True,
)
def comes_back_as_float64(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """No cast at the end."""
    valid(head_dim, scale)
    return blended(head_dim, scale, *args, **kwargs, dtype=torch.float64)


@wrong(
    "An odd head_dim is not refused, and gets a pair more than it has partners for. Raise ValueError.",
    craft=True,
)
def odd_not_refused(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """arange(0, head_dim, 2) of an odd width."""
    if scale < 1:
        raise ValueError("scale")
    return blended(head_dim, scale, *args, **kwargs)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """assert instead of raise."""
    assert head_dim % 2 == 0
    assert scale >= 1
    return right_answer(head_dim, scale, *args, **kwargs)


@wrong(
    "The tensors take torch's default dtype (an integer arange divided by a number does). A program that sets it to "
    "bfloat16 rounds them; one that sets float64 gets float64 back. Name the dtype.",
    craft=True,
)
def default_dtype_taken(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """arange / number, without a dtype."""
    valid(head_dim, scale)
    return blended(head_dim, scale, *args, **kwargs, dtype=None)


@wrong(
    "The exponents take torch's default dtype (an integer arange divided by a number does), so a program that sets it "
    "to bfloat16 rounds the frequencies, although they are cast afterwards. Name the dtype in the factory.",
    craft=True,
)
def default_dtype_cast_too_late(head_dim: int, scale: float, *args: Any, **kwargs: Any) -> Result:
    """arange / number, cast too late."""
    valid(head_dim, scale)
    made, factor = blended(head_dim, scale, *args, **kwargs, dtype=None)
    return made.float(), factor


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(*args: Any, **kwargs: Any) -> Result:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(*args, **kwargs)


@wrong(
    "torch.set_default_dtype(torch.float32) is called inside: a program that has set another dtype finds it changed. "
    "Name the dtype where tensors are made.",
    craft=True,
)
def default_dtype_set_to_float32(*args: Any, **kwargs: Any) -> Result:
    """Leaves float32 as the default."""
    torch.set_default_dtype(torch.float32)
    return right_answer(*args, **kwargs)


@wrong(
    "`device` is not passed on: tensors are made on the CPU (and moved afterwards, or not at all). Pass it to every "
    "factory.",
    craft=True,
)
def made_without_device(*args: Any, device: Device = None, **kwargs: Any) -> Result:
    """arange without a device."""
    return right_answer(*args, **kwargs)


@wrong("The frequencies are right, but a Python loop makes one tensor for each pair.", craft=True)
def loop_over_pairs(head_dim: int, *args: Any, **kwargs: Any) -> Result:
    """One after the other."""
    whole, factor = right_answer(head_dim, *args, **kwargs)
    return torch.stack([whole[j] for j in range(head_dim // 2)]), factor


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_lerp(
    head_dim: int,
    scale: float,
    original_max_len: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    device: Device = None,
) -> Result:
    """torch.lerp between the two frequencies."""
    valid(head_dim, scale)
    low, high = (head_dim / 2 * math.log(original_max_len / (r * 2 * math.pi), base) for r in (beta_fast, beta_slow))
    first, last = max(math.floor(low), 0), min(math.ceil(high), head_dim - 1)
    pairs = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    fast = torch.exp(pairs * (-2 * math.log(base) / head_dim))
    share = torch.clamp((pairs - first) / (last - first or 0.001), 0, 1)
    return torch.lerp(fast, fast / scale, share), 1 + math.log(scale) / 10


@accepted
def kept_shares(
    head_dim: int,
    scale: float,
    original_max_len: int,
    base: float = 10000.0,
    beta_fast: float = 32.0,
    beta_slow: float = 1.0,
    device: Device = None,
) -> Result:
    """The mask of what is kept, as libraries write it."""
    valid(head_dim, scale)
    _, factor = right_answer(head_dim, scale, original_max_len, base, beta_fast, beta_slow, device)
    low = max(math.floor(BOUNDS["c"](beta_fast, head_dim, original_max_len, base, scale)), 0)
    high: float = min(math.ceil(BOUNDS["c"](beta_slow, head_dim, original_max_len, base, scale)), head_dim - 1)
    if low == high:
        high += 0.001
    powers = base ** (torch.arange(0, head_dim, 2, device=device).to(torch.float32) / head_dim)
    ramp = (torch.arange(head_dim // 2, dtype=torch.float32, device=device) - low) / (high - low)
    kept = 1 - torch.clamp(ramp, 0, 1)
    return 1.0 / (scale * powers) * (1 - kept) + 1.0 / powers * kept, factor


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Take it apart: unscaled frequencies (problem 28), two bounds, a ramp, a weighted mean, one number. Check each "
        "against the example before you go on."
    ),
    hint("Print c(32) and c(1) for the example: 2.016 and 5.026. Then low and high: 2 and 6. Only then the ramp."),
    hint(
        "The ramp for the example is 0, 0, 0, 0.25, 0.5, 0.75, 1, 1. A share of 0 means that the pair stays as it is: "
        "which of the two frequencies is multiplied by the share?"
    ),
    hint(
        "Which pairs are slowed down in your result? Divide the unscaled frequencies by yours: 1 should come first, "
        "and scale last.",
        "ramp_reversed",
        "all_slowed_down",
        "betas_exchanged",
        "slow_pairs_multiplied",
        "share_missing_for_the_slow_part",
        "fast_part_missing",
        "ramp_not_held",
        "ramp_not_held_at_zero",
        "ramp_not_held_at_one",
        "ramp_over_channels",
    ),
    hint(
        "Print low and high for head_dim 128, length 4096 and base 10000. They are 20 and 46. What are yours, before "
        "and after rounding (20.94 and 45.03)?",
        "bounds_not_rounded",
        "both_bounds_rounded_down",
        "both_bounds_rounded_up",
        "bounds_rounded_inwards",
        "bounds_rounded_to_the_nearest",
        "two_pi_missing",
        "half_a_turn",
        "two_pi_multiplied",
        "turns_multiplied",
        "new_length_taken",
        "length_divided_by_the_scale",
        "bounds_in_channels",
        "bounds_halved",
        "logarithms_mixed",
        "bounds_one_too_low",
    ),
    hint(
        "With scale 8 the factor is 1.207944, with scale 1 it is 1. What is yours?",
        "factor_dropped",
        "factor_squared",
        "factor_inverted",
        "temperature_returned",
        "root_of_the_factor",
        "factor_with_decimal_logarithm",
        "factor_with_binary_logarithm",
        "tenth_missing",
        "one_missing",
        "one_inside_the_logarithm",
        "logarithm_missing",
    ),
]

QUIZ = [
    question(
        "Why may a pair that made many turns in training stay as it is?",
        right(
            "It has met every angle already, so longer texts show it nothing new",
            "And it is what tells neighbours apart, which slowing down would blur.",
        ),
        wrong_choice("Because it is not used for long distances", "It is used for all; its angle just repeats."),
        wrong_choice("Because its frequency is 1", "Only pair 0 has that."),
        wrong_choice("It may not: all pairs must be scaled alike", "That is position interpolation."),
    ),
    question(
        "c(r) is the number of the pair that makes r turns. Which of the two bounds is larger, c(32) or c(1)?",
        right("c(1)", "Later pairs are slower and make fewer turns."),
        wrong_choice("c(32)", "A pair with 32 turns is fast, and stands further in front."),
        wrong_choice("They are equal", "They differ by head_dim · ln 32/(2 ln base)."),
        wrong_choice("It depends on scale", "scale does not occur in c."),
    ),
    question(
        "The attention factor is 1.2. By how much do scores grow?",
        right("1.44 times", "Queries and keys are both turned with cosines and sines that are 1.2 times larger."),
        wrong_choice("1.2 times", "That would be so if only one of the two were multiplied."),
        wrong_choice("Not at all", "A rotation keeps lengths, but this one is multiplied."),
        wrong_choice("1.095 times, the root", "The factor is already the root of what scores get."),
    ),
    question(
        "What does attention gain from larger scores in longer texts?",
        right(
            "It stays as sharp: with more tokens the softmax would spread its weight more thinly",
            "The factor was found by measuring perplexity at several scales (paper, section 3.4).",
        ),
        wrong_choice("It saves a division by √head_dim", "That division stays."),
        wrong_choice("It makes up for slower pairs", "Slower pairs change angles, not the sizes of scores."),
        wrong_choice("It keeps the softmax from overflowing", "Larger scores would do the contrary."),
    ),
    question(
        "A configuration says original_max_position_embeddings 4096 and max_position_embeddings 32768. What "
        "goes where?",
        right(
            "original_max_len is 4096 and scale 8",
            "Turns are counted within the trained length; 32768/4096 is the scale.",
        ),
        wrong_choice(
            "original_max_len is 32768 and scale 8", "Then pairs would seem to have made 8 times as many turns."
        ),
        wrong_choice("original_max_len is 4096 and scale 32768", "scale is a ratio."),
        wrong_choice("original_max_len is 32768 and scale 1", "Then nothing is scaled."),
    ),
]
