"""How position_interpolation is graded: a product of complex numbers in float64, at p / scale, is the reference."""

SECTION = "Positions"
LEVEL = 3
AFTER = (29,)
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
    exact_in_float64,
    first_true,
    hint,
    inputs_kept,
    mistake,
    no_loop_over,
    on_one_device,
    question,
    right,
    rotated,
    settings_ignored,
    settings_kept,
    wrong,
    wrong_choice,
)

Answer = Callable[..., Tensor]


close = rotated("halves")  # an angle is never larger than the index, whatever the scale


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Places = Callable[[Tensor, float, int], Tensor]  # (index, scale, how many) → what is taken for the position
PLACES: dict[str, Places] = {
    "p/s": lambda p, s, n: p / s,
    "p": lambda p, s, n: p,
    "p·s": lambda p, s, n: (p.float() * s).double(),
    "p/s²": lambda p, s, n: p / s / s,
    "p/√s": lambda p, s, n: p / math.sqrt(s),
    "⌊p/s⌋": lambda p, s, n: torch.floor(p / s),
    "round": lambda p, s, n: torch.round(p / s),
    "⌈p/s⌉": lambda p, s, n: torch.ceil(p / s),
    "half a step": lambda p, s, n: (p + 0.5) / s - 0.5,
    "p/⌊s⌋": lambda p, s, n: p / int(s),
    "(p+1)/s": lambda p, s, n: (p + 1) / s,
    "to the end": lambda p, s, n: p * n / (s * max(n - 1, 1)),
    "beyond only": lambda p, s, n: torch.where(p < n / s, p, p / s),
    "p·s/n": lambda p, s, n: p * s / max(n, 1),
    "p/n": lambda p, s, n: p / max(n, 1),
    "p mod": lambda p, s, n: p % max(math.ceil(n / s), 1),
    "centred": lambda p, s, n: (p - n // 2) / s,
    "p - p/s": lambda p, s, n: p - p / s,
    "p - s": lambda p, s, n: p - s,
    "bf16": lambda p, s, n: (p / s).float().to(torch.bfloat16).double(),
}
Schedule = Callable[[Tensor, int, float, float], Tensor]  # (pair, head_dim, base, scale) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2i/d": lambda i, d, b, s: b ** (-2 * i / d),
    "i/d": lambda i, d, b, s: b ** (-i / d),
    "4i/d": lambda i, d, b, s: b ** (-4 * i / d),
    "growing": lambda i, d, b, s: (b ** (2 * i.float() / d)).double(),
    "one": lambda i, d, b, s: torch.ones_like(i),
    "whole": lambda i, d, b, s: float(int(b)) ** (-2 * i / d),
    "10000": lambda i, d, b, s: 10000.0 ** (-2 * i / d),
    "b·s": lambda i, d, b, s: (b * s) ** (-2 * i / d),
    "b/s": lambda i, d, b, s: (b / s) ** (-2 * i / d),
    "ntk": lambda i, d, b, s: (b * s ** (d / max(d - 2, 1))) ** (-2 * i / d),
    "2i/ds": lambda i, d, b, s: b ** (-2 * i / (d * s)),
    "but the first": lambda i, d, b, s: b ** (-2 * i / d) * torch.where(i == 0, s, 1.0),
}
GAINS: dict[str, Callable[[float], float]] = {
    "": lambda s: 1.0,
    "1/s": lambda s: 1 / s,
    "s": lambda s: s,
    "yarn": lambda s: 0.1 * math.log(s) + 1 if s > 1 else 1.0,
}


def reference(
    x: Tensor,
    scale: float,
    base: float = 10000.0,
    *,
    below: str = "refused",
    layout: str = "halves",
    writes: str = "",
    schedule: str = "2i/d",
    places: str = "p/s",
    gain: str = "",
    axis: str = "seq",
    sign: int = 1,
    how: str = "turn",
    table: str = "",
) -> Tensor:
    """x as complex numbers of its two halves, times e^(i·f·p/scale), in float64: (batch, heads, seq, head_dim)."""
    width = x.shape[-1]
    if width % 2:
        raise ValueError("head_dim must be even")
    if scale < 1:
        if below == "refused":
            raise ValueError("scale must be at least 1")
        scale = max(scale, 1.0) if below == "clamped" else scale
    pairs = torch.arange(width // 2, dtype=torch.float64, device=x.device)
    if table == "channels":  # a frequency for each channel, as if each were half a pair
        pairs = torch.arange(width, dtype=torch.float64, device=x.device) / 2
    frequency = SCHEDULES[schedule](pairs, width, base, scale)
    along = torch.arange(x.shape[2 if axis == "seq" else 1], dtype=torch.float64, device=x.device)
    position = PLACES[places](along, scale, len(along))[:, None]
    large = schedule == "growing"  # as an answer rounds them
    angles = (position.float() * frequency.float()).double() if large else position * frequency
    angles = angles * sign if axis == "seq" else (angles * sign)[:, None]
    a, b = _split(x.double(), layout)
    if table:
        one, two = _split(angles if table == "channels" else angles.repeat_interleave(2, -1), layout)
        return _joined(a * one.cos() - b * one.sin(), b * two.cos() + a * two.sin(), layout)
    return _joined(*_turned(a, b, angles, how), writes or layout) * GAINS[gain](scale)


def _split(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    if layout == "adjacent":
        return x[..., 0::2], x[..., 1::2]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def _joined(a: Tensor, b: Tensor, layout: str) -> Tensor:
    if layout == "adjacent":
        return torch.stack([a, b], -1).flatten(-2)
    return torch.cat([b, a] if layout == "exchanged" else [a, b], -1)


def _turned(a: Tensor, b: Tensor, angles: Tensor, how: str) -> tuple[Tensor, Tensor]:
    if how == "turn":
        turned = torch.complex(a, b) * torch.polar(torch.ones_like(angles), angles)
        return turned.real, turned.imag
    c, s = angles.cos(), angles.sin()
    match how:
        case "minus missing":
            return a * c + b * s, b * c + a * s
        case "sine for cosine":
            return a * s - b * c, b * s + a * c
        case "first overwritten":
            a = a * c - b * s
            return a, b * c + a * s
    return a * c, b * c


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`, whatever the scale."""
    for size, scale in (((1, 2, 5, 4), 1.0), ((2, 3, 4, 6), 2.0), ((2, 3, 1, 6), 7.5)):
        x = draw.normal(*size)
        yield call(x, scale, like=x)


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """No pair (i, i + head_dim/2) changes its length: positions are scaled, vectors are not."""
    x = draw.normal(2, 2, 7, 8)
    y = yield call(x, 3.0, like=x)
    before, after = (t.double().unflatten(-1, (2, -1)).norm(dim=-2) for t in (x, y))
    if at := apart(after, before, 1e-5 * before):
        b, h, p, i = at
        raise Failed(f"pair {i} of token {p} was {before[b, h, p, i]:.6g} long and is {after[b, h, p, i]:.6g}")


@check(points=1, explains=True)
def position_zero(draw: Draw) -> Checking:
    """Position 0 stays position 0: the first token is not turned."""
    x = draw.normal(2, 3, 4, 6)
    y = yield call(x, 2.5, like=x)
    if at := apart(y[:, :, 0], x[:, :, 0], 1e-6):
        b, h, i = at
        raise Failed(f"channel {i} of head {h} was {x[b, h, 0, i]:.6g} at position 0 and is {y[b, h, 0, i]:.6g}")


@check(points=1, explains=True)
def every_second(draw: Draw) -> Checking:
    """With scale 2 the tokens at even indices are turned like an unscaled text at 0, 1, 2, …."""
    x = draw.normal(1, 2, 6, 8)
    plain = yield call(x, 1.0, like=x)
    spread = x.repeat_interleave(2, dim=2)  # token p stands at the indices 2p and 2p + 1
    scaled = yield call(spread, 2.0, like=spread)
    if at := apart(scaled[:, :, ::2], plain, 1e-4):
        p = at[2]
        raise Failed(f"a vector at index {2 * p} with scale 2 comes out unlike the same vector at {p} with scale 1")


@check(points=1, explains=True)
def no_two_alike(draw: Draw) -> Checking:
    """Tokens between two whole positions are told apart: each step turns by as much as any other."""
    x = draw.normal(1, 1, 1, 8).expand(1, 1, 13, 8).clone()
    y = yield call(x, 4.0, like=x)
    if at := first_true((y[:, :, 1:] - y[:, :, :-1]).abs().amax(-1)[0, 0] < 1e-4 * float(x.norm())):
        p = at[0]
        raise Failed(f"equal vectors at the indices {p} and {p + 1} come out equal: they share one position")


@check(points=1, explains=True)
def input_untouched(draw: Draw) -> Checking:
    """`x` keeps its values: the result is a new tensor."""
    x = draw.normal(2, 2, 5, 4)
    yield from inputs_kept(call(x, 3.0, like=x), "x")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right for sizes that all differ, and for whole scales."""
    for size, scale in (((2, 5, 3, 6), 2.0), ((2, 3, 7, 4), 4.0), ((3, 1, 6, 8), 8.0), ((1, 3, 33, 10), 2.0)):
        yield call(draw.normal(*size), scale, want=reference)


@check(points=2)
def fractional_scales(draw: Draw) -> Checking:
    """`scale` need not be whole."""
    for scale in (1.5, 2.75, 1.001, 3.2, 1000 / 3):
        yield call(draw.normal(1, 2, 20, 8), scale, want=reference)


@check(points=1)
def scale_as_an_int(draw: Draw) -> Checking:
    """`scale` may be an int."""
    for scale in (2, 3, 1):
        yield call(draw.normal(2, 3, 9, 6), scale, want=reference)


@check(points=2)
def scale_one(draw: Draw) -> Checking:
    """With scale 1 nothing is scaled: positions are 0, 1, 2, …."""
    for size in ((2, 5, 3, 6), (1, 2, 40, 8)):
        yield call(draw.normal(*size), 1.0, want=reference)


@check(points=1)
def all_sizes_equal(draw: Draw) -> Checking:
    """Positions run along seq, also when any axis would fit."""
    for n, scale in ((4, 2.0), (6, 3.0)):
        yield call(draw.normal(n, n, n, n), scale, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, below 1, not whole, or an int."""
    for base in (3.5, 500000.0, 12345.5, 100, 0.5):
        yield call(draw.normal(1, 2, 9, 8), 2.5, base=base, want=reference)


@check(points=1)
def head_dims(draw: Draw) -> Checking:
    """Any even `head_dim` will do, from 2 on."""
    for head_dim in (6, 2, 16, 64):
        yield call(draw.normal(2, 3, 5, head_dim), 3.0, want=reference)


@check(points=1)
def many_lengths(draw: Draw) -> Checking:
    """Every length gets as many positions as it has tokens, whatever scale does to them."""
    for seq, scale in ((3, 2.0), (7, 3.0), (5, 1.1), (11, 4.9), (17, 10.0), (25, 4.9), (49, 49.0), (43, 1.7)):
        yield call(draw.normal(1, 1, seq, 4), scale, want=reference)


@check(points=1)
def edges(draw: Draw) -> Checking:
    """One token, no token and an empty batch are fine."""
    for size in ((2, 3, 4, 6), (2, 3, 1, 6), (2, 3, 0, 6), (0, 3, 4, 6)):
        yield call(draw.normal(*size), 2.0, want=reference)


@check(points=1)
def long_texts(draw: Draw) -> Checking:
    """A text far beyond the trained length is as exact as float32 angles can be."""
    yield call(draw.normal(1, 1, 9, 4), 8.0, want=reference)
    for seq, scale in ((700, 2.5), (9000, 8.0)):
        yield call(draw.normal(1, 1, 1, 4).expand(1, 1, seq, 4), scale, want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` may be a transposed, sliced or expanded view."""
    yield call(draw.normal(2, 3, 5, 8), 2.0, want=reference)
    yield call(draw.normal(2, 5, 3, 8).transpose(1, 2), 2.0, want=reference)
    yield call(draw.normal(2, 3, 8, 5).transpose(2, 3), 2.0, want=reference)
    yield call(draw.normal(2, 3, 10, 17)[:, :, 1::2, 1::2], 2.0, want=reference)
    yield call(draw.normal(2, 1, 5, 8).expand(2, 3, 5, 8), 2.0, want=reference)


@check(points=2)
def another_call_later(draw: Draw) -> Checking:
    """What a call does depends on its arguments alone: not on the scales, lengths and bases of earlier ones."""
    for seq, scale, base in (
        (4, 1.0, 10000.0),
        (4, 2.0, 10000.0),
        (9, 2.0, 10000.0),
        (9, 2.0, 50.0),
        (9, 3.5, 50.0),
        (4, 1.0, 10000.0),
    ):
        yield call(draw.normal(1, 2, seq, 6), scale, base=base, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """The gradient flows back to `x`, and is right."""
    for size, scale in (((2, 3, 4, 6), 2.0), ((1, 2, 9, 8), 3.5)):
        yield call(draw.normal(*size), scale, cotangent=draw.normal(*size), want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def scale_below_one(draw: Draw) -> Checking:
    """A `scale` below 1 raises ValueError."""
    yield call(draw.normal(1, 2, 4, 6), 1.0, want=reference)
    for scale in (0.5, 0.99, 0.0, -2.0):
        yield call(draw.normal(1, 2, 4, 6), scale, raises=ValueError)


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 6), 2.0, want=reference)
    for head_dim in (7, 1, 3):
        yield call(draw.normal(1, 2, 4, head_dim), 2.0, raises=ValueError)


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(1, 2, 5, 8, dtype=dtype)
        yield call(x, 2.0, like=x)


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """With bfloat16 and float16 the angles are as exact as in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        for seq, scale in ((9, 2.0), (700, 3.5)):
            yield call(draw.normal(1, 2, seq, 16, dtype=dtype), scale, want=reference)


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` is turned with float64's accuracy."""
    for seq, scale in ((5, 3.0), (300, 1.7)):
        asked = call(draw.normal(1, 2, seq, 16, dtype=torch.float64), scale, want=reference)
        yield from exact_in_float64(asked, close)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle."""
    yield call(draw.normal(1, 2, 5, 8), 2.0, want=reference)
    yield from settings_ignored(call(draw.normal(1, 2, 60, 8), 3.0, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(draw.normal(1, 2, 5, 8), 2.0, want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x = draw.normal(1, 2, 5, 8)
    yield from on_one_device(draw, call(x, 2.0, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(draw.normal(2, 2, 4, 6), scale=2.0, want=reference)
    yield call(draw.normal(3, 2, 2, 4, 6), scale=2.0, want=reference, under="vmap")


@check(craft=True)
def training_after_inference(draw: Draw) -> Checking:
    """A call in inference mode leaves nothing behind that a later backward pass can't use."""
    yield call(draw.normal(1, 2, 9, 8), 2.0, want=reference, under="inference_mode")
    yield call(draw.normal(1, 2, 9, 8), 2.0, cotangent=draw.normal(1, 2, 9, 8), want=reference)


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(draw.normal(2, 2, n, 8), 2.0, want=reference) for n in (8, 24)}
    yield from no_loop_over("positions", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    # what is done with the scale
    mistake(
        "positions_multiplied",
        "Positions are multiplied by `scale`: the text is stretched, and its end lies even further outside of what the "
        "model knows. Tokens must move closer together.",
        places="p·s",
    ),
    mistake(
        "positions_made_whole",
        "The quotient is cut down to a whole number (//, floor, .long()), so several neighbours share one position and "
        "can't be told apart. Position 17.25 is meant as such: keep the fractions.",
        places="⌊p/s⌋",
    ),
    mistake(
        "positions_rounded",
        "The quotient is rounded to the nearest whole number, so neighbours share one position. Keep the fractions.",
        places="round",
    ),
    mistake(
        "positions_rounded_up",
        "The quotient is rounded up to a whole number, so neighbours share one position. Keep the fractions.",
        places="⌈p/s⌉",
    ),
    mistake(
        "aligned_by_the_middle",
        "Positions are (p + ½)/scale − ½, as images are resized, where a pixel has a middle. Tokens are points: index "
        "0 stands at 0, and index p at p/scale.",
        places="half a step",
    ),
    mistake(
        "scale_ignored",
        "`scale` changes nothing: these are the unscaled angles of problem 29. Each index must be divided by it, in a "
        "short text as in a long one.",
        places="p",
    ),
    mistake(
        "scaled_twice",
        "Positions are divided by `scale` twice, or positions and frequencies once each. Since the angle is their "
        "product, one of the two is enough.",
        places="p/s²",
    ),
    mistake(
        "root_of_the_scale",
        "Positions are divided by the square root of `scale`. The trained length must hold all of the new one, so it "
        "is `scale` itself.",
        places="p/√s",
    ),
    mistake(
        "scale_made_whole",
        "`scale` is cut to a whole number before it divides: 2.75 becomes 2. Any number from 1 on is allowed.",
        places="p/⌊s⌋",
    ),
    mistake(
        "base_multiplied_by_the_scale",
        "`scale` multiplies `base`, and positions stay as they are. That slows down the last pairs only, and the first "
        "not at all (NTK-aware scaling goes that way). Here every pair is slowed down alike.",
        places="p",
        schedule="b·s",
    ),
    mistake(
        "base_scaled_as_well",
        "Positions are divided by `scale`, and `base` is multiplied by it besides, so later pairs are slowed down "
        "twice. `base` stays as it is.",
        schedule="b·s",
    ),
    mistake(
        "base_divided_by_the_scale",
        "`scale` divides `base`, which makes the later pairs *faster*, and positions stay as they are. It is the "
        "positions that are divided.",
        places="p",
        schedule="b/s",
    ),
    mistake(
        "ntk_aware_instead",
        "This is NTK-aware scaling: the base is multiplied by scale^(head_dim/(head_dim − 2)), which leaves pair 0 "
        "as it is. Position interpolation slows down all pairs alike, pair 0 included.",
        places="p",
        schedule="ntk",
    ),
    mistake(
        "exponent_divided_by_the_scale",
        "`scale` has got into the exponent: base^(−2i/(head_dim·scale)). That changes the ratios between pairs and "
        "leaves pair 0 unscaled. It divides the angle, outside of the power.",
        places="p",
        schedule="2i/ds",
    ),
    mistake(
        "first_pair_not_slowed",
        "Every pair but the first is slowed down. Pair 0 has the frequency 1 before scaling and 1/scale after it.",
        schedule="but the first",
    ),
    mistake(
        "vectors_divided",
        "The vectors are divided by `scale` instead of the positions: they come back shorter, at the old angles. "
        "(Cosines and sines divided by it do the same.) Rotation keeps every length.",
        places="p",
        gain="1/s",
    ),
    mistake(
        "vectors_divided_as_well",
        "The positions are right, but the vectors are divided by `scale` besides. Rotation keeps every length.",
        gain="1/s",
    ),
    mistake(
        "vectors_multiplied_as_well",
        "The positions are right, but the vectors are multiplied by `scale` besides. Rotation keeps every length.",
        gain="s",
    ),
    mistake(
        "attention_factor_of_yarn",
        "The vectors are multiplied by 0.1·ln(scale) + 1. That factor belongs to YaRN (problem 37); position "
        "interpolation keeps every length.",
        gain="yarn",
    ),
    mistake(
        "spread_to_the_very_end",
        "The positions are spread evenly from 0 up to and *including* seq/scale, as linspace does, so a step is a "
        "little too long and depends on seq. The last token stands at (seq − 1)/scale.",
        places="to the end",
    ),
    mistake(
        "only_the_later_positions_scaled",
        "Only indices beyond the trained length are divided by `scale`; those before it stay. So a later token lands "
        "on top of an earlier one. All indices are divided.",
        places="beyond only",
    ),
    mistake(
        "wrapped_at_the_trained_length",
        "Positions start anew from 0 where the trained length ends (seq/scale). Then tokens far apart share a "
        "position. They must move closer together instead.",
        places="p mod",
    ),
    mistake(
        "divided_by_the_trained_length",
        "Indices are divided by seq/scale, the trained length, so that they lie between 0 and `scale`. They are "
        "divided by `scale` and lie between 0 and seq/scale.",
        places="p·s/n",
    ),
    mistake(
        "positions_as_share_of_seq",
        "Indices are divided by seq, so positions lie between 0 and 1 and depend on how long the text is. They are "
        "divided by `scale`.",
        places="p/n",
    ),
    mistake(
        "scaled_part_subtracted",
        "From each index its scaled value is subtracted, p − p/scale. The scaled value itself is the position.",
        places="p - p/s",
    ),
    mistake(
        "scale_subtracted",
        "`scale` is subtracted from the indices: the text is moved, not made denser. Divide.",
        places="p - s",
    ),
    # positions
    mistake(
        "positions_from_one",
        "Positions count from 1, so the first token is turned already. Index 0 stands at 0 whatever the scale.",
        places="(p+1)/s",
    ),
    mistake(
        "positions_centred",
        "Positions count from the middle of the text. They count from its first token.",
        places="centred",
    ),
    mistake(
        "positions_in_bfloat16",
        "Positions were rounded to bfloat16 after the division: with 8 bits only halves are known from 64 on, and "
        "nothing finer than whole numbers from 128 on. Keep them in float32.",
        places="bf16",
    ),
    mistake(
        "positions_along_heads",
        "Positions run along the heads: all tokens of a head share one angle. The axes are (batch, heads, seq, "
        "head_dim).",
        axis="heads",
    ),
    # the rotation
    mistake(
        "turned_backwards",
        "Every pair turns the wrong way, clockwise. The minus belongs to the half that is written first.",
        sign=-1,
    ),
    mistake(
        "minus_missing",
        "The minus is lost: both halves add up (a·cos + b·sin, b·cos + a·sin). A quarter turn takes (a, b) to (−b, a).",
        how="minus missing",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "Sine and cosine have changed places, so position 0 is already turned by a right angle.",
        how="sine for cosine",
    ),
    mistake(
        "first_half_overwritten",
        "The second half is computed from the first half as it is *after* turning. Both new halves need both old ones.",
        how="first overwritten",
    ),
    mistake(
        "only_cosine",
        "x is multiplied by the cosines and that is all. Each member of a pair also receives its partner, times the "
        "sine.",
        how="cosine alone",
    ),
    mistake(
        "interleaved",
        "Neighbouring channels are paired: 0 with 1, 2 with 3. Here channel i belongs with channel i + head_dim/2, as "
        "in problem 29.",
        layout="adjacent",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "The right numbers are stored in another order: the two results of each pair stand side by side. First all "
        "first members, then all second ones.",
        writes="adjacent",
    ),
    mistake(
        "halves_exchanged_in_result",
        "The right numbers come back in the wrong halves: the second members of all pairs stand first. The first "
        "token, which is not turned, shows it.",
        writes="exchanged",
    ),
    mistake(
        "angles_repeated_for_neighbours",
        "Each angle is laid out twice in a row (repeat_interleave), while partners are half the width apart: the two "
        "members of a pair meet different angles. Here the whole row of angles is followed by a copy of itself.",
        table="repeated",
    ),
    mistake(
        "frequency_for_each_channel",
        "Every channel has a frequency of its own, so the two members of a pair are turned by different angles. There "
        "are head_dim/2 frequencies, and channels i and i + head_dim/2 share one.",
        table="channels",
    ),
    mistake(
        "exponent_lacks_the_two",
        "The exponent is i/head_dim; the 2 is lost. Pair i owns two channels, hence −2i/head_dim.",
        schedule="i/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should. Either a 2 stands above (2i/head_dim) or a half below, not "
        "both.",
        schedule="4i/d",
    ),
    mistake(
        "exponent_positive",
        "Frequencies grow from pair to pair: the exponent has lost its minus. They fall from 1 to almost 1/base.",
        schedule="growing",
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs turn alike. Each has a frequency of its own.",
        schedule="one",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number: 3.5 becomes 3. Any positive number is allowed.",
        schedule="whole",
    ),
    mistake("base_ignored", "`base` is not used: 10000 stands in its place.", schedule="10000"),
    # what is refused
    mistake(
        "scale_below_one_accepted",
        "A `scale` below 1 is taken as it comes, and stretches the text (or divides by zero). The caller has made a "
        "mistake, perhaps the inverse was meant: raise ValueError.",
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


def tables(
    x: Tensor, scale: float, base: float, seq: int, dtype: torch.dtype | None = None, start: int = 0
) -> tuple[Tensor, Tensor]:
    """Cosines and sines, each (seq, head_dim/2), as an answer makes them."""
    dtype = dtype or torch.promote_types(x.dtype, torch.float32)
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, dtype=dtype, device=x.device) / max(half, 1))
    angle = (torch.arange(start, start + seq, dtype=dtype, device=x.device) / scale)[:, None] * frequency
    return angle.cos(), angle.sin()


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Halves turned, in whatever dtype comes of it."""
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


def valid(x: Tensor, scale: float) -> None:
    """What every answer refuses."""
    if x.shape[-1] % 2 or not scale >= 1:
        raise ValueError("head_dim must be even, scale at least 1")


def right_answer(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """What an answer does."""
    valid(x, scale)
    return turn(x, *tables(x, scale, base, x.shape[-2])).to(x.dtype)


def turned_at(x: Tensor, places: Tensor, base: float) -> Tensor:
    """x turned at positions that need not be as many as there are tokens."""
    half, dtype = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=dtype, device=x.device) / half)
    angle = places.to(dtype)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "The positions are made by a range with steps of 1/scale. How many numbers such a range gives hangs on rounding: "
    "for some lengths it is one too many. Make whole numbers, as many as there are tokens, and divide them."
)
def range_in_fractional_steps(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """arange(0, seq/scale, 1/scale)."""
    valid(x, scale)
    dtype = torch.promote_types(x.dtype, torch.float32)
    return turned_at(x, torch.arange(0, x.shape[-2] / scale, 1 / scale, dtype=dtype, device=x.device), base)


@wrong(
    "There are only as many positions as the trained length holds, seq/scale, and they don't fit the tokens. There is "
    "one position for each token; only their distance shrinks."
)
def as_many_positions_as_were_trained(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """arange(seq/scale)."""
    valid(x, scale)
    return turned_at(x, torch.arange(int(x.shape[-2] / scale), device=x.device), base)


@wrong(
    "Cosines and sines are made for whole positions and then interpolated linearly in between. A point on the chord "
    "between two points of a circle lies inside of it: lengths shrink. Interpolate the *positions*, and take cosine "
    "and sine of what comes of it."
)
def tables_interpolated(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """A weighted mean of the rows on both sides."""
    valid(x, scale)
    cos, sin = tables(x, 1.0, base, x.shape[-2] + 2)
    places = torch.arange(x.shape[-2], dtype=cos.dtype, device=x.device) / scale
    low, part = places.long(), places.frac()[:, None]
    return turn(x, torch.lerp(cos[low], cos[low + 1], part), torch.lerp(sin[low], sin[low + 1], part)).to(x.dtype)


@wrong("A `scale` of 1 is refused, but it is allowed: then nothing is scaled. Only what is below 1 is wrong.")
def scale_one_refused(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """<= instead of <."""
    if scale <= 1:
        raise ValueError("scale must be larger than 1")
    return right_answer(x, scale, base)


@wrong(
    "A table made for an earlier call is used again although `scale` has changed since. Everything that a table "
    "depends on belongs into the key of its cache.",
    fresh=True,
)
def kept_table_ignores_the_scale() -> Answer:
    """A cache without the scale in its key."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
        valid(x, scale)
        key = (*x.shape[-2:], base, x.dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = tables(x, scale, base, x.shape[-2])
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "A table made for an earlier call is used again although `base` has changed since. Everything that a table depends "
    "on belongs into the key of its cache.",
    fresh=True,
)
def kept_table_ignores_the_base() -> Answer:
    """A cache without the base in its key."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
        valid(x, scale)
        key = (*x.shape[-2:], scale, x.dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = tables(x, scale, base, x.shape[-2])
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "The turned values are written into `x` itself, which its owner still needs. Make a new tensor: no *=, no += and "
    "no assignment to slices of x."
)
def written_into_x(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Stored in x."""
    turned = right_answer(x, scale, base)
    with torch.no_grad():
        x.copy_(turned.detach())
    return turned


@wrong("No gradient reaches `x`: detach, .data, torch.no_grad or a new tensor made of numbers has cut the result off.")
def graph_cut(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Detached."""
    return right_answer(x, scale, base).detach()


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out: float32 tables times a bfloat16 x give float32. Cast the result to "
    "the dtype of x.",
    craft=True,
)
def half_comes_back_as_float32(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """No cast at the end."""
    valid(x, scale)
    return turn(x, *tables(x, scale, base, x.shape[-2]))


@wrong(
    "With half precision everything is computed in the dtype of x: positions, frequencies and angles are all rounded. "
    "Make the table in float32 and cast the result.",
    craft=True,
)
def half_all_the_way(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Tables in x.dtype."""
    valid(x, scale)
    half, dtype = x.shape[-1] // 2, x.dtype
    frequency = 1.0 / (base ** (torch.arange(half, dtype=dtype, device=x.device) / half))
    angle = (torch.arange(x.shape[-2], device=x.device).to(dtype) / scale)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin())


@wrong(
    "With half precision the positions are cast to the dtype of x. Between whole numbers bfloat16 has hardly any "
    "digits left, and float16 few. Keep positions in float32.",
    craft=True,
)
def half_positions(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Positions in x.dtype."""
    valid(x, scale)
    wide = torch.promote_types(x.dtype, torch.float32)
    places = torch.arange(x.shape[-2], dtype=wide, device=x.device) / scale
    return turned_at(x, places.to(x.dtype), base)


@wrong(
    "For a float64 x the angles are computed in float32: the result says float64 and is right to seven digits at best. "
    "Let the dtype of the angles follow x, with float32 as the least.",
    craft=True,
)
def float64_with_float32_angles(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """float32 tables."""
    valid(x, scale)
    return turn(x, *tables(x, scale, base, x.shape[-2], torch.float32)).to(x.dtype)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that sets "
    "it to bfloat16 rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_frequencies(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """arange / number, without a dtype."""
    valid(x, scale)
    wide = torch.promote_types(x.dtype, torch.float32)
    frequency = 1.0 / base ** (torch.arange(0, x.shape[-1], 2, device=x.device) / x.shape[-1])
    angle = (torch.arange(x.shape[-2], dtype=wide, device=x.device) / scale)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "The positions take torch's default dtype (an integer arange divided by a number does), so a program that sets it "
    "to bfloat16 rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_positions(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """arange / scale, without a dtype."""
    valid(x, scale)
    return turned_at(x, torch.arange(x.shape[-2], device=x.device) / scale, base)


@wrong(
    "Positions *and* frequencies take torch's default dtype (an integer arange divided by a number does), so a program "
    "that sets it to bfloat16 rounds both. Name the dtype.",
    craft=True,
)
def default_dtype_everywhere(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """No dtype anywhere."""
    valid(x, scale)
    frequency = 1.0 / base ** (torch.arange(0, x.shape[-1], 2, device=x.device) / x.shape[-1])
    angle = torch.outer(torch.arange(x.shape[-2], device=x.device) / scale, frequency)
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Under autocast the angles are rounded to bfloat16: they are made by a matrix product (@, matmul), which autocast "
    "lowers. Multiply by broadcasting.",
    craft=True,
)
def angles_by_matmul(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Positions @ frequencies."""
    valid(x, scale)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angle = (torch.arange(x.shape[-2], dtype=wide, device=x.device) / scale)[:, None] @ frequency[None]
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(x, scale, base)


@wrong(
    "Tensors are made without saying where, on the CPU: on a GPU the product with x raises. Pass the device of x to "
    "every factory.",
    craft=True,
)
def made_without_device(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """arange without a device."""
    valid(x, scale)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide) / half)
    angle = (torch.arange(x.shape[-2], dtype=wide) / scale)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "A table made in inference mode is kept and used in training later, where backward refuses it. Make what is kept "
    "outside of inference mode, or don't keep it.",
    craft=True,
    fresh=True,
)
def kept_table_from_inference() -> Answer:
    """A cache filled in whatever mode the caller is."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
        valid(x, scale)
        key = (*x.shape[-2:], scale, base, x.dtype, x.device)
        if key not in kept:
            kept[key] = tables(x, scale, base, x.shape[-2])
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "An odd head_dim is not refused: it runs into a size mismatch somewhere inside (or, for 1, returns an empty "
    "tensor). Raise ValueError first.",
    craft=True,
)
def odd_not_refused(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Whatever happens with an odd width."""
    if not scale >= 1:
        raise ValueError("scale")
    return turn(x, *tables(x, scale, base, x.shape[-2])).to(x.dtype)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """assert instead of raise."""
    assert x.shape[-1] % 2 == 0
    assert scale >= 1
    return right_answer(x, scale, base)


@wrong(
    "The result is written into a tensor made from x.shape alone. Under vmap x stands for many tensors and that one "
    "for a single one. empty_like is mapped along; cat needs no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """empty(shape) filled by slices."""
    half = x.shape[-1] // 2
    turned = right_answer(x, scale, base)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    out[..., :half], out[..., half:] = turned[..., :half], turned[..., half:]
    return out


@wrong("The result is right, but a Python loop runs over the positions. All angles can be made at once.", craft=True)
def loop_over_positions(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """One token after the other, where few enough to be quick."""
    valid(x, scale)
    if not 0 < x.shape[-2] <= 64:
        return right_answer(x, scale, base)
    rows = [turn(x[..., p : p + 1, :], *tables(x, scale, base, 1, start=p)) for p in range(x.shape[-2])]
    return torch.cat(rows, -2).to(x.dtype)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_slower_frequencies(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """Whole positions and frequencies divided by scale, as libraries write it."""
    valid(x, scale)
    dtype = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, x.shape[-1], 2, dtype=dtype, device=x.device) / x.shape[-1]
    frequency = 1.0 / (base**exponent) / scale
    angle = torch.outer(torch.arange(x.shape[-2], dtype=dtype, device=x.device), frequency)
    both = torch.cat([angle, angle], -1)
    first, second = x.chunk(2, -1)
    return (x * both.cos() + torch.cat([-second, first], -1) * both.sin()).to(x.dtype)


@accepted
def by_complex_numbers(x: Tensor, scale: float, base: float = 10000.0) -> Tensor:
    """A product of complex numbers."""
    valid(x, scale)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    half = x.shape[-1] // 2
    frequency = torch.exp(torch.arange(half, dtype=wide.dtype, device=x.device) * (-math.log(base) / half))
    angle = torch.arange(x.shape[-2], dtype=wide.dtype, device=x.device)[:, None] * frequency / scale
    turned = torch.complex(*wide.chunk(2, -1)) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint("Write down the positions of six tokens with scale 2. Which line of problem 29 has to change?"),
    hint(
        "The angle is position times frequency. Dividing either by scale divides the angle; dividing anything else "
        "does something else."
    ),
    hint(
        "Test yourself: with scale 1 the result is that of problem 29, and with scale 2 the token at index 4 is turned "
        "like the token at index 2 of an unscaled text."
    ),
    hint(
        "Print your positions for seq 6 and scale 2. They should be 0, 0.5, 1, 1.5, 2, 2.5. What are they, and of "
        "which dtype?",
        "positions_multiplied",
        "scale_subtracted",
        "positions_made_whole",
        "positions_rounded",
        "positions_rounded_up",
        "aligned_by_the_middle",
        "scaled_twice",
        "root_of_the_scale",
        "spread_to_the_very_end",
        "divided_by_the_trained_length",
        "positions_from_one",
        "only_the_later_positions_scaled",
        "wrapped_at_the_trained_length",
        "range_in_fractional_steps",
        "as_many_positions_as_were_trained",
    ),
    hint(
        "By how much does pair 0 turn from one token to the next with scale 2? Half a radian is right. And what are "
        "the ratios between the pairs' speeds, with and without scaling?",
        "base_multiplied_by_the_scale",
        "base_scaled_as_well",
        "base_divided_by_the_scale",
        "ntk_aware_instead",
        "exponent_divided_by_the_scale",
        "first_pair_not_slowed",
        "scale_ignored",
    ),
    hint(
        "Compare the norm of a vector before and after. What in a rotation could change it?",
        "tables_interpolated",
        "vectors_divided",
        "vectors_divided_as_well",
        "vectors_multiplied_as_well",
        "attention_factor_of_yarn",
        "minus_missing",
        "only_cosine",
        "first_half_overwritten",
        "angles_repeated_for_neighbours",
        "frequency_for_each_channel",
    ),
]

QUIZ = [
    question(
        "A model was trained on 4096 tokens and is to read 32768. Which scale, and where does the last token stand?",
        right("8, at 4095.875", "32768/4096 = 8, and (32768 − 1)/8 = 4095.875: just inside the trained range."),
        wrong_choice("8, at 32767", "That is where it stands without interpolation, far outside."),
        wrong_choice("1/8, at 4095.875", "A factor of 1/8 is meant, but scale divides: it is 8."),
        wrong_choice("8, at 262136", "That multiplies instead of dividing."),
    ),
    question(
        "Why must p/scale not be rounded to a whole number?",
        right(
            "Neighbours would share a position, and their order would be lost",
            "With scale 8 eight tokens in a row would be turned alike; scores could not tell them apart.",
        ),
        wrong_choice(
            "Because cosines need floating numbers", "Whole numbers can be cast; the information is what lacks."
        ),
        wrong_choice("It may be: the model was trained on whole positions", "It was, but eight tokens on one of them?"),
        wrong_choice("Because gradients don't pass through rounding", "Positions need no gradient."),
    ),
    question(
        "Which of these equals dividing all positions by scale?",
        right("Dividing all frequencies by scale", "The angle is position times frequency."),
        wrong_choice("Multiplying base by scale", "That leaves pair 0 as it is and slows down later pairs unevenly."),
        wrong_choice("Dividing queries and keys by scale", "That shrinks scores and leaves the angles."),
        wrong_choice("Dividing the exponent by scale", "That brings the frequencies closer to 1."),
    ),
    question(
        "What does position interpolation cost?",
        right(
            "Resolution: one step turns every pair by less, so neighbours look more alike",
            "Fine-tuning teaches the model to read the finer steps. Short texts become harder, too.",
        ),
        wrong_choice("More memory for larger tables", "A longer text has a longer table with or without it."),
        wrong_choice("Scores are no longer relative", "They still depend on the distance, divided by scale."),
        wrong_choice(
            "Nothing, it can be switched on at any time", "Untuned, models read worse with it at short lengths."
        ),
    ),
    question(
        "Keys were cached with scale 1, and scale is now set to 2 because the text grew. What about the cache?",
        right(
            "It has to be turned anew: the cached keys stand at other positions than the new queries assume",
            "Either keys are cached before they are turned, or the scale is fixed for a text.",
        ),
        wrong_choice("It stays valid, since scores are relative", "Only within one scale; here p and p/2 are mixed."),
        wrong_choice("It stays valid if it is divided by 2", "Dividing vectors does not change their angles."),
        wrong_choice("Only the values have to be turned anew", "Values are never turned."),
    ),
]
