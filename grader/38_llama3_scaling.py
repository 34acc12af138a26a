"""How llama3_scaling is graded: three branches in Python's floats, pair by pair, are the reference."""

SECTION = "Positions"
LEVEL = 4
AFTER = (36,)
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
    question,
    remembering,
    right,
    settings_ignored,
    settings_kept,
    wrong,
    wrong_choice,
)

Device = torch.device | str | None


def close(want: Tensor, dtype: torch.dtype) -> Tensor:
    """How far a frequency may be off, relative to itself, since they span seven powers of ten.

    base^(−x) in float32 is off by about x·ln(base) ≤ 13 units of 2⁻²⁴, so by 2⁻²⁰. Where pairs are blended that error
    of the rounds grows by up to (s − 1)·low/(high − low), which is below 6 in all calls: 2⁻¹⁷. Twice that is allowed.
    """
    narrow = dtype in (torch.float16, torch.bfloat16)  # never asked for; lets two answers that lost digits be compared
    return (2.0**-4 if narrow else 2.0**-16) * want.abs() + 1e-30


# ── The reference, with a knob for everything that can be done the wrong way ────────────────────────────────────────

Schedule = Callable[[int, int, float], float]  # (pair, head_dim, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2j/d": lambda j, d, b: b ** (-2 * j / d),
    "j/d": lambda j, d, b: b ** (-j / d),
    "4j/d": lambda j, d, b: b ** (-4 * j / d),
    "2(j+1)/d": lambda j, d, b: b ** (-2 * (j + 1) / d),
    "growing": lambda j, d, b: b ** (2 * j / d),
    "500000": lambda j, d, b: 500000.0 ** (-2 * j / d),
    "10000": lambda j, d, b: 10000.0 ** (-2 * j / d),
    "10000 by default": lambda j, d, b: (10000.0 if b == 500000.0 else b) ** (-2 * j / d),
}
WAVES: dict[str, Callable[[float], float]] = {  # frequency → what is taken for the wavelength
    "2π/ω": lambda w: 2 * math.pi / w,
    "1/ω": lambda w: 1 / w,
    "π/ω": lambda w: math.pi / w,
    "ω": lambda w: w,
    "2πω": lambda w: 2 * math.pi * w,
    "ω/2π": lambda w: w / (2 * math.pi),
}
Edges = Callable[[float, float, float], tuple[float, float]]  # (L, low, high) → shortest and longest wave to blend
EDGES: dict[str, Edges] = {
    "L/factor": lambda L, low, high: (L / high, L / low),
    "L·factor": lambda L, low, high: (L * low, L * high),
    "exchanged": lambda L, low, high: (L / low, L / high),
    "factors": lambda L, low, high: (low, high),
}
Weight = Callable[[float, float, float, float], float]  # (L, λ, low, high) → how much of ω is kept
WEIGHTS: dict[str, Weight] = {
    "rounds": lambda L, w, low, high: (L / w - low) / (high - low),
    "inverted": lambda L, w, low, high: 1 - (L / w - low) / (high - low),
    "not divided": lambda L, w, low, high: L / w - low,
    "low not taken off": lambda L, w, low, high: L / w / (high - low),
    "by high": lambda L, w, low, high: (L / w - low) / high,
    "wavelengths": lambda L, w, low, high: (L / low - w) / (L / low - L / high),
    "logarithms": lambda L, w, low, high: math.log(L / w / low) / math.log(high / low),
    "rounded": lambda L, w, low, high: float(round((L / w - low) / (high - low))),
    "whole rounds": lambda L, w, low, high: min(max((L // w - low) / (high - low), 0.0), 1.0),
    "half": lambda L, w, low, high: 0.5,
    "kept": lambda L, w, low, high: 1.0,
    "divided": lambda L, w, low, high: 0.0,
    "squared": lambda L, w, low, high: ((L / w - low) / (high - low)) ** 2,
    "smoothstep": lambda L, w, low, high: (lambda t: t * t * (3 - 2 * t))((L / w - low) / (high - low)),
}
BANDS: dict[str, tuple[float | None, float | None]] = {  # weight of ω in the fast and the slow band, None as blended
    "fast kept": (1.0, 0.0),
    "slow kept": (0.0, 1.0),
    "no bands": (None, None),
    "fast blended too": (None, 0.0),
    "slow blended too": (1.0, None),
    "all divided": (0.0, 0.0),
    "all kept": (1.0, 1.0),
}
Blend = Callable[[float, float, float], float]  # (ω, s, weight) → result
BLENDS: dict[str, Blend] = {
    "frequencies": lambda w, s, t: (1 - t) * w / s + t * w,
    "wavelengths": lambda w, s, t: w / ((1 - t) * s + t),
    "geometric": lambda w, s, t: w * s ** -(1 - t),
    "multiplied": lambda w, s, t: (1 - t) * w * s + t * w,
    "slow not divided": lambda w, s, t: w / s if t == 0 else (1 - t) * w + t * w / s if t < 1 else w,
    "divided alone": lambda w, s, t: w if t == 1 else t * w / s if t else w / s,
    "kept alone": lambda w, s, t: w if t == 1 else t * w if t else w / s,
    "root": lambda w, s, t: (1 - t) * w / math.sqrt(s) + t * w,
    "8": lambda w, s, t: (1 - t) * w / 8 + t * w,
}


def reference(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
    *,
    odd: bool = True,
    room: bool = True,
    schedule: str = "2j/d",
    wave: str = "2π/ω",
    edges: str = "L/factor",
    weight: str = "rounds",
    bands: str = "fast kept",
    blend: str = "frequencies",
    length: str = "L",
    factors: str = "given",
    shape: str = "",
) -> Tensor:
    """Pair by pair, in Python's floats: (head_dim/2,) of float64."""
    if odd and head_dim % 2:
        raise ValueError("head_dim must be even")
    if room and low_freq_factor >= high_freq_factor:
        raise ValueError("low_freq_factor must be below high_freq_factor")
    L = {"L": original_max_len, "new": original_max_len * scale, "8192": 8192, "short": original_max_len / scale}[
        length
    ]
    low, high = {
        "given": (low_freq_factor, high_freq_factor),
        "1 and 4": (1.0, 4.0),
        "low 1": (1.0, high_freq_factor),
        "high 4": (low_freq_factor, 4.0),
    }[factors]
    shortest, longest = EDGES[edges](L, low, high)
    fast, slow = BANDS[bands]
    result = []
    for j in range(head_dim // 2):
        omega = SCHEDULES[schedule](j, head_dim, base)
        wavelength = WAVES[wave](omega)
        if wavelength < shortest and fast is not None:
            t = fast
        elif wavelength > longest and slow is not None:
            t = slow
        else:
            t = WEIGHTS[weight](L, wavelength, low, high)
        result.append(BLENDS[blend](omega, scale, t))
    freqs = torch.tensor(result, dtype=torch.float64)
    match shape:
        case "twice":
            return torch.cat([freqs, freqs])
        case "each twice":
            return freqs.repeat_interleave(2)
        case "row":
            return freqs[None]
        case "wavelengths":
            return 2 * math.pi / freqs
        case "inverse":
            return 1 / freqs
        case "reversed":
            return freqs.flip(0)
    return freqs


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

SMALL: dict[str, Any] = {"base": 10000.0, "scale": 4.0, "original_max_len": 160}  # of 16 channels 3 pairs are blended


def like(head_dim: int) -> Tensor:
    """A tensor of the shape and dtype that must come back."""
    return torch.zeros(head_dim // 2)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """There is one frequency for each pair of channels."""
    for head_dim in (8, 6, 2, 128):
        yield call(head_dim, like=like(head_dim))


@check(points=1, explains=True)
def falling(draw: Draw) -> Checking:
    """Frequencies fall from pair to pair, also across the edges of the blend."""
    freqs = yield call(64, **SMALL, like=like(64))
    if at := first_true(~(freqs[1:] < freqs[:-1])):
        j = at[0]
        raise Failed(f"pair {j} has the frequency {freqs[j]:.6g}, and pair {j + 1} {freqs[j + 1]:.6g}")


@check(points=1, explains=True)
def between(draw: Draw) -> Checking:
    """No frequency lies above its old value, nor below that divided by `scale`; the first and last lie on these."""
    freqs = yield call(32, **SMALL, like=like(32))
    old = 10000.0 ** (-torch.arange(16, dtype=torch.float64) / 16)
    share = freqs.double() / old
    if at := first_true(~((share <= 1 + 1e-4) & (share >= 0.25 - 1e-4))):
        j = at[0]
        raise Failed(f"with scale 4 pair {j} went from {old[j]:.6g} to {freqs[j]:.6g}, which is {share[j]:.5g} of it")
    if not (abs(float(share[0]) - 1) <= 1e-4 and abs(float(share[-1]) - 0.25) <= 1e-4):
        text = f"with scale 4 pair 0 went to {share[0]:.5g} of its old value and the last pair to {share[-1]:.5g} of it"
        raise Failed(text)


@check(points=3)
def values(draw: Draw) -> Checking:
    """The frequencies are right where all three bands have pairs."""
    yield call(16, **SMALL, want=reference)
    yield call(64, base=10000.0, scale=3.0, original_max_len=512, want=reference)
    yield call(32, base=500.0, scale=2.5, original_max_len=100, want=reference)


@check(points=2)
def as_llama_has_it(draw: Draw) -> Checking:
    """With the default arguments, and heads of 128 and 64 channels, the frequencies are those of Llama 3.1 and 3.2."""
    yield call(128, want=reference)
    yield call(64, scale=32.0, want=reference)


@check(points=2)
def factors(draw: Draw) -> Checking:
    """Both factors are taken as they come: whole or not, below 1 or above."""
    for low, high in ((1.0, 4.0), (0.5, 2.5), (2.0, 4.0), (1, 8), (3.0, 20.0)):
        chosen = {"low_freq_factor": low, "high_freq_factor": high}
        yield call(32, base=10000.0, scale=4.0, original_max_len=300, **chosen, want=reference)


@check(points=2)
def bases_scales_and_lengths(draw: Draw) -> Checking:
    """`base`, `scale` and `original_max_len` are taken as they come."""
    for base, scale, length in (
        (10000.0, 4.0, 300),
        (500000.0, 4.0, 300),
        (777.5, 4.0, 300),
        (10000.0, 1.7, 300),
        (10000, 16, 300),
        (10000.0, 4.0, 4096),
        (10000.0, 4.0, 100 + draw.integer(0, 300)),
        (0.5, 4.0, 20),
    ):
        yield call(24, base=base, scale=scale, original_max_len=length, want=reference)


@check(points=1)
def head_dims(draw: Draw) -> Checking:
    """Any even `head_dim` will do, from 2 on."""
    for head_dim in (8, 2, 4, 6, 80, 256):
        yield call(head_dim, **SMALL, want=reference)


@check(points=1)
def one_band_alone(draw: Draw) -> Checking:
    """All pairs may be kept, divided or blended, and a scale of 1 changes nothing."""
    yield call(8, **SMALL, want=reference)
    yield call(8, base=10000.0, scale=4.0, original_max_len=10**6, want=reference)  # all go round often
    yield call(8, base=10000.0, scale=4.0, original_max_len=4, want=reference)  # none goes round once
    yield call(8, base=2.0, scale=4.0, original_max_len=20, want=reference)  # all between 1 and 4 rounds
    yield call(16, base=10000.0, scale=1.0, original_max_len=160, want=reference)


@check(points=1)
def called_again(draw: Draw) -> Checking:
    """What a call returns depends on its arguments alone, not on earlier calls."""
    for head_dim, scale, length in ((16, 4.0, 160), (16, 2.0, 160), (16, 2.0, 400), (8, 2.0, 400), (16, 4.0, 160)):
        yield call(head_dim, base=10000.0, scale=scale, original_max_len=length, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result is float32."""
    for head_dim in (16, 2):
        yield call(head_dim, like=like(head_dim))


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(6, **SMALL, want=reference)
    for head_dim in (7, 1, 3):
        yield call(head_dim, **SMALL, raises=ValueError)


@check(craft=True)
def no_room_to_blend(draw: Draw) -> Checking:
    """`low_freq_factor` at or above `high_freq_factor` raises ValueError."""
    yield call(8, low_freq_factor=1.0, high_freq_factor=4.0, want=reference)
    for low, high in ((4.0, 1.0), (2.0, 2.0)):
        yield call(8, low_freq_factor=low, high_freq_factor=high, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """The program's default dtype and autocast round no number and change no dtype."""
    yield call(16, **SMALL, want=reference)
    yield from settings_ignored(call(64, **SMALL, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(16, **SMALL, want=reference))
    yield from settings_kept(call(16, **SMALL, under="default_float64"))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Everything is made on `device`, and no number leaves it."""
    yield from on_one_device(draw, call(16, **SMALL, device="cpu", want=reference), like(16))


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over pairs."""
    yield from no_loop_over("pairs", {d // 2: call(d, **SMALL, want=reference) for d in (16, 48)}, least=3)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "two_pi_missing",
        "The wavelength is taken to be 1/ω. That is how long a pair needs for one *radian*; a whole round is 2π of "
        "them, so the edges stand 2π too far along.",
        wave="1/ω",
    ),
    mistake(
        "half_a_round",
        "The wavelength is taken to be π/ω, half a round. A wave is as long as a whole one: 2π radians.",
        wave="π/ω",
    ),
    mistake(
        "frequency_taken_for_wavelength",
        "The frequencies themselves are compared with L/high and L/low, which are lengths. All are smaller, so every "
        "pair is kept. Turn them into wavelengths first.",
        wave="ω",
        family="all_pairs_kept",
    ),
    mistake(
        "two_pi_times_frequency",
        "2π·ω is taken for the wavelength: all are small, so every pair is kept. A fast pair has a *short* wave; "
        "divide.",
        wave="2πω",
        family="all_pairs_kept",
    ),
    mistake(
        "frequency_over_two_pi",
        "ω/2π is compared with L/high and L/low. That is the number of rounds in one token, and not a length: every "
        "pair is kept.",
        wave="ω/2π",
        family="all_pairs_kept",
    ),
    mistake(
        "nothing_scaled",
        "Every pair keeps its frequency: nothing is scaled at all. Slow pairs are divided by `scale`.",
        bands="all kept",
        weight="kept",
        family="all_pairs_kept",
    ),
    mistake(
        "all_divided",
        "All frequencies are divided by `scale`: that is position interpolation. Fast pairs are to be kept, and those "
        "between the edges are blended.",
        bands="all divided",
        weight="divided",
    ),
    mistake(
        "bands_exchanged",
        "Fast pairs are divided and slow ones kept: the other way round. Compare the *wavelength*: short waves "
        "belong to fast pairs, and those are kept.",
        bands="slow kept",
    ),
    mistake(
        "everything_inverted",
        "The weight runs the wrong way in all three bands: fast pairs are divided, slow ones kept, and the blend is "
        "mirrored. Perhaps low and high have changed places in it.",
        bands="slow kept",
        weight="inverted",
    ),
    mistake(
        "switched_at_the_long_edge",
        "There is no blend: frequencies are kept up to the wavelength L/low and divided beyond. This is also what "
        "comes of low and high in each other's place in the comparisons, since then no pair is left between.",
        weight="kept",
        family="no_blend",
    ),
    mistake(
        "edges_exchanged",
        "The two comparisons have each other's factor: kept is what is shorter than L/low, divided what is longer than "
        "L/high, and nothing is left to blend.",
        edges="exchanged",
        family="no_blend",
    ),
    mistake(
        "switched_at_the_short_edge",
        "There is no blend: frequencies are kept up to the wavelength L/high and divided beyond.",
        weight="divided",
    ),
    mistake(
        "blend_is_the_mean",
        "Between the edges the mean of both frequencies is taken, whatever the wavelength. The weight t goes from 0 "
        "to 1 there, so that nothing jumps.",
        weight="half",
    ),
    mistake(
        "blend_mirrored",
        "Between the edges t and 1 − t have changed places, so the frequencies jump at both edges. t is the share of "
        "the *unchanged* frequency: 1 at high_freq_factor rounds.",
        weight="inverted",
        family="blend_mirrored",
    ),
    mistake(
        "blend_divides_the_wrong_part",
        "Between the edges it is the share t that is divided by `scale`, and not 1 − t.",
        blend="slow not divided",
        family="blend_mirrored",
    ),
    mistake(
        "blend_not_divided_by_the_width",
        "t = L/λ − low is not divided by high − low, so it goes beyond 1 and frequencies come out above their old "
        "values.",
        weight="not divided",
    ),
    mistake(
        "low_not_taken_off",
        "t = (L/λ)/(high − low): low_freq_factor has not been taken off, so that t is not 0 at the long edge.",
        weight="low not taken off",
    ),
    mistake(
        "divided_by_high_alone",
        "t is divided by high_freq_factor and not by high − low, so that it never reaches 1.",
        weight="by high",
    ),
    mistake(
        "weight_linear_in_wavelength",
        "t is linear in the wavelength. It is linear in the number of *rounds*, L/λ.",
        weight="wavelengths",
    ),
    mistake(
        "weight_linear_in_logarithms",
        "t is linear in the logarithm of the wavelength, and so (as in YaRN) in the index of the pair. Here it is "
        "linear in the number of rounds.",
        weight="logarithms",
    ),
    mistake(
        "weight_rounded",
        "The weight t is rounded to 0 or 1, so there is no blend: the frequencies jump in the middle between the "
        "edges.",
        weight="rounded",
    ),
    mistake(
        "rounds_made_whole",
        "The rounds L/λ are cut to whole numbers, so that the blend has steps. They may be fractions.",
        weight="whole rounds",
    ),
    mistake("weight_squared", "The weight t is squared. It enters as it is.", weight="squared"),
    mistake("weight_smoothed", "The weight goes through 3t² − 2t³ first. It enters as it is.", weight="smoothstep"),
    mistake(
        "wavelengths_blended",
        "It is the wavelengths that are blended, λ·s and λ, and turned into a frequency afterwards. Blend the "
        "frequencies.",
        blend="wavelengths",
    ),
    mistake(
        "blended_by_powers",
        "The blend is ω·s^(t − 1), a mean of logarithms. It is a plain weighted sum of ω/s and ω.",
        blend="geometric",
    ),
    mistake(
        "blend_lacks_the_kept_share",
        "Between the edges only one of the two parts is there, t·ω/s. It is a sum: (1 − t) of one, t of the other.",
        blend="divided alone",
    ),
    mistake(
        "blend_lacks_the_divided_share",
        "Between the edges only t·ω is there; the share (1 − t)·ω/s is missing.",
        blend="kept alone",
    ),
    mistake(
        "not_clamped",
        "t is never held between 0 and 1: the blend's line goes on in both directions, so that fast pairs become "
        "faster and slow ones may even turn backwards.",
        bands="no bands",
    ),
    mistake(
        "fast_pairs_not_clamped",
        "t is not held at 1, so that pairs with more than high_freq_factor rounds become faster than they were.",
        bands="fast blended too",
    ),
    mistake(
        "slow_pairs_not_clamped",
        "t is not held at 0, so that pairs with less than low_freq_factor rounds fall below ω/s, or turn backwards.",
        bands="slow blended too",
    ),
    mistake(
        "multiplied_by_scale",
        "Slow frequencies are multiplied by `scale`. They are divided: longer texts need slower turns.",
        blend="multiplied",
    ),
    mistake("root_of_the_scale", "Slow frequencies are divided by √scale. Divide by `scale`.", blend="root"),
    mistake("scale_ignored", "`scale` is not used: 8 stands in its place.", blend="8"),
    mistake(
        "edges_multiplied",
        "The edges are taken to be L·low and L·high. They are L *divided* by the factors: many rounds mean short "
        "waves.",
        edges="L·factor",
    ),
    mistake(
        "length_missing_in_edges",
        "The wavelengths are compared with the factors themselves. The edges are L/high and L/low.",
        edges="factors",
    ),
    mistake(
        "new_length_for_the_trained",
        "The edges are taken from the new length, L·scale. What counts is how many rounds a pair made in *training*.",
        length="new",
    ),
    mistake(
        "length_divided_by_scale",
        "The edges are taken from L/scale. `original_max_len` is the trained length already.",
        length="short",
    ),
    mistake("length_ignored", "`original_max_len` is not used: 8192 stands in its place.", length="8192"),
    mistake("both_factors_ignored", "The two factors are not used: 1 and 4 stand in their place.", factors="1 and 4"),
    mistake("low_factor_ignored", "`low_freq_factor` is not used: 1 stands in its place.", factors="low 1"),
    mistake("high_factor_ignored", "`high_freq_factor` is not used: 4 stands in its place.", factors="high 4"),
    mistake(
        "exponent_lacks_the_two",
        "The plain frequencies are wrong already: their exponent is j/head_dim. Pair j owns *two* channels, hence "
        "−2j/head_dim.",
        schedule="j/d",
    ),
    mistake(
        "exponent_doubled",
        "The plain frequencies are wrong already: 2j is divided by head_dim/2. One of the two twos is too much.",
        schedule="4j/d",
    ),
    mistake(
        "pairs_numbered_from_one",
        "The plain frequencies are wrong already: pairs are numbered from 1. Pair 0 has the frequency 1.",
        schedule="2(j+1)/d",
    ),
    mistake(
        "exponent_positive",
        "The plain frequencies are wrong already: they grow, since the exponent has lost its minus.",
        schedule="growing",
    ),
    mistake("base_ignored", "`base` is not used: 500000 stands in its place.", schedule="500000"),
    mistake("base_of_the_first_paper", "`base` is not used: 10000 stands in its place.", schedule="10000"),
    mistake(
        "default_base_10000",
        "When no base is given, 10000 is used; the signature says 500000 (Llama 3's).",
        schedule="10000 by default",
    ),
    mistake(
        "frequencies_laid_twice",
        "The result is twice as long as asked: every frequency stands there twice, one block after the other. That "
        "belongs to the cosines of rotate-half.",
        shape="twice",
    ),
    mistake(
        "every_frequency_twice",
        "The result is twice as long as asked: every frequency stands there for both channels of its pair.",
        shape="each twice",
    ),
    mistake("axis_added", "The result has an axis of size 1 in front. One axis is asked for.", shape="row"),
    mistake(
        "wavelengths_returned",
        "What comes back are the wavelengths, 2π/ω. Frequencies are asked for.",
        shape="wavelengths",
    ),
    mistake(
        "inverse_returned",
        "What comes back is 1 over each frequency. (The name inv_freq says that the frequency *is* an inverse.)",
        shape="inverse",
    ),
    mistake("pairs_backwards", "The slowest pair comes first. Pair 0 is the fastest.", shape="reversed"),
]


def right_answer(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
    dtype: torch.dtype = torch.float32,
) -> Tensor:
    """What an answer does, in some dtype."""
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("impossible")
    freqs = base ** -(torch.arange(0, head_dim, 2, dtype=dtype, device=device) / head_dim)
    t = (original_max_len * freqs / (2 * math.pi) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    t = t.clamp(0, 1)
    return (1 - t) * freqs / scale + t * freqs


Rest = Any  # the arguments after head_dim, as they come


@wrong(
    "All frequencies come of a larger base, base · scale^(d/(d − 2)): that is NTK-aware scaling (problem 36). Here "
    "the base stays, and pairs are told apart by their wavelength."
)
def base_scaled(head_dim: int, base: float = 500000.0, scale: float = 8.0, *rest: Rest, **named: Rest) -> Tensor:
    """NTK."""
    base = base * scale ** (head_dim / (head_dim - 2)) if head_dim > 2 else base
    return base ** -(torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)


@wrong(
    "The weights go linearly from pair to pair, between two whole indices: that is YaRN's ramp (problem 37). Here each "
    "pair's weight comes from its own number of rounds."
)
def ramp_over_pairs(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
) -> Tensor:
    """Edges as indices, rounded down and up."""
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("impossible")

    def index(rounds: float) -> float:
        return head_dim * math.log(original_max_len / (rounds * 2 * math.pi)) / (2 * math.log(base))

    first, last = max(math.floor(index(high_freq_factor)), 0), min(math.ceil(index(low_freq_factor)), head_dim // 2 - 1)
    last = last if last > first else first + 0.001
    pairs = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    t = 1 - ((pairs - first) / (last - first)).clamp(0, 1)
    freqs = base ** (-2 * pairs / head_dim)
    return (1 - t) * freqs / scale + t * freqs


@wrong(
    "A factor of 1.0 comes back beside the frequencies, as Hugging Face's function has it. A tensor alone is asked for."
)
def factor_returned_too(head_dim: int, *rest: Rest, **named: Rest) -> tuple[Tensor, float]:
    """A tuple."""
    return right_answer(head_dim, *rest, **named), 1.0


@wrong(
    "A factor for the scores comes back beside the frequencies, as YaRN has it (problem 37). This rule has none; a "
    "tensor alone is asked for."
)
def factor_as_in_yarn(
    head_dim: int, base: float = 500000.0, scale: float = 8.0, *rest: Rest, **named: Rest
) -> tuple[Tensor, float]:
    """A tuple with 0.1·ln(scale) + 1."""
    return right_answer(head_dim, base, scale, *rest, **named), 0.1 * math.log(scale) + 1


@wrong("The frequencies are rounded to bfloat16, which keeps two or three digits. They are needed in float32.")
def rounded_to_bfloat16(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """.bfloat16()."""
    return right_answer(head_dim, *rest, **named).bfloat16().float()


@wrong("The result holds whole numbers; frequencies are fractions, and a floating tensor is asked for.")
def made_of_integers(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """Cut to int64."""
    return right_answer(head_dim, *rest, **named).long()


@wrong(
    "Frequencies kept from an earlier call are returned although other arguments have changed since. Everything that "
    "they depend on belongs into the key.",
    fresh=True,
)
def kept_by_head_dim() -> Callable[..., Tensor]:
    """A cache by head_dim alone."""
    return remembering(right_answer, lambda head_dim, *rest, **named: head_dim)


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong("The result is float64. Computing in float64 is fine; what is returned must be float32.", craft=True)
def comes_back_as_float64(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """No cast at the end."""
    return right_answer(head_dim, *rest, dtype=torch.float64, **named)


@wrong(
    "An odd head_dim is not refused: the channel without a partner gets a frequency of its own, or none, silently. "
    "Raise ValueError.",
    craft=True,
)
def odd_not_refused(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """arange(0, 7, 2) has four entries."""
    if head_dim % 2 == 0:
        return right_answer(head_dim, *rest, **named)
    return _exact(head_dim, head_dim // 2 + 1, **named)


@wrong("An odd head_dim is not refused: the channel without a partner is dropped. Raise ValueError.", craft=True)
def odd_channel_dropped(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """head_dim // 2 pairs."""
    if head_dim % 2 == 0:
        return right_answer(head_dim, *rest, **named)
    return _exact(head_dim, head_dim // 2, **named)


def _exact(head_dim: int, pairs: int, base: float, scale: float, original_max_len: int) -> Tensor:
    """The rule for any number of pairs and the factors 1 and 4."""
    freqs = base ** -(torch.arange(0, 2 * pairs, 2, dtype=torch.float32) / head_dim)
    t = ((original_max_len * freqs / (2 * math.pi) - 1) / 3).clamp(0, 1)
    return (1 - t) * freqs / scale + t * freqs


@wrong(
    "An odd head_dim, or factors without room between them, are refused by assert. That raises AssertionError, and "
    "with python -O nothing is checked. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    *rest: Rest,
    **named: Rest,
) -> Tensor:
    """assert instead of raise."""
    assert head_dim % 2 == 0
    assert low_freq_factor < high_freq_factor
    return right_answer(head_dim, base, scale, low_freq_factor, high_freq_factor, *rest, **named)


@wrong(
    "Factors without room between them are not refused. With low at or above high there is nothing to blend, and t "
    "divides by 0 or runs backwards: raise ValueError.",
    craft=True,
)
def factors_not_checked(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
) -> Tensor:
    """t by a clamp, whatever the factors."""
    if low_freq_factor < high_freq_factor:
        return right_answer(head_dim, base, scale, low_freq_factor, high_freq_factor, original_max_len, device)
    freqs = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    t = (original_max_len * freqs / (2 * math.pi) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return (1 - t.clamp(0, 1)) * freqs / scale + t.clamp(0, 1) * freqs


@wrong(
    "Factors without room between them are not refused. The comparisons then decide in whatever order they stand; the "
    "caller has made a mistake: raise ValueError.",
    craft=True,
)
def factors_not_checked_in_branches(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
) -> Tensor:
    """Short waves are kept first, the rest is long."""
    if low_freq_factor < high_freq_factor:
        return right_answer(head_dim, base, scale, low_freq_factor, high_freq_factor, original_max_len, device)
    freqs = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    wavelengths = 2 * math.pi / freqs
    return torch.where(wavelengths > original_max_len / low_freq_factor, freqs / scale, freqs)


@wrong(
    "Equal factors are not refused, only low above high. With both the same there is nothing to blend, and t divides "
    "by 0.",
    craft=True,
)
def equal_factors_accepted(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    *rest: Rest,
    **named: Rest,
) -> Tensor:
    """> in place of >=."""
    if low_freq_factor == high_freq_factor:
        freqs = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim)
        return torch.where(8192 * freqs / (2 * math.pi) < low_freq_factor, freqs / scale, freqs)
    return right_answer(head_dim, base, scale, low_freq_factor, high_freq_factor, *rest, **named)


@wrong(
    "Equal factors end in a ZeroDivisionError. The caller should be told what is wrong: compare first, and raise "
    "ValueError.",
    craft=True,
)
def equal_factors_divide_by_zero(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    *rest: Rest,
    **named: Rest,
) -> Tensor:
    """1 / (high − low) in Python."""
    if low_freq_factor == high_freq_factor:
        raise ZeroDivisionError("float division by zero")
    return right_answer(head_dim, base, scale, low_freq_factor, high_freq_factor, *rest, **named)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does). A program that sets it "
    "to bfloat16 gets rounded ones. Name the dtype.",
    craft=True,
)
def default_dtype_taken(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """arange / number, without a dtype."""
    return right_answer(head_dim, *rest, dtype=torch.get_default_dtype(), **named)


@wrong(
    "The exponents take torch's default dtype (an integer arange divided by a number does) and are cast afterwards. "
    "Digits that a default of bfloat16 has cost don't come back: name the dtype in the factory.",
    craft=True,
)
def default_dtype_cast_late(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
) -> Tensor:
    """(1 / base ** (arange / d)).float()."""
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("impossible")
    freqs = (1.0 / base ** (torch.arange(0, head_dim, 2, device=device) / head_dim)).float()
    t = (original_max_len * freqs / (2 * math.pi) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return (1 - t.clamp(0, 1)) * freqs / scale + t.clamp(0, 1) * freqs


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(head_dim, *rest, **named)


@wrong(
    "torch.set_default_dtype(torch.float32) is called inside: a program that has set another dtype finds it changed. "
    "Name the dtype where tensors are made.",
    craft=True,
)
def default_dtype_set_to_float32(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """Leaves float32 as the default."""
    torch.set_default_dtype(torch.float32)
    return right_answer(head_dim, *rest, **named)


@wrong(
    "`device` is not passed on: tensors are made on the CPU (and moved afterwards, or not at all). Pass it to every "
    "factory.",
    craft=True,
)
def made_without_device(*rest: Rest, device: Device = None, **named: Rest) -> Tensor:
    """arange without a device."""
    return right_answer(*rest, **named)


@wrong(
    "Pairs are picked by a mask, as in freqs[mask]: how many there are depends on the numbers, so a GPU has to stop "
    "and count, and the meta device can't. torch.where or clamp needs no such look.",
    craft=True,
)
def pairs_picked_by_mask(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """freqs[mask]."""
    freqs = right_answer(head_dim, *rest, **named)
    picked = freqs > 0.01
    freqs[picked] = freqs[picked]
    return freqs


@wrong(
    "The result is right, but a Python loop runs over the pairs and takes numbers out of tensors (or branches on "
    "them). torch.where or clamp decides for all pairs at once.",
    craft=True,
)
def loop_over_pairs(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """One pair after the other."""
    freqs = right_answer(head_dim, *rest, **named)
    if freqs.device.type == "meta":
        return freqs
    return torch.stack([freq * float(freq > 0) for freq in freqs])


@wrong(
    "The frequencies are computed number by number in Python and turned into a tensor at the end. torch.where or clamp "
    "decides for all pairs at once.",
    craft=True,
)
def built_in_python(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
) -> Tensor:
    """A list of floats."""
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("impossible")
    result = []
    for j in range(head_dim // 2):
        freq = base ** (-2 * j / head_dim)
        t = (original_max_len * freq / (2 * math.pi) - low_freq_factor) / (high_freq_factor - low_freq_factor)
        t = min(max(t, 0.0), 1.0)
        result.append((1 - t) * freq / scale + t * freq)
    return torch.tensor(result, dtype=torch.float32, device=device)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_where(
    head_dim: int,
    base: float = 500000.0,
    scale: float = 8.0,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
    original_max_len: int = 8192,
    device: Device = None,
) -> Tensor:
    """Comparisons of wavelengths, and a blend that is laid over what they leave."""
    if head_dim % 2 or low_freq_factor >= high_freq_factor:
        raise ValueError("impossible")
    freqs = 1.0 / base ** (torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    wavelengths = 2 * math.pi / freqs
    shortest, longest = original_max_len / high_freq_factor, original_max_len / low_freq_factor
    scaled = torch.where(wavelengths > longest, freqs / scale, freqs)
    t = (original_max_len / wavelengths - low_freq_factor) / (high_freq_factor - low_freq_factor)
    blended = (1 - t) * scaled / scale + t * scaled
    return torch.where((wavelengths >= shortest) & (wavelengths <= longest), blended, scaled)


@accepted
def in_float64(head_dim: int, *rest: Rest, **named: Rest) -> Tensor:
    """Rounded at the end."""
    return right_answer(head_dim, *rest, dtype=torch.float64, **named).float()


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Make the plain frequencies first, then how often each pair goes round within L tokens. For the example of the "
        "statement these are 25.46, 2.546, 0.2546 and 0.02546."
    ),
    hint("Three bands: which comparison keeps, which divides? Short wave, fast pair, many rounds are the same thing."),
    hint(
        "t should be 1 at high_freq_factor rounds and 0 at low_freq_factor rounds. What happens to it outside, if held?"
    ),
    hint(
        "Print 2π/ω for pair 0. It should be 6.28 tokens: after so many, a turn of 1 radian a token is back.",
        "two_pi_missing",
        "half_a_round",
        "frequency_taken_for_wavelength",
        "two_pi_times_frequency",
        "frequency_over_two_pi",
    ),
    hint(
        "Print result/ω for every pair: 1 in the fast band, 1/scale in the slow one, and a smooth way from one to the "
        "other. Where does yours jump, or leave that range?",
        "blend_mirrored",
        "blend_divides_the_wrong_part",
        "blend_is_the_mean",
        "blend_not_divided_by_the_width",
        "low_not_taken_off",
        "divided_by_high_alone",
        "bands_exchanged",
        "everything_inverted",
        "not_clamped",
        "fast_pairs_not_clamped",
        "slow_pairs_not_clamped",
        "blend_lacks_the_kept_share",
        "blend_lacks_the_divided_share",
        "switched_at_the_long_edge",
        "switched_at_the_short_edge",
        "edges_exchanged",
    ),
    hint(
        "Take a pair halfway between the edges in rounds (t = 1/2, so 2.5 rounds for factors 1 and 4). Its result "
        "should be the mean of ω and ω/s.",
        "weight_linear_in_wavelength",
        "weight_linear_in_logarithms",
        "weight_squared",
        "weight_rounded",
        "rounds_made_whole",
        "ramp_over_pairs",
        "wavelengths_blended",
        "blended_by_powers",
    ),
    hint(
        "Which lengths do your edges have for L = 8192 and the factors 1 and 4? They should be 2048 and 8192 tokens.",
        "edges_multiplied",
        "length_missing_in_edges",
        "new_length_for_the_trained",
        "length_divided_by_scale",
        "length_ignored",
    ),
]

QUIZ = [
    question(
        "L is 8192, the factors are 1 and 4, scale is 8. A pair has a wavelength of 1000 tokens. What happens to it?",
        right("Nothing", "It goes round 8.2 times within L, more than 4 times: 1000 is below 8192/4 = 2048."),
        wrong_choice("It is divided by 8", "Only pairs that do not finish a single round are, so waves beyond 8192."),
        wrong_choice("It is blended", "The blend is for waves between 2048 and 8192 tokens."),
        wrong_choice("It depends on the length of the text", "Only the trained length enters, and that is fixed."),
    ),
    question(
        "Why may fast pairs stay as they are, although the text is longer?",
        right(
            "They met all their angles many times in training",
            "An angle counts only up to full turns; 100 rounds more bring no new one.",
        ),
        wrong_choice("They are not used in long texts", "All pairs turn at every position."),
        wrong_choice(
            "They are too fast for division to change anything", "Division by 8 would change them a lot, for the worse."
        ),
        wrong_choice("They carry no information on position", "They tell neighbours apart better than any other."),
    ),
    question(
        "A pair makes 2.5 rounds within L, with the factors 1 and 4 and scale 8. What is its frequency multiplied by?",
        right("0.5625", "t = (2.5 − 1)/3 = 1/2, and 1/2 + 1/2 · 1/8 is 0.5625."),
        wrong_choice("0.125", "That is the slow band; 2.5 rounds are between 1 and 4."),
        wrong_choice("0.354", "That is 1/√8, a blend of logarithms; the blend is a plain weighted sum."),
        wrong_choice("0.222", "That is 2/9: wavelengths were blended, and not frequencies."),
    ),
    question(
        "The 2π is forgotten: λ is taken as 1/ω. What becomes of the pairs?",
        right(
            "Waves look shorter than they are, so too many pairs are kept",
            "A pair of 10000 tokens a round seems to need 1592, and is kept.",
        ),
        wrong_choice("All are kept", "Very slow ones are still divided: the edges are moved by 2π, not removed."),
        wrong_choice("Too many pairs are divided", "The other way round: waves look shorter, not longer."),
        wrong_choice("Nothing, 2π cancels", "It would, if the edges had it too; they are lengths in tokens."),
    ),
    question(
        "How does this differ from dividing all frequencies by scale (position interpolation)?",
        right(
            "Neighbouring tokens stay as far apart for the fast pairs as they were in training",
            "Interpolation moves all tokens closer; here only pairs that never closed a round are slowed.",
        ),
        wrong_choice("It is the same for long texts", "The length of the text plays no role in either."),
        wrong_choice("It needs no longer any fine-tuning", "Llama 3.1 was trained on with it, up to 128k tokens."),
        wrong_choice("It changes the values of attention as well", "Only the angles of q and k change, in both."),
    ),
]
