"""How apply_rotary_pos_emb is graded: a product of complex numbers in float64 is the reference."""

SECTION = "Positions"
LEVEL = 2
AFTER = (6, 28)
VERSION = 2
FORBIDS = ()
LIMITS = {"cpu_seconds": 8}

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
    question,
    right,
    wrong,
    wrong_choice,
)

UNIT = {torch.float32: 2.0**-24, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
STANDARD = float("10000")  # the base of a call that gives none: told apart by being this very object
AXES = ["position", "pair"]  # what an error map of turned pairs has along its last two axes
HALVES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def close(want: Tensor, dtype: torch.dtype) -> Tensor:
    """How far an answer may be off: the pair's length times what rounding its angle in float32 costs, per position.

    An angle p·f that was rounded in float32 is off by about p·2⁻²⁴; 2⁻²¹ leaves room for every sound way to write it.
    To that come a few roundings of the result itself.
    """
    size = want.detach().abs().double()
    if want.dim() == 0:
        return size * 1e-6
    step, rest = (2.0**-50, 4 * 2.0**-53) if dtype == torch.float64 else (2.0**-21, 4 * UNIT.get(dtype, 2.0**-24))
    length = size.norm(dim=-1, keepdim=True)
    if want.shape[-1] % 2 == 0 and want.shape[-1]:
        first, second = size.chunk(2, dim=-1)
        length = torch.hypot(first, second).repeat(*(1 for _ in want.shape[:-1]), 2)  # that of each pair
    if want.dim() < 2:
        return length * (step + rest)
    positions = torch.arange(want.shape[-2], dtype=torch.float64)[:, None]
    return length * (step * (1 + positions) + rest)


def as_float32(want: Tensor, dtype: torch.dtype) -> Tensor:
    """The tolerance of float32, whatever the dtype."""
    return close(want, torch.float32)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Schedule = Callable[[Tensor, int, int, float], Tensor]  # (pair, head_dim, heads, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2i/d": lambda i, d, h, b: b ** (-2 * i / d),
    "i/d": lambda i, d, h, b: b ** (-i / d),
    "4i/d": lambda i, d, h, b: b ** (-4 * i / d),
    "2i": lambda i, d, h, b: b ** (-2 * i),
    "2(i-1)/d": lambda i, d, h, b: b ** (-2 * (i - 1) / d),
    "2(i+1)/d": lambda i, d, h, b: b ** (-2 * (i + 1) / d),
    "(2i+1)/d": lambda i, d, h, b: b ** (-(2 * i + 1) / d),
    "i/(half-1)": lambda i, d, h, b: b ** (-i / (d // 2 - 1)),
    "floor(-2i/d)": lambda i, d, h, b: b ** torch.floor(-2 * i / d),
    "reversed": lambda i, d, h, b: (b ** (-2 * i / d)).flip(0),
    "none": lambda i, d, h, b: torch.ones_like(i),
    "slowest": lambda i, d, h, b: torch.full_like(i, b ** (2 / d - 1)),
    "growing": lambda i, d, h, b: (b ** (2 * i.float() / d)).double(),
    "model width": lambda i, d, h, b: b ** (-2 * i / (h * d)),
    "outside the power": lambda i, d, h, b: d / b ** (2 * i),
    "after the power": lambda i, d, h, b: b ** (-2 * i) / d,
    "half outside the power": lambda i, d, h, b: (d // 2) / b**i,
    "half after the power": lambda i, d, h, b: b**-i / (d // 2),
    "exp": lambda i, d, h, b: torch.exp(-2 * i / d),
    "log10": lambda i, d, h, b: torch.exp(-2 * i / d * math.log10(b)),
    "log2": lambda i, d, h, b: torch.exp(-2 * i / d * math.log2(b)),
    "linear": lambda i, d, h, b: 1 - 2 * i / d * (1 - 1 / b),
    "linear to the last": lambda i, d, h, b: 1 - i / max(d // 2 - 1, 1) * (1 - 1 / b),
    "linear to zero": lambda i, d, h, b: 1 - 2 * i / d,
    "llama3": lambda i, d, h, b: _llama3(b ** (-2 * i / d)),
}
BASES: dict[str, Callable[[float, int, int], float]] = {
    "given": lambda b, d, s: b,
    "ignored": lambda b, d, s: 10000.0,
    "whole": lambda b, d, s: float(int(b)),
    "500000": lambda b, d, s: 500000.0 if b is STANDARD else b,
    "1000": lambda b, d, s: 1000.0 if b is STANDARD else b,
    "ntk": lambda b, d, s: b * (max(s, 2048) / 2048) ** (d / (d - 2) if d > 2 else 1),
}
COUNTS: dict[str, Callable[[Tensor, int], Tensor]] = {  # (position, how many there are) → what is taken for it
    "exact": lambda p, n: p,
    "clamped at 2047": lambda p, n: p.clamp(max=2047),
    "clamped at 4095": lambda p, n: p.clamp(max=4095),
    "modulo 2048": lambda p, n: p % 2048,
    "modulo 128": lambda p, n: p % 128,
    "int16": lambda p, n: p.to(torch.int16).double(),
    "uint8": lambda p, n: p.to(torch.uint8).double(),
    "bf16": lambda p, n: p.to(torch.bfloat16).double(),
    "fp16": lambda p, n: p.to(torch.float16).double(),
    "backwards": lambda p, n: n - 1 - p,
    "centred": lambda p, n: p - n // 2,
    "share of seq": lambda p, n: p / n,
    "from 0 to 1": lambda p, n: p / max(n - 1, 1),
    "all one": lambda p, n: torch.ones_like(p),
    "all last": lambda p, n: torch.full_like(p, n - 1),
}


def _llama3(frequency: Tensor) -> Tensor:
    """Llama 3.1's scaling: waves longer than 8192 are slowed down eightfold, those below 2048 kept, a blend between."""
    share = ((8192 * frequency / (2 * math.pi) - 1) / (4 - 1)).clamp(0, 1)
    return frequency * (share + (1 - share) / 8)


def _positions(x: Tensor, axis: str) -> Tensor:
    """The number of every vector, in a shape that broadcasts against (batch, heads, seq)."""
    b, h, s, _ = x.shape
    shape = {
        "seq": (1, 1, s),
        "heads": (1, h, 1),
        "batch": (b, 1, 1),
        "heads and seq": (1, h, s),
        "batch and seq": (b, 1, s),
        "everything": (b, h, s),
        "last": (1, 1, 1),
    }[axis]
    return torch.arange(math.prod(shape), dtype=torch.float64, device=x.device).reshape(shape)


def _angles(x: Tensor, frequency: Tensor, positions: Tensor, rounded: str, unit: float) -> Tensor:
    """(…, seq, half) of float64; what would grow large is multiplied in float32, as an answer would do it."""
    what, _, name = rounded.partition(" ")
    if what == "frequency":
        frequency = frequency.float().to(HALVES[name]).double()
    if unit != 1.0 or (frequency.numel() and float(frequency.max()) > 1.5):
        angles = (positions.float()[..., None] * frequency.float() * unit).double()
    else:
        angles = positions[..., None] * frequency
    return angles.float().to(HALVES[name]).double() if what == "angle" else angles


def _turned(a: Tensor, b: Tensor, one: Tensor, two: Tensor, how: str, cut: str) -> tuple[Tensor, Tensor]:
    """Pairs (a, b) turned by an angle that is `one` for the first member and `two` for the second."""
    if how == "turn" and one is two and not cut:
        turned = torch.complex(a, b) * torch.polar(torch.ones_like(one), one)
        return turned.real, turned.imag
    name = cut.rpartition(" ")[2]
    c1, s1, c2, s2 = (
        t.float().to(HALVES[name]).double() if cut else t for t in (one.cos(), one.sin(), two.cos(), two.sin())
    )
    match how:
        case "no minus":
            return a * c1 + b * s1, b * c2 + a * s2
        case "no swap":
            return a * c1 - a * s1, b * c2 + b * s2
        case "own sine":
            return a * c1 + a * s1, b * c2 + b * s2
        case "two minuses":
            return a * c1 - b * s1, b * c2 - a * s2
        case "sine for cosine":
            return a * s1 - b * c1, b * s2 + a * c2
        case "first overwritten":
            a = a * c1 - b * s1
            return a, b * c2 + a * s2
        case "second overwritten":
            b = b * c2 + a * s2
            return a * c1 - b * s1, b
        case "cosine alone":
            return a * c1, b * c2
        case "cosine and sine":
            return a * c1, b * s2
        case "no cosine":
            return a - b * s1, b + a * s2
        case "first alone":
            return a * c1 - b * s1, b
        case "second alone":
            return a, b * c2 + a * s2
        case "added":
            return a + s1, b + c2
        case "added, cosines first":
            return a + c1, b + s2
        case "added to itself":
            return a + a * c1 - b * s1, b + b * c2 + a * s2
    return a * c1 - b * s1, b * c2 + a * s2


def _split(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    if layout == "adjacent":
        return x[..., 0::2], x[..., 1::2]
    first, second = x.chunk(2, dim=-1) if x.shape[-1] else (x, x)
    return (first, second.flip(-1)) if layout == "mirrored" else (first, second)


def _joined(a: Tensor, b: Tensor, layout: str) -> Tensor:
    if layout == "adjacent":
        return torch.stack([a, b], -1).flatten(-2)
    a, b = (b, a) if layout == "exchanged" else (a, b)
    return torch.cat([a, b.flip(-1) if layout == "mirrored" else b], -1)


def _tables(angles: Tensor, layout: str, table: str) -> tuple[Tensor, Tensor]:
    """The angles that the first and the second members of the pairs meet."""
    if not table:
        return angles, angles
    doubled = {"cat": lambda: torch.cat([angles, angles], -1), "channels": lambda: angles}
    return _split(doubled.get(table, lambda: angles.repeat_interleave(2, -1))(), layout)


def reference(
    x: Tensor,
    base: float = STANDARD,
    *,
    layout: str = "halves",
    writes: str = "",
    table: str = "",
    how: str = "turn",
    sign: int = 1,
    keep: str = "both",
    schedule: str = "2i/d",
    basis: str = "given",
    unit: float = 1.0,
    first: int = 0,
    stride: float = 1.0,
    count: str = "exact",
    axis: str = "seq",
    rounded: str = "",
    part: str = "all",
    where: str = "all",
    gain: str = "",
) -> Tensor:
    """x as complex numbers of its two halves, times e^(i·p·f), in float64: (batch, heads, seq, head_dim)."""
    _, heads, seq, width = x.shape
    if width % 2:
        raise ValueError("head_dim must be even")
    what, _, name = rounded.partition(" ")
    wide = x.to(HALVES[name]).double() if what == "x" else x.double()
    rest = wide[..., :0]
    if part in ("first half", "first quarter"):
        width = width // (4 if part == "first half" else 8) * 2
        wide, rest = wide[..., :width], wide[..., width:]
    pairs = torch.arange(width // 2, dtype=torch.float64, device=x.device)
    if table == "channels":  # a frequency for each channel, as if each were half a pair
        pairs = torch.arange(width, dtype=torch.float64, device=x.device) / 2
    frequency = SCHEDULES[schedule](pairs, width, heads, BASES[basis](base, width, seq))
    if part == "half the pairs":
        frequency = torch.where(pairs < width // 4, frequency, 0.0)
    places = _positions(x, axis)
    places = (COUNTS[count](places, places.numel()) + first) * stride * sign
    angles = _angles(x, frequency, places, rounded, unit)
    one, two = _tables(angles, layout, table)
    a, b = _turned(*_split(wide, layout), one, two, how, rounded if rounded.startswith("table") else "")
    turned = {"both": lambda: _joined(a, b, writes or layout), "first": lambda: a, "second": lambda: b}[keep]()
    turned = torch.cat([turned, rest], -1) if rest.shape[-1] else turned
    return _gained(_placed(turned, x, where), gain)


def _placed(turned: Tensor, x: Tensor, where: str) -> Tensor:
    """The turned vectors where an answer turns them at all, x elsewhere."""
    if where == "all" or turned.shape != x.shape:
        return turned
    b, h, s, _ = x.shape
    here = torch.zeros(b, h, s, 1, dtype=torch.bool, device=x.device)
    chosen = {
        "first head": here[:, :1],
        "first row": here[:1],
        "not the last": here[:, :, :-1],
        "last": here[:, :, -1:],
        "nowhere": here[:0],
    }
    chosen[where].fill_(True)
    return torch.where(here, turned, x.double())


def _gained(turned: Tensor, gain: str) -> Tensor:
    match gain:
        case "1/√d":
            return turned / math.sqrt(turned.shape[-1])
        case "unit":
            return turned / turned.norm(dim=-1, keepdim=True)
    return turned


def pairs_of(x: Tensor) -> Tensor:
    """The pairs as complex numbers: (…, head_dim/2)."""
    first, second = x.detach().double().chunk(2, dim=-1)
    return torch.complex(first, second)


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`."""
    for size in ((1, 2, 5, 4), (2, 3, 4, 6)):
        x = draw.normal(*size)
        yield call(x, like=x)


@check(points=1, explains=True)
def position_zero(draw: Draw) -> Checking:
    """Position 0 is not turned at all: its vectors come back bit for bit."""
    x = draw.normal(2, 3, 4, 8)
    y = yield call(x, like=x)
    off = y[:, :, 0].double() != x[:, :, 0].double()
    if off.any():
        b, h, i = off.nonzero()[0].tolist()
        got, want = y[b, h, 0, i].item(), x[b, h, 0, i].item()
        text = f"position 0 of head {h} changed: channel {i} was {want:.6g} and is {got:.6g}"
        raise Failed(text + _turned_already(pairs_of(y)[b, h, 0] / pairs_of(x)[b, h, 0]))


def _turned_already(factor: Tensor) -> str:
    """By how much the pairs of position 0 are turned, where turned is what they are."""
    if not bool(((factor.abs() - 1).abs() < 1e-4).all()):
        return ""
    return f"; its pairs are turned by {', '.join(f'{angle:.4g}' for angle in factor.angle().tolist())} already"


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """No pair (i, i + head_dim/2) changes its length."""
    x = draw.normal(2, 2, 7, 8)
    y = yield call(x, like=x)
    before, after = pairs_of(x).abs(), pairs_of(y).abs()
    off = ~((after - before).abs() <= 1e-5 * before)
    if off.any():
        b, h, p, i = off.nonzero()[0].tolist()
        text = f"at position {p} pair {i} was {before[b, h, p, i]:.6g} long and is {after[b, h, p, i]:.6g}"
        tensors = pairs_of(y), pairs_of(reference(x))
        raise Failed(text + _kept_elsewhere(x, y), bad=off, tensors=tensors, axes=AXES)


def _kept_elsewhere(x: Tensor, y: Tensor) -> str:
    """Which other pairs keep their lengths, if any do."""
    others = {"neighbours, (0, 1), (2, 3), …": "adjacent", "mirror images, (0, d−1), (1, d−2), …": "mirrored"}
    for name, layout in others.items():
        before, after = (torch.hypot(*_split(t.double(), layout)) for t in (x, y))
        if bool(((after - before).abs() <= 1e-5 * before).all()):
            return f"; it is the pairs of {name} that keep theirs"
    return ""


@check(points=1, explains=True)
def relative(draw: Draw) -> Checking:
    """The score of one query and one key depends only on how far apart they stand, and in which direction."""
    seq = 24
    x = draw.normal(1, 2, 1, 8).repeat(
        1, 1, seq, 1
    )  # head 0 holds the query, head 1 the key, the same at all positions
    y = yield call(x, like=x)
    query, key = y[0, 0].double(), y[0, 1].double()
    scores = query @ key.T  # (seq, seq), the same along every diagonal
    room = 4 * float(x[0, 0, 0].norm() * x[0, 1, 0].norm()) * 2.0**-21 * (1 + seq)
    for step in (1, seq // 2):
        off = ~((scores[step:, step:] - scores[:-step, :-step]).abs() <= room)
        if off.any():
            m, n = off.nonzero()[0].tolist()
            one, two = scores[m, n], scores[m + step, n + step]
            text = f"query at {m} and key at {n} score {one:.6g}, but {two:.6g} when both stand {step} further on"
            raise Failed(text)


@check(points=1, explains=True)
def angles(draw: Draw) -> Checking:
    """Every pair turns by its own angle with each step: pair 0 by one radian, later ones by less and less."""
    x = draw.normal(1, 1, 300, 8)
    y = yield call(x, like=x)
    asked = 10000.0 ** (-torch.arange(4, dtype=torch.float64) / 4)
    places = torch.arange(300, dtype=torch.float64)[:, None]
    turn = torch.angle(pairs_of(y)[0, 0] / pairs_of(x)[0, 0])  # (300, 4), in (−π, π]
    error = torch.angle(torch.polar(torch.ones_like(turn), turn - places * asked))
    off = ~(error.abs() <= 2.0**-21 * (1 + places) + 2.0**-22)
    if off.any():
        speed = torch.angle(torch.polar(torch.ones_like(turn[1]), turn[1] - turn[0]))
        seen = {"bad": off[None, None], "tensors": (pairs_of(y), pairs_of(reference(x))), "axes": AXES}
        text = _angle_story(off, turn, speed, asked)
        raise Failed(text, turn_per_step=speed.tolist(), asked=asked.tolist(), **seen)


def _angle_story(off: Tensor, turn: Tensor, speed: Tensor, asked: Tensor) -> str:
    """What the angles of four pairs at 300 positions say about where they come from."""
    start = int(off.any(-1).nonzero()[0])
    ratio = speed / asked
    if start > 2:
        text = f"the angles are right up to position {start - 1} and then go wrong"
        return f"{text}, as if positions were rounded or wrapped"
    if not speed.isfinite().all():
        return "the angles are not finite numbers"
    if bool((speed.abs() < 1e-7).all()):
        return "no pair turns from position 0 to position 1"
    if bool(((ratio - ratio[0]).abs() < 1e-3).all()):
        shift = (
            ""
            if bool((turn[0].abs() < 1e-6).all())
            else f", and position 0 is turned already, pair 0 by {turn[0, 0]:.4g}"
        )
        match round(float(ratio[0]), 4):
            case 1.0:
                return f"every pair turns at the right speed{shift}"
            case -1.0:
                return f"every pair turns at the right speed, but the wrong way, clockwise{shift}"
        return f"every pair turns {ratio[0]:.4g} times as fast as asked{shift}"
    i = int(((ratio - 1).abs() > 1e-3).nonzero()[0])
    return f"pair {i} of 4 turns by {speed[i]:.6g} radians with each step where {asked[i]:.6g} is right"


@check(points=1, explains=True)
def input_untouched(draw: Draw) -> Checking:
    """`x` keeps its values: the result is a new tensor."""
    x = draw.normal(2, 2, 5, 4)
    reply = yield call(x, like=x, whole=True)
    if reply.changed:
        raise Failed(f"the call left {reply.changed[0].replace('argument 1', 'x')} changed")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right for sizes that all differ, that are all equal, and for a single head."""
    for size in ((2, 5, 3, 6), (2, 3, 7, 4), (4, 4, 4, 4), (3, 1, 6, 8), (1, 3, 33, 10)):
        yield call(draw.normal(*size), want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, below 1, not whole, or an int."""
    for base in (3.5, 10000.0, 500000.0, 12345.5, 100, 0.5):
        yield call(draw.normal(1, 2, 24, 8), base=base, want=reference)


@check(points=2)
def head_dims(draw: Draw) -> Checking:
    """Any even `head_dim` will do, from 2 on."""
    for head_dim in (6, 2, 64):
        yield call(draw.normal(2, 3, 20, head_dim), want=reference)


@check(points=1)
def edges(draw: Draw) -> Checking:
    """One position, no position and an empty batch are fine."""
    for size in ((2, 3, 4, 6), (2, 3, 1, 6), (2, 3, 0, 6), (0, 3, 4, 6)):
        yield call(draw.normal(*size), want=reference)


@check(points=1, explains=True)
def prefix(draw: Draw) -> Checking:
    """What comes out for a position does not depend on how many others follow it."""
    x = draw.normal(1, 2, 12, 6)
    full = yield call(x, like=x)
    for n in (1, 2, 7):
        part = yield call(x[:, :, :n].clone(), like=x[:, :, :n])
        off = ~((part - full[:, :, :n]).abs() <= 1e-5 * x[:, :, :n].abs().amax(-1, keepdim=True))
        if off.any():
            p = int(off.nonzero()[0][2])
            raise Failed(f"position {p} comes out differently in a sequence of {n} and in one of 12")


@check(points=1)
def three_hundred_positions(draw: Draw) -> Checking:
    """Positions beyond 256 are still told apart."""
    yield call(draw.normal(1, 2, 320, 6), want=reference)


@check(points=1)
def four_thousand_positions(draw: Draw) -> Checking:
    """Positions beyond 2048 and 4096 are still told apart."""
    yield call(draw.normal(1, 2, 9, 4), want=reference)
    yield call(draw.normal(1, 1, 4200, 4), base=500000.0, want=reference)


@check(points=1)
def very_long(draw: Draw) -> Checking:
    """A sequence of 131,072 positions works, and is as exact as float32 angles can be."""
    x = draw.normal(1, 1, 1, 4)
    yield call(x.repeat(1, 1, 9, 1), want=reference)
    yield call(x.expand(1, 1, 131072, 4), want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """The gradient flows back to `x`, and is right."""
    for size in ((2, 3, 4, 6), (1, 2, 9, 8)):
        yield call(draw.normal(*size), cotangent=draw.normal(*size), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` may be a transposed, sliced or expanded view."""
    yield call(draw.normal(2, 3, 5, 8), want=reference)
    yield call(draw.normal(2, 5, 3, 8).transpose(1, 2), want=reference)
    yield call(draw.normal(2, 3, 8, 5).transpose(2, 3), want=reference)
    yield call(draw.normal(2, 3, 10, 16)[:, :, 1::2, 3:11], want=reference)
    yield call(draw.normal(2, 3, 5, 16)[..., ::2], want=reference)
    yield call(draw.normal(2, 1, 5, 8).expand(2, 3, 5, 8), want=reference)


@check(points=1)
def longer_after_shorter(draw: Draw) -> Checking:
    """A call with more positions than the one before is right, and so is a shorter one after it."""
    for seq in (4, 9, 3, 40):
        yield call(draw.normal(1, 2, seq, 6), want=reference)


@check(points=1)
def another_base_later(draw: Draw) -> Checking:
    """A call with another `base` than the one before is right."""
    for base in (10000.0, 50.0, 10000.0):
        yield call(draw.normal(1, 2, 7, 6), base=base, want=reference)


@check(points=1)
def another_head_dim_later(draw: Draw) -> Checking:
    """A call with another `head_dim` than the one before is right, and so is one with other batch and head counts."""
    for size in ((1, 2, 7, 6), (1, 2, 7, 10), (1, 2, 7, 4), (2, 3, 7, 4)):
        yield call(draw.normal(*size), want=reference)


@check(points=1)
def same_call_again(draw: Draw) -> Checking:
    """The very same call again, and another of the same shape, are right."""
    x = draw.normal(2, 2, 6, 4)
    for again in (x, x, draw.normal(2, 2, 6, 4), x):
        yield call(again, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(1, 2, 1, 8, dtype=dtype)  # one position, unturned: how exact angles are makes no difference
        yield call(x, like=x)


@check(craft=True)
def bfloat16_values(draw: Draw) -> Checking:
    """bfloat16 in, bfloat16 out, with angles as exact as in float32."""
    for seq, head_dim in ((5, 8), (600, 32)):
        yield call(draw.normal(1, 2, seq, head_dim, dtype=torch.bfloat16), want=reference)


@check(craft=True)
def far_positions_in_half(draw: Draw) -> Checking:
    """In half precision, too, positions beyond 256 (bfloat16) and 2048 (float16) are told apart."""
    for seq, dtype in ((300, torch.bfloat16), (2100, torch.float16)):
        yield call(draw.normal(1, 1, 5, 2, dtype=dtype), want=reference)
        yield call(draw.normal(1, 1, seq, 2, dtype=dtype), want=reference)


@check(craft=True)
def float16_values(draw: Draw) -> Checking:
    """float16 in, float16 out, with angles as exact as in float32."""
    for seq, head_dim in ((5, 8), (4200, 16)):
        yield call(draw.normal(1, 1, seq, head_dim, dtype=torch.float16), want=reference)


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` is turned with float64's accuracy."""
    yield call(draw.normal(1, 2, 1, 16, dtype=torch.float64), want=reference)
    for seq in (5, 400):
        yield from _exact_in_float64(draw.normal(1, 2, seq, 16, dtype=torch.float64))


def _exact_in_float64(x: Tensor) -> Checking:
    """Judges here what is as good as float32, so that a diagnosis need not guess how an answer rounds."""
    y = yield call(x, want=reference, within=as_float32)
    want = reference(x)
    off = ((y - want).abs() > close(want, torch.float64)).nonzero()
    if len(off):
        p, worst = int(off[0, 2]), float((y - want).abs().max())
        raise Failed(f"from position {p} on the result is only as good as float32: off by up to {worst:.2g}")


@check(craft=True)
def float64_after_float32(draw: Draw) -> Checking:
    """A call in float32 leaves nothing behind that makes a later one in float64 less exact."""
    yield call(draw.normal(1, 2, 4, 6, dtype=torch.float64), want=reference)
    yield call(draw.normal(1, 2, 9, 8), want=reference)
    yield from _exact_in_float64(draw.normal(1, 2, 9, 8, dtype=torch.float64))


@check(craft=True)
def dtypes_kept_apart(draw: Draw) -> Checking:
    """A call in half precision leaves no rounded tables behind for a later one in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        yield call(draw.normal(1, 2, 9, 8, dtype=dtype))
    yield call(draw.normal(1, 2, 9, 8), want=reference)


@check(craft=True)
def under_autocast(draw: Draw) -> Checking:
    """Autocast does not round the angles."""
    yield call(draw.normal(1, 2, 5, 8), want=reference)
    yield call(draw.normal(1, 2, 80, 16), want=reference, under="autocast")


@check(craft=True)
def other_default_dtype(draw: Draw) -> Checking:
    """The program's default dtype makes no difference, and is left as it is."""
    yield call(draw.normal(1, 2, 5, 8), want=reference)
    for name in ("default_bfloat16", "default_float64"):
        reply = yield call(draw.normal(1, 2, 80, 8), want=reference, under=name, whole=True)
        if reply.state:
            asked = name.removeprefix("default_")
            raise Failed(f"the program's default dtype was {asked}, and the call left another one behind")


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    for dtype, want in ((torch.float32, reference), (torch.float64, None)):  # a default may be set to the dtype of x
        reply = yield call(draw.normal(1, 2, 5, 8, dtype=dtype), want=want, whole=True)
        if reply.state:
            raise Failed(f"the call left torch's {' and '.join(reply.state)} changed")


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    reply = yield call(draw.normal(1, 2, 5, 6), want=reference, under="audit", whole=True)
    if reply.audit:
        what, line = reply.audit[0]
        raise Failed(f"line {line}: {what}", lines=[{"line": line, "text": what} for what, line in reply.audit])
    if draw.warm:
        x = draw.normal(1, 2, 7, 8)
        yield call(x, on="meta", like=x)
        yield call(x, want=reference)


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 6), want=reference)
    for head_dim in (7, 1, 3):
        yield call(draw.normal(1, 2, 4, head_dim), raises=ValueError)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(draw.normal(2, 2, 4, 6), want=reference)
    yield call(draw.normal(3, 2, 2, 4, 6), want=reference, under="vmap")


@check(craft=True)
def training_after_inference(draw: Draw) -> Checking:
    """A call in inference mode leaves nothing behind that a later backward pass can't use."""
    yield call(draw.normal(1, 2, 6, 8), want=reference)
    yield call(draw.normal(1, 2, 9, 8), want=reference, under="inference_mode")
    yield call(draw.normal(1, 2, 9, 8), cotangent=draw.normal(1, 2, 9, 8), want=reference)


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    counts = []
    for seq in (8, 24):
        reply = yield call(draw.normal(2, 2, seq, 8), want=reference, under="count", whole=True)
        counts.append(reply.torch_calls)
    if counts[1] > counts[0] + 2:
        raise Failed(f"{counts[0]} torch calls for 8 positions, {counts[1]} for 24: a loop runs over positions")


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    # layout
    mistake(
        "interleaved",
        "Neighbouring channels are paired: 0 with 1, 2 with 3 (the layout of GPT-J and of Meta's Llama code). It is "
        "a proper rotation, but the halves layout is asked for: channel i belongs with channel i + head_dim/2. Look "
        "at how the last axis is split, and at how the results are put together again.",
        layout="adjacent",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "The right numbers are computed, and then stored in another order: the two results of each pair stand side "
        "by side. In the halves layout all first members come first, then all second ones. Position 0, which should "
        "come back as it was, shows the new order. Look at the line that joins the two results.",
        writes="adjacent",
    ),
    mistake(
        "reads_neighbours_writes_halves",
        "Pairs are read as neighbours (0 with 1, 2 with 3) but written as halves, so even position 0 comes back in "
        "another order. Reading and writing must use one layout, here halves for both. Look at the slices with a "
        "step of 2.",
        layout="adjacent",
        writes="halves",
    ),
    mistake(
        "angles_repeated_for_neighbours",
        "Each angle is laid out twice in a row (as repeat_interleave does), while the partner of a channel is half "
        "the width away. So the two members of a pair meet different angles: that is no rotation, and lengths "
        "change. In the halves layout the whole row of angles is followed by a copy of itself.",
        table="repeated",
    ),
    mistake(
        "partner_is_the_neighbour",
        "Cosines and sines are laid out for halves, but the partner of a channel is taken to be its neighbour (−x1, "
        "x0, −x3, x2 …). The two members of a pair meet different angles, so lengths change. Both must follow the "
        "halves layout; look at how the quarter-turned copy of x is built.",
        layout="adjacent",
        table="cat",
    ),
    mistake(
        "halves_exchanged_in_result",
        "The right numbers come back in the wrong halves: the second members of all pairs stand first. Position 0 "
        "shows it, for it should come back as it was. Look at the order in the line that joins the halves.",
        writes="exchanged",
    ),
    mistake(
        "frequency_for_each_channel",
        "Every channel has a frequency of its own, head_dim of them, so the two members of a pair are turned by "
        "different angles: that is no rotation, and lengths change. There are head_dim/2 frequencies, and channels i "
        "and i + head_dim/2 share one.",
        table="channels",
    ),
    mistake(
        "mirrored_pairs",
        "Channel i is paired with channel head_dim − 1 − i, counted from the far end. Asked for is i with i + "
        "head_dim/2: the second half keeps its order. Look for a flip or a negative step.",
        layout="mirrored",
    ),
    # direction and the 2×2 matrix
    mistake(
        "turned_backwards",
        "Every pair turns the wrong way, clockwise. Scores still depend on distance alone and lengths are kept, so "
        "nothing inside a model would look odd until it meets weights trained the other way. The minus belongs to "
        "the half that is written first; look at which half carries it (or at the sign of the angle).",
        sign=-1,
    ),
    mistake(
        "minus_missing",
        "The minus is lost: both members of a pair are added up, as in (a·cos + b·sin, b·cos + a·sin). That "
        "stretches one diagonal and squeezes the other instead of turning. A quarter turn takes (a, b) to (−b, a).",
        how="no minus",
    ),
    mistake(
        "halves_not_exchanged",
        "The two halves are not exchanged before they meet the sine: each channel is multiplied by cos − sin or cos "
        "+ sin of its own angle and never sees its partner. The copy that meets the sine must hold the *other* "
        "member of each pair.",
        how="no swap",
    ),
    mistake(
        "sine_meets_x_itself",
        "Both the cosine and the sine multiply x itself, so each channel is only scaled, by cos + sin. The sine "
        "belongs to the partner: every pair (a, b) turned by a quarter, (−b, a).",
        how="own sine",
    ),
    mistake(
        "minus_on_both_halves",
        "Both halves of the partner carry a minus, (−b, −a). Only one does in a rotation: with (−b, a) the two "
        "members keep their common length, with two minuses they are reflected and stretched.",
        how="two minuses",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "Sine and cosine have changed places, so position 0 is already turned by a right angle and everything turns "
        "back from there. At angle 0 the cosine is 1 and must multiply x itself. Look at the order in which the two "
        "tables are returned, unpacked or passed.",
        how="sine for cosine",
    ),
    mistake(
        "first_half_overwritten",
        "The second half is computed from the first half as it is *after* turning. The old value is gone when it is "
        "needed: the same name was assigned again, or a view was written to. Both new halves need both old ones.",
        how="first overwritten",
    ),
    mistake(
        "second_half_overwritten",
        "The first half is computed from the second half as it is *after* turning. The old value is gone when it is "
        "needed; both new halves need both old ones. Compute both before you store either.",
        how="second overwritten",
    ),
    mistake(
        "only_cosine",
        "x is multiplied by the cosines and that is all: pairs shrink along their axes and vanish at a quarter turn. "
        "What is missing is the part in which each member receives its partner, times the sine.",
        how="cosine alone",
    ),
    mistake(
        "halves_scaled_by_cosine_and_sine",
        "The first half is multiplied by the cosines and the second by the sines, as sinusoidal encodings are laid "
        "out. Nothing is turned that way: each member of a pair needs both, its own value times the cosine and its "
        "partner's times the sine.",
        how="cosine and sine",
    ),
    mistake(
        "cosine_forgotten",
        "The partner times the sine is added to x as it is; x was never multiplied by the cosine. Lengths grow "
        "wherever the sine is not 0. A turn needs both parts.",
        how="no cosine",
    ),
    mistake(
        "added_instead_of_turned",
        "Sines and cosines are *added* to x, as sinusoidal encodings are added to embeddings. RoPE adds nothing: it "
        "multiplies, and turns pairs of channels by an angle. Compare position 0, which must come back as it was.",
        how="added",
    ),
    mistake(
        "added_with_cosines_first",
        "Cosines and sines are *added* to x, cosines in the first half, as sinusoidal encodings are added to "
        "embeddings. RoPE adds nothing: it multiplies, and turns pairs of channels by an angle. Compare position 0, "
        "which must come back as it was.",
        how="added, cosines first",
    ),
    mistake(
        "turned_copy_added_to_x",
        "The turned vectors are added to x, as in a residual connection. The turned vectors are the result themselves.",
        how="added to itself",
    ),
    # how much of it
    mistake(
        "second_half_left_alone",
        "Only the first half of the channels is new; the second comes back as it was. A rotation moves both members "
        "of a pair. The partner needs a line of its own.",
        how="first alone",
    ),
    mistake(
        "first_half_left_alone",
        "Only the second half of the channels is new; the first comes back as it was. A rotation moves both members "
        "of a pair.",
        how="second alone",
    ),
    mistake(
        "only_first_members",
        "What comes back is half as wide: the first member of every pair and nothing else. A point in the plane has "
        "two coordinates: the second members turn as well, and belong behind the first ones.",
        keep="first",
    ),
    mistake(
        "only_second_members",
        "What comes back is half as wide: the second member of every pair and nothing else. The first members belong "
        "in front of them.",
        keep="second",
    ),
    mistake(
        "only_even_members",
        "This is the line even·cos − odd·sin that many short introductions print, and it is half of a rotation: it "
        "yields the new even channels, and the line for the odd ones is missing, so the result is half as wide, "
        "lengths are lost and scores are no longer relative. Besides, even and odd channels are the other layout: "
        "here channel i belongs with i + head_dim/2.",
        layout="adjacent",
        keep="first",
    ),
    mistake(
        "not_turned",
        "x comes back as it went in. Shape, lengths, relative scores and position 0 are all right that way, and no "
        "position is encoded. Every vector but those at position 0 must be turned.",
        where="nowhere",
    ),
    mistake(
        "only_half_the_channels",
        "Only the first half of each head is turned, as a smaller head of its own, and the rest is passed on "
        "(partial rotary, as in GPT-NeoX or Phi). Here all of head_dim takes part. Look for a rotary_dim or a factor "
        "of 0.5.",
        part="first half",
    ),
    mistake(
        "only_a_quarter_of_the_channels",
        "Only the first quarter of each head is turned and the rest is passed on (GPT-NeoX's rotary_pct of 0.25). "
        "Here all of head_dim takes part.",
        part="first quarter",
    ),
    mistake(
        "half_the_pairs_stand_still",
        "The slower half of the pairs is not turned at all: their frequencies are 0, or the loop over pairs ends too "
        "early. There are head_dim/2 pairs and each has a frequency.",
        part="half the pairs",
    ),
    mistake(
        "first_head_only",
        "Only head 0 is turned; the others come back as they were. Positions count in every head. Look for an index "
        "where a slice or broadcasting belongs.",
        where="first head",
    ),
    mistake(
        "first_row_only",
        "Only the first batch row is turned; the others come back as they were. Look for an index [0] along the "
        "batch axis.",
        where="first row",
    ),
    mistake(
        "last_position_left_out",
        "The last position comes back unturned: the positions end one too early. There are seq of them, 0 … seq − 1.",
        where="not the last",
    ),
    mistake(
        "last_position_only",
        "Only the last position is turned, as if the others had been turned in earlier calls. This function turns "
        "all of them.",
        where="last",
    ),
    mistake(
        "scaled_by_head_dim",
        "The turned vectors are divided by √head_dim as well. That factor belongs to the score, once, and not to q "
        "and k. Turning keeps every length.",
        gain="1/√d",
    ),
    mistake(
        "normalised",
        "Every vector comes back with length 1. Normalising queries and keys is another technique (QK-norm); RoPE "
        "keeps each length as it is.",
        gain="unit",
    ),
    # frequencies
    mistake(
        "exponent_lacks_the_two",
        "The exponent is i/head_dim; the 2 is lost. Frequencies fall only from 1 to 1/√base. Pair i owns *two* "
        "channels, hence −2i/head_dim. With arange(half) the divisor is half; head_dim goes with arange(0, head_dim, "
        "2).",
        schedule="i/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should: 2i is divided by head_dim/2. Either the 2 stands above or "
        "the half stands below, not both.",
        schedule="4i/d",
    ),
    mistake(
        "exponent_not_divided",
        "The exponent is −2i and is never divided by head_dim, so pair 1 turns by 1/base² already and all but pair 0 "
        "stand almost still.",
        schedule="2i",
    ),
    mistake(
        "division_outside_the_power",
        "base is raised to 2i, and head_dim divides *afterwards*: ** binds tighter than /. The division belongs into "
        "the exponent; look at the brackets.",
        schedule="outside the power",
    ),
    mistake(
        "divided_after_the_power",
        "base is raised to −2i, and the *result* is divided by head_dim: ** binds tighter than /, so even pair 0 turns "
        "by 1/head_dim instead of one radian. The division belongs into the exponent; look at the brackets.",
        schedule="after the power",
    ),
    mistake(
        "half_divides_outside_the_power",
        "base is raised to i, and half divides *afterwards*: ** binds tighter than /, so pair 0 turns by head_dim/2 "
        "radians instead of one. The division belongs into the exponent; look at the brackets.",
        schedule="half outside the power",
    ),
    mistake(
        "divided_by_half_after_the_power",
        "base is raised to −i, and the *result* is divided by half: ** binds tighter than /, so even pair 0 turns by "
        "less than one radian. The division belongs into the exponent; look at the brackets.",
        schedule="half after the power",
    ),
    mistake(
        "frequencies_start_above_one",
        "The exponent is −2(i − 1)/head_dim, the formula of the paper, where pairs are numbered from 1. Numbered "
        "from 0, as arange does, the −1 has to go: pair 0 turns by exactly one radian a step.",
        schedule="2(i-1)/d",
    ),
    mistake(
        "pairs_numbered_from_one",
        "Pairs are numbered 1, 2, … in the exponent, so every pair has the frequency of its successor and none turns "
        "by one radian. Pair 0 has the exponent 0.",
        schedule="2(i+1)/d",
    ),
    mistake(
        "odd_exponents",
        "The exponents are those of the odd channels, 1/head_dim, 3/head_dim, …: the range starts at 1. Pair i has "
        "the exponent −2i/head_dim, starting at 0.",
        schedule="(2i+1)/d",
    ),
    mistake(
        "last_frequency_reaches_the_base",
        "The exponents run from 0 to −1 *inclusive*: they were divided by half − 1, as tensor2tensor's timing signal "
        "does or linspace would. Here they are divided by half, and the last pair stops short of 1/base.",
        schedule="i/(half-1)",
    ),
    mistake(
        "frequencies_reversed",
        "The frequencies stand in the wrong order: pair 0 is the slowest and the last pair turns by one radian. The "
        "first pair is the fastest.",
        schedule="reversed",
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs turn alike, by one radian with each step. Each pair has a frequency of its own; if yours all came "
        "out as 1, an integer division (//) has made every exponent 0.",
        schedule="none",
    ),
    mistake(
        "negative_floor_division",
        "Pair 0 is right and all others have the frequency 1/base: −2i was divided with //, which rounds down, so "
        "every exponent but the first is −1. The exponents are fractions.",
        schedule="floor(-2i/d)",
    ),
    mistake(
        "slowest_frequency_for_all",
        "All pairs turn alike, with the frequency of the last pair. Each pair has a frequency of its own; look for a "
        "single number where a row of them belongs, perhaps a loop variable that is used after its loop.",
        schedule="slowest",
    ),
    mistake(
        "exponent_positive",
        "The frequencies grow from pair to pair, up to nearly base radians a step: the exponent has lost its minus, "
        "or an inverse was taken twice. They must fall from 1 to almost 1/base.",
        schedule="growing",
    ),
    mistake(
        "model_width_for_head_dim",
        "The exponent is divided by heads · head_dim, the width of the whole model. Every head has the full range of "
        "frequencies, so it is head_dim that divides. With one head the two agree, which is why small tests don't "
        "show it.",
        schedule="model width",
    ),
    mistake(
        "logarithm_of_the_base_missing",
        "The frequencies are e^(−2i/head_dim), whatever the base: writing a power with exp needs the logarithm of "
        "the base in the exponent.",
        schedule="exp",
    ),
    mistake(
        "decimal_logarithm",
        "The power is written with exp, and the base enters by its *decimal* logarithm. exp belongs with the natural "
        "logarithm.",
        schedule="log10",
    ),
    mistake(
        "binary_logarithm",
        "The power is written with exp, and the base enters by its *binary* logarithm. exp belongs with the natural "
        "logarithm, exp2 with the binary one.",
        schedule="log2",
    ),
    mistake(
        "frequencies_fall_linearly",
        "The frequencies fall from 1 by equal *differences*. They must fall by equal *factors*: base raised to "
        "evenly spaced exponents, so that slow pairs cover long distances and fast ones short ones.",
        schedule="linear",
    ),
    mistake(
        "frequencies_fall_linearly_to_the_last",
        "The frequencies fall from 1 to 1/base by equal *differences*, as linspace gives them. They must fall by equal "
        "*factors*, and stop one step before 1/base: base raised to evenly spaced exponents, so that slow pairs cover "
        "long distances and fast ones short ones.",
        schedule="linear to the last",
    ),
    mistake(
        "frequencies_fall_linearly_to_zero",
        "The frequencies fall from 1 towards 0 by equal *differences*, whatever the base. They must fall by equal "
        "*factors*: base raised to evenly spaced exponents, so that slow pairs cover long distances and fast ones "
        "short ones.",
        schedule="linear to zero",
    ),
    mistake(
        "base_ignored",
        "`base` is never used: 10000 stands in its place. Every call with the default looks right. Models differ "
        "here (Llama 3 uses 500000).",
        basis="ignored",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number, so 12345.5 becomes 12345. Any positive number is allowed; look for int(…) "
        "or //.",
        basis="whole",
    ),
    mistake(
        "default_base_of_llama3",
        "When no base is given, 500000 is used (Llama 3's); the signature says 10000.",
        basis="500000",
    ),
    mistake(
        "default_base_lacks_a_zero",
        "When no base is given, 1000 is used; the signature says 10000.",
        basis="1000",
    ),
    mistake(
        "ntk_scaling_left_on",
        "Beyond 2048 positions the base grows with the sequence (dynamic NTK scaling, left over from code for longer "
        "contexts). All positions then turn by other angles than in a shorter call. Here the base is the one given.",
        basis="ntk",
    ),
    mistake(
        "llama3_scaling_left_on",
        "Slow pairs are slowed down further: this is Llama 3.1's frequency scaling (factor 8 beyond a wavelength of "
        "8192). Nothing is scaled here; every frequency is base^(−2i/head_dim). Small heads have no such slow pairs "
        "and don't show it.",
        schedule="llama3",
    ),
    # angles
    mistake(
        "turns_counted_as_circles",
        "Every angle has a factor of 2π too much, as if frequencies were turns per step. They are radians per step: "
        "pair 0 turns by 1, not by 2π.",
        unit=2 * math.pi,
    ),
    mistake(
        "degrees_taken_for_radians",
        "The angles are multiplied by 180/π, turned into degrees. torch.cos and torch.sin take radians, and p times "
        "the frequency is in radians already.",
        unit=180 / math.pi,
    ),
    mistake(
        "radians_taken_for_degrees",
        "The angles are multiplied by π/180, as if p times the frequency were in degrees. It is in radians already.",
        unit=math.pi / 180,
    ),
    mistake(
        "turned_twice",
        "Every angle is twice what it should be: the rotation was applied a second time to its own result, or "
        "positions go up in steps of 2. Each vector is turned once, by p times its frequencies.",
        stride=2.0,
    ),
    mistake(
        "half_the_angle",
        "Every angle is half of what it should be, as when positions are interpolated for a context twice as long "
        "(or as quaternions want it). Position p turns by p times the frequency.",
        stride=0.5,
    ),
    # positions
    mistake(
        "positions_from_one",
        "Positions are counted from 1, so position 0 is already turned. Scores between queries and keys don't "
        "notice, but the vectors are others than any other code would give, and a cache filled by it would be off by "
        "one.",
        first=1,
    ),
    mistake(
        "positions_from_minus_one",
        "Positions are counted from −1: the first vector is turned backwards by one step and the second not at all. "
        "They count 0, 1, 2, ….",
        first=-1,
    ),
    mistake(
        "positions_along_heads",
        "Positions run along the heads: all vectors of a head share one angle, whatever their place in the sequence. "
        "The axes are (batch, heads, seq, head_dim), so positions run along the third.",
        axis="heads",
    ),
    mistake(
        "positions_along_batch",
        "Positions run along the batch: all vectors of a row share one angle, whatever their place in the sequence. "
        "Positions run along the third axis.",
        axis="batch",
    ),
    mistake(
        "positions_run_on_over_heads",
        "Positions are not started anew in each head: head 1 goes on where head 0 ended, as if the two axes were "
        "flattened. Each head counts from 0.",
        axis="heads and seq",
    ),
    mistake(
        "positions_run_on_over_batch",
        "Positions are not started anew in each batch row: row 1 goes on where row 0 ended. Each row counts from 0.",
        axis="batch and seq",
    ),
    mistake(
        "vectors_numbered_through",
        "All vectors of x are numbered through, over batch, heads and seq, as after a reshape to (−1, head_dim). "
        "Each head of each row counts from 0.",
        axis="everything",
    ),
    mistake(
        "no_position_in_the_angle",
        "The angles are the frequencies themselves: every position is turned alike, as if it were position 1. The "
        "position must be multiplied in, one row of angles for each.",
        count="all one",
    ),
    mistake(
        "every_position_turned_as_the_last",
        "Every position is turned by the angles of the last one: a single row of the table, or the length instead of "
        "the positions, was used for all.",
        count="all last",
    ),
    mistake(
        "positions_backwards",
        "Positions are counted from the end: the last vector has position 0. The first one has, and what comes later "
        "must not change it.",
        count="backwards",
    ),
    mistake(
        "positions_centred",
        "Positions are counted from the middle of the sequence. They start with 0 at its beginning, or a longer "
        "sequence would turn all vectors anew.",
        count="centred",
    ),
    mistake(
        "positions_as_share_of_length",
        "Positions are divided by the length of the sequence, so that they lie between 0 and 1. They are whole "
        "numbers, 0, 1, 2, …; the same place must turn alike in short and long sequences.",
        count="share of seq",
    ),
    mistake(
        "positions_spread_from_zero_to_one",
        "Positions are spread evenly from 0 to 1 inclusive, as linspace does. They are whole numbers, 0, 1, 2, …; "
        "the same place must turn alike in short and long sequences.",
        count="from 0 to 1",
    ),
    mistake(
        "table_ends_at_2048_clamped",
        "From position 2048 on every vector is turned like position 2047: a table of fixed length is read with its "
        "index held at the end. The table must be as long as the sequence.",
        count="clamped at 2047",
    ),
    mistake(
        "table_ends_at_4096_clamped",
        "From position 4096 on every vector is turned like position 4095: a table of fixed length is read with its "
        "index held at the end. The table must be as long as the sequence.",
        count="clamped at 4095",
    ),
    mistake(
        "positions_wrap_at_2048",
        "At position 2048 the angles start anew from 0: a table of fixed length is read in circles. The table must "
        "be as long as the sequence.",
        count="modulo 2048",
    ),
    mistake(
        "positions_restart_every_128",
        "Every 128 positions the angles start anew, as if each block were a sequence of its own. Positions go on to "
        "the end.",
        count="modulo 128",
    ),
    mistake(
        "positions_in_int16",
        "From position 32768 on the angles are wrong: positions were kept in 16-bit integers, which wrap to negative "
        "numbers there.",
        count="int16",
    ),
    mistake(
        "positions_in_uint8",
        "From position 256 on the angles start anew: positions were kept in 8-bit integers, which wrap there.",
        count="uint8",
    ),
    mistake(
        "positions_in_bfloat16",
        "From position 257 on neighbours share an angle: positions were rounded to bfloat16, which holds whole "
        "numbers only up to 256. Positions need float32, or integers until they meet the frequencies.",
        count="bf16",
    ),
    mistake(
        "positions_in_float16",
        "From position 2049 on neighbours share an angle: positions were rounded to float16, which holds whole "
        "numbers only up to 2048. Positions need float32, or integers until they meet the frequencies.",
        count="fp16",
    ),
    # precision
    mistake(
        "frequencies_in_bfloat16",
        "The frequencies were rounded to bfloat16, as happens to a buffer in model.bfloat16(): pair 0 is right, the "
        "others drift, and the error grows with the position. Frequencies need float32, whatever the model's dtype.",
        rounded="frequency bf16",
    ),
    mistake(
        "frequencies_in_float16",
        "The frequencies were rounded to float16, as happens to a buffer in model.half(): most pairs drift, and the "
        "error grows with the position. Frequencies need float32, whatever the model's dtype.",
        rounded="frequency fp16",
    ),
    mistake(
        "angles_in_bfloat16",
        "The angles were rounded to bfloat16 before their cosine was taken. An angle of 100 then has steps of half a "
        "radian. Angles need float32; only what cos and sin return may be rounded.",
        rounded="angle bf16",
    ),
    mistake(
        "angles_in_float16",
        "The angles were rounded to float16 before their cosine was taken, and the coarser the larger they are. "
        "Angles need float32; only what cos and sin return may be rounded.",
        rounded="angle fp16",
    ),
    mistake(
        "tables_in_bfloat16",
        "The angles are right, but their cosines and sines were kept in bfloat16, with three digits. For a float32 x "
        "they must be float32.",
        rounded="table bf16",
    ),
    mistake(
        "x_rounded_to_bfloat16",
        "x was rounded to bfloat16 on its way in, with three digits left, though the tables are exact: even position "
        "0 comes back changed. A float32 x is computed in float32.",
        rounded="x bf16",
    ),
    mistake(
        "x_rounded_to_float16",
        "x was rounded to float16 on its way in, with four digits left, though the tables are exact: even position 0 "
        "comes back changed. A float32 x is computed in float32.",
        rounded="x fp16",
    ),
    mistake(
        "tables_in_float16",
        "The angles are right, but their cosines and sines were kept in float16, with four digits. For a float32 x "
        "they must be float32.",
        rounded="table fp16",
    ),
]


# ── Mistakes with code of their own: as an answer would be written, in its dtypes ───────────────────────────────────


def tables(
    x: Tensor,
    base: float = 10000.0,
    *,
    seq: int = -1,
    dtype: torch.dtype | None = None,
    device: object = None,
) -> tuple[Tensor, Tensor]:
    """Cosines and sines, (seq, half) each, in `dtype` or at least float32."""
    dtype, device = dtype or torch.promote_types(x.dtype, torch.float32), device or x.device
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, dtype=dtype, device=device) / half)
    angle = torch.arange(x.shape[-2] if seq < 0 else seq, dtype=dtype, device=device)[:, None] * frequency
    return angle.cos(), angle.sin()


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """The halves of x turned by tables of (seq, half)."""
    first, second = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


def even(x: Tensor) -> None:
    """What every answer asks first."""
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")


def right_answer(x: Tensor, base: float = 10000.0) -> Tensor:
    """A right answer, for mistakes that only differ in how they treat it."""
    even(x)
    return turn(x, *tables(x, base)).to(x.dtype)


@wrong(
    "The numbers are right, but they are written into x itself. The caller's queries are gone, a second use of them "
    "is turned twice, and backward refuses. Return a new tensor; look for an assignment to a slice of x, or a method "
    "that ends with _."
)
def written_into_x(x: Tensor, base: float = 10000.0) -> Tensor:
    """The result stored in x."""
    even(x)
    return x.copy_(right_answer(x.clone(), base))


@wrong(
    "The first half of x is overwritten in place, and then the second half is computed from it, though it holds "
    "turned values by now. A slice is a window onto x, not a copy. Besides, x belongs to the caller: compute both "
    "new halves, then join them into a new tensor."
)
def first_half_of_x_overwritten(x: Tensor, base: float = 10000.0) -> Tensor:
    """Slices that are views, written to too early."""
    even(x)
    cos, sin = tables(x, base)
    first, second = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    x[..., : x.shape[-1] // 2] = first * cos - second * sin
    x[..., x.shape[-1] // 2 :] = second * cos + first * sin
    return x


@wrong(
    "The values are right but no gradient reaches x: the graph is cut on the way, by detach, .data, no_grad, or by "
    "making a new tensor from x. Nothing before this layer could learn. torch.no_grad may wrap the tables, which "
    "hold no x, and nothing else."
)
def graph_cut(x: Tensor, base: float = 10000.0) -> Tensor:
    """Without a gradient."""
    return right_answer(x.detach(), base)


@wrong(
    "The values are right, but only a part of the gradient flows back: the half-exchanged copy of x is cut off from "
    "the graph (made under no_grad, or from x.detach() or x.data), so only x times cosine counts. The copy must stay "
    "part of the graph."
)
def partner_cut_from_graph(x: Tensor, base: float = 10000.0) -> Tensor:
    """The gradient of the cosine part alone."""
    even(x)
    cos, sin = tables(x, base)
    still = x.detach()
    return (turn(still, cos, sin) + (x - still) * torch.cat([cos, cos], -1)).to(x.dtype)


@wrong(
    "x is handed to numpy. That works until a gradient is wanted: numpy knows nothing of graphs, and torch refuses "
    "to hand over a tensor that needs one (detaching it first would lose the gradient silently). Everything here can "
    "be done with torch functions."
)
def handed_to_numpy(x: Tensor, base: float = 10000.0) -> Tensor:
    """By way of numpy."""
    even(x)
    return right_answer(torch.from_numpy(x.float().numpy()), base).to(x.dtype)


@wrong(
    "x.view(…) is called on an input that is not contiguous (a transposed or sliced one), and view can't do that: it "
    "never copies. Attention code gets its heads by a transpose, so this is the usual case. reshape copies where it "
    "must; slicing never needs to."
)
def view_of_a_strided_input(x: Tensor, base: float = 10000.0) -> Tensor:
    """Halves by view."""
    even(x)
    b, h, s, d = x.shape
    return right_answer(x.view(b * h, 1, s, d), base).view(b, h, s, d)


@wrong(
    "The result has its axes as (batch, seq, heads, head_dim): a transpose was not undone. The values come back in "
    "the order in which x came, (batch, heads, seq, head_dim)."
)
def axes_left_exchanged(x: Tensor, base: float = 10000.0) -> Tensor:
    """Heads and seq exchanged in the result."""
    return right_answer(x, base).transpose(1, 2)


@wrong(
    "view or reshape was used to exchange the axes heads and seq. It only counts the same numbers off anew, so "
    "vectors of one head are taken for vectors of another and meet wrong positions. Only transpose or permute "
    "exchange axes, and here nothing needs to be exchanged: seq is the third axis already."
)
def reshape_for_transpose(x: Tensor, base: float = 10000.0) -> Tensor:
    """Heads and seq exchanged by reshape, there and back."""
    b, h, s, d = x.shape
    return right_answer(x.reshape(b, s, h, d).transpose(1, 2), base).transpose(1, 2).reshape(b, h, s, d)


@wrong(
    "A complex tensor comes back, with one complex number for each pair. It holds what is asked for, but has to "
    "become real again: the real parts are the first half of the channels, the imaginary parts the second."
)
def still_complex(x: Tensor, base: float = 10000.0) -> Tensor:
    """Complex numbers, never made real."""
    even(x)
    first, second = right_answer(x, base).float().chunk(2, -1)
    return torch.complex(first, second)


@wrong(
    "The result has an axis too many, of size 2: real and imaginary parts, as view_as_real gives them. They have to "
    "be laid out along head_dim, in the halves layout: all real parts first, then all imaginary parts."
)
def pairs_not_laid_out(x: Tensor, base: float = 10000.0) -> Tensor:
    """(…, half, 2) instead of (…, head_dim)."""
    even(x)
    return torch.stack(right_answer(x, base).chunk(2, -1), -1)


@wrong(
    "The function returns None: it has no return, or one only on some path. If it writes into x instead, that must "
    "change too; a new tensor is asked for."
)
def nothing_returned(x: Tensor, base: float = 10000.0) -> None:
    """Forgets to return."""


@wrong(
    "x.view_as_complex() does not exist: a Tensor has no such method, though some texts print it. The *function* "
    "torch.view_as_complex(t) does; it wants a float32 or float64 tensor whose last axis has size 2 and is "
    "contiguous. For two separate halves torch.complex(first, second) is simpler. (And a reshape to (…, −1, 2) pairs "
    "neighbours, which is not the layout asked for.)"
)
def view_as_complex_method(x: Tensor, base: float = 10000.0) -> Tensor:
    """A method that torch doesn't have."""
    return x.float().reshape(*x.shape[:-1], -1, 2).view_as_complex()  # type: ignore[attr-defined,no-any-return]


@wrong(
    "t.view_as_real() does not exist: a Tensor has no such method. The *function* torch.view_as_real(t) does, and "
    "gives a last axis of size 2. t.real and t.imag are what the halves layout needs."
)
def view_as_real_method(x: Tensor, base: float = 10000.0) -> Tensor:
    """A method that torch doesn't have."""
    first, second = x.float().chunk(2, -1) if x.shape[-1] else (x.float(), x.float())
    return torch.complex(first, second).view_as_real()  # type: ignore[attr-defined,no-any-return]


@wrong(
    "cos (and sin) are used as if Python knew them by themselves; texts often print formulas so. For tensors they "
    "are torch.cos(angles) or angles.cos(). (math.cos takes a single number only.)"
)
def bare_cosine(x: Tensor, base: float = 10000.0) -> Tensor:
    """A name that is not defined."""
    raise NameError("name 'cos' is not defined")


@wrong(
    "A name is used before it has a value. A name that is assigned anywhere in a function is its own local name in "
    "all of it, so cos = cos(angles) looks for the cos that it is about to make. For tensors write torch.cos(angles) "
    "or angles.cos(), and see that every name is assigned on the line above its use, on all paths."
)
def name_before_its_value(x: Tensor, base: float = 10000.0) -> Tensor:
    """A local name that has no value yet."""
    raise UnboundLocalError("cannot access local variable 'cos' where it is not associated with a value")


@wrong(
    "A special path for a single position turns it, as if it were a later token of a longer text. A lone vector "
    "stands at position 0 and comes back as it is; where a decoding step really stands, only the caller could say."
)
def lone_position_turned(x: Tensor, base: float = 10000.0) -> Tensor:
    """A sequence of one, taken for a decoding step."""
    if x.shape[-2] == 1:
        return right_answer(torch.cat([x, x], -2), base)[..., 1:, :]
    return right_answer(x, base)


@wrong(
    "A sequence without positions raises: something asks for the largest (or the last) of no positions. The number "
    "of positions is in the shape of x, and an empty input has an empty result of the same shape."
)
def empty_refused(x: Tensor, base: float = 10000.0) -> Tensor:
    """The length found as the largest position plus one."""
    even(x)
    positions = torch.arange(x.shape[-2], device=x.device)
    cos, sin = tables(x, base, seq=16 if positions.is_meta else int(positions.max()) + 1)
    return turn(x, cos[: x.shape[-2]], sin[: x.shape[-2]]).to(x.dtype)


@wrong(
    "A sequence without positions raises: something takes the last of no positions. The number of positions is in "
    "the shape of x, and an empty input has an empty result of the same shape."
)
def last_of_no_positions(x: Tensor, base: float = 10000.0) -> Tensor:
    """The length found as the last position plus one."""
    even(x)
    positions = torch.arange(x.shape[-2], device=x.device)
    cos, sin = tables(x, base, seq=16 if positions.is_meta else int(positions[-1]) + 1)
    return turn(x, cos[: x.shape[-2]], sin[: x.shape[-2]]).to(x.dtype)


@wrong(
    "A sequence without positions raises: Python's max() or min() is asked for the largest of no positions. The number "
    "of positions is in the shape of x, and an empty input has an empty result of the same shape."
)
def empty_range_refused(x: Tensor, base: float = 10000.0) -> Tensor:
    """The length found as the largest of a range, plus one."""
    even(x)
    return turn(x, *tables(x, base, seq=max(range(x.shape[-2])) + 1)).to(x.dtype)


@wrong(
    "A sequence without positions raises: a reshape or view leaves one size to be worked out (−1), which can't be done "
    "when there are no numbers at all. All sizes are known; name them.",
)
def empty_sequence_refused(x: Tensor, base: float = 10000.0) -> Tensor:
    """The width of a half left to reshape."""
    even(x)
    two = x.reshape(*x.shape[:-1], 2, -1)
    cos, sin = tables(x, base)
    first, second = two[..., 0, :], two[..., 1, :]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1).to(x.dtype)


@wrong(
    "A batch without rows raises: a reshape or view leaves one size to be worked out (−1), which can't be done when "
    "there are no numbers at all. All sizes are known; name them.",
)
def empty_batch_refused(x: Tensor, base: float = 10000.0) -> Tensor:
    """The number of positions left to reshape."""
    even(x)
    return right_answer(x.reshape(x.shape[0], x.shape[1], -1, x.shape[3]) if x.shape[3] else x, base)


@wrong(
    "The table of angles has a fixed number of rows, and a longer sequence raises. Nothing in the task limits the "
    "length: make the table for the sequence that came."
)
def table_of_fixed_length(x: Tensor, base: float = 10000.0) -> Tensor:
    """2048 rows and no more."""
    even(x)
    cos, sin = tables(x, base, seq=min(x.shape[-2], 2048))
    return turn(x, cos, sin).to(x.dtype)


@wrong(
    "The table of angles has a fixed number of rows, and a longer sequence asks for rows behind its end, which "
    "raises. Nothing in the task limits the length: make the table for the sequence that came."
)
def table_read_beyond_its_end(x: Tensor, base: float = 10000.0) -> Tensor:
    """4096 rows, taken by their numbers."""
    even(x)
    cos, sin = tables(x, base, seq=4096)
    places = torch.arange(x.shape[-2], device=x.device)
    return turn(x, cos[places], sin[places]).to(x.dtype)


# Tables that don't fit x: most of these raise, and where sizes happen to agree they turn by wrong angles


def laid(x: Tensor, base: float, rows: int, place: Callable[[Tensor], Tensor] = lambda table: table) -> Tensor:
    """x turned with tables of `rows` rows as wide as x, in the place that they are given against its axes."""
    even(x)
    cos, sin = (place(torch.cat([table, table], -1)) for table in tables(x, base, seq=rows))
    return at_full_width(x, cos, sin)


def at_full_width(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """x times the cosines plus its quarter-turned copy times the sines, in whatever shape the tables are."""
    first, second = x.chunk(2, -1) if x.shape[-1] else (x, x)
    return (x * cos + torch.cat([-second, first], -1) * sin).to(x.dtype)


@wrong(
    "The tables of cosines and sines have more rows than x has positions: they were made for some longest length and "
    "never cut to seq, or counted one too far. A table must have a row for each of the positions 0 … seq − 1 of this "
    "x, and no more. Print the shapes of x and of the table."
)
def table_too_long(x: Tensor, base: float = 10000.0) -> Tensor:
    """2048 rows, whatever the length."""
    return laid(x, base, 2048)


@wrong(
    "The tables of cosines and sines have one row too few: the positions end with seq − 2. arange(n) has n numbers, "
    "0 … n − 1, so arange(seq) is all that is needed."
)
def table_one_row_short(x: Tensor, base: float = 10000.0) -> Tensor:
    """arange(seq - 1)."""
    return laid(x, base, max(x.shape[-2] - 1, 0))


@wrong(
    "The tables of cosines and sines have a row for each *head*: the number of positions was read from the wrong axis "
    "of x.shape. The axes are (batch, heads, seq, head_dim), so seq is x.shape[2]. Where heads and seq happen to be "
    "equal nothing shows."
)
def rows_counted_from_heads(x: Tensor, base: float = 10000.0) -> Tensor:
    """Positions up to x.shape[1]."""
    return laid(x, base, x.shape[1])


@wrong(
    "The tables of cosines and sines have a row for each row of the *batch*: the number of positions was read from "
    "the wrong axis of x.shape. The axes are (batch, heads, seq, head_dim), so seq is x.shape[2]."
)
def rows_counted_from_batch(x: Tensor, base: float = 10000.0) -> Tensor:
    """Positions up to x.shape[0]."""
    return laid(x, base, x.shape[0])


@wrong(
    "The tables of cosines and sines have a row for each *channel*: the number of positions was read from the last "
    "axis of x.shape, which is head_dim. The axes are (batch, heads, seq, head_dim), so seq is x.shape[2]."
)
def rows_counted_from_head_dim(x: Tensor, base: float = 10000.0) -> Tensor:
    """Positions up to x.shape[-1]."""
    return laid(x, base, x.shape[-1])


@wrong(
    "The table of angles lies on its side: a row for each frequency and a column for each position. Against x (…, "
    "seq, head_dim) it must be (seq, head_dim/2), before it is doubled. Look at the order of the two arguments of "
    "outer, or at which of the two got the new axis."
)
def table_on_its_side(x: Tensor, base: float = 10000.0) -> Tensor:
    """outer(frequencies, positions)."""
    even(x)
    cos, sin = (torch.cat([table.T, table.T], -1) for table in tables(x, base))
    return at_full_width(x, cos, sin)


@wrong(
    "Positions and frequencies are multiplied number by number, as two rows, where every position must meet every "
    "frequency. That needs a column times a row (positions[:, None] * frequencies, or outer), and gives a table of "
    "(seq, head_dim/2)."
)
def positions_beside_frequencies(x: Tensor, base: float = 10000.0) -> Tensor:
    """(seq,) times (half,)."""
    even(x)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device) * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Tables with head_dim/2 columns meet all head_dim channels of x at once, and don't fit. Either the table is "
    "laid twice, side by side, or x is taken apart into its two halves and each half meets the table."
)
def angles_not_doubled(x: Tensor, base: float = 10000.0) -> Tensor:
    """(seq, half) against (…, seq, head_dim)."""
    even(x)
    return at_full_width(x, *tables(x, base))


@wrong(
    "The tables are twice as wide as x: they had head_dim columns already and were doubled all the same. There are "
    "head_dim/2 frequencies, one for each pair; laid twice, side by side, they are as wide as x."
)
def table_twice_as_wide(x: Tensor, base: float = 10000.0) -> Tensor:
    """A frequency for each channel, and the table doubled."""
    return laid(x, base, x.shape[-2], lambda table: torch.cat([table, table], -1))


@wrong(
    "The tables are as wide as x and meet its *halves*, which are half as wide. Either there is a frequency for each "
    "channel where there should be one for each pair, or the table was laid twice, which is for x as a whole."
)
def full_table_against_halves(x: Tensor, base: float = 10000.0) -> Tensor:
    """(seq, head_dim) against (…, seq, half)."""
    even(x)
    cos, sin = (torch.cat([table, table], -1) for table in tables(x, base))
    return turn(x, cos, sin).to(x.dtype)


@wrong(
    "The two copies of the table are laid one *below* the other: it has twice the rows and half the columns that are "
    "asked for. They belong side by side, along the last axis (dim=-1; with repeat, the second of two numbers)."
)
def table_doubled_along_seq(x: Tensor, base: float = 10000.0) -> Tensor:
    """cat along the axis of positions."""
    even(x)
    cos, sin = (torch.cat([table, table], 0) for table in tables(x, base))
    return at_full_width(x, cos, sin)


@wrong(
    "There are too few frequencies, about head_dim/4: the range ends at half and goes up in steps of 2. One of the "
    "two is enough: arange(half), or arange(0, head_dim, 2). Every pair has a frequency of its own."
)
def too_few_frequencies(x: Tensor, base: float = 10000.0) -> Tensor:
    """Frequencies from arange(0, half, 2)."""
    even(x)
    cos, sin = (torch.cat([table[:, ::2], table[:, ::2]], -1) for table in tables(x, base))
    return at_full_width(x, cos, sin)


@wrong(
    "There are too few frequencies, about head_dim/4, for halves of head_dim/2 channels: the range ends at half and "
    "goes up in steps of 2. One of the two is enough: arange(half), or arange(0, head_dim, 2). Every pair has a "
    "frequency of its own."
)
def too_few_frequencies_for_halves(x: Tensor, base: float = 10000.0) -> Tensor:
    """Frequencies from arange(0, half, 2), against each half of x."""
    even(x)
    cos, sin = (table[:, ::2] for table in tables(x, base))
    return turn(x, cos, sin).to(x.dtype)


@wrong(
    "The rows of the tables meet the *heads* of x: the table got its new axis in the wrong place, as (seq, 1, "
    "head_dim). Broadcasting fits shapes together from the right, and seq is the last axis but one: (seq, head_dim) "
    "fits as it is."
)
def table_laid_along_heads(x: Tensor, base: float = 10000.0) -> Tensor:
    """unsqueeze(1) of a table of two axes."""
    return laid(x, base, x.shape[-2], lambda table: table.unsqueeze(1))


@wrong(
    "The rows of the tables meet the *batch* axis of x: the table was given two new axes behind its rows, as (seq, "
    "1, 1, head_dim). Broadcasting fits shapes together from the right, and seq is the last axis but one: (seq, "
    "head_dim) fits as it is."
)
def table_laid_along_batch(x: Tensor, base: float = 10000.0) -> Tensor:
    """Two new axes between rows and columns."""
    return laid(x, base, x.shape[-2], lambda table: table[:, None, None])


@wrong(
    "The two copies of the table are *stacked* and lie along a new axis of size 2, where one should follow the other. "
    "cat joins along an axis that is there already; stack makes a new one."
)
def table_stacked(x: Tensor, base: float = 10000.0) -> Tensor:
    """stack where cat is meant."""
    even(x)
    cos, sin = (torch.stack([table, table], -1) for table in tables(x, base))
    return at_full_width(x, cos, sin)


@wrong(
    "The two halves of the quarter-turned copy of x are joined along seq, so it has twice as many vectors of half the "
    "width. They belong side by side: cat along the last axis (dim=-1)."
)
def halves_joined_along_seq(x: Tensor, base: float = 10000.0) -> Tensor:
    """cat along the axis of positions."""
    even(x)
    first, second = x.chunk(2, -1) if x.shape[-1] else (x, x)
    cos, sin = (torch.cat([table, table], -1) for table in tables(x, base))
    return (x * cos + torch.cat([-second, first], -2) * sin).to(x.dtype)


@wrong(
    "The partner of a vector is another *vector*, half a sequence away: x was split in two along seq instead of "
    "head_dim. The halves of a pair lie in one vector; split the last axis (dim=-1)."
)
def halves_of_the_sequence(x: Tensor, base: float = 10000.0) -> Tensor:
    """The copy of x for the sine made along seq."""
    even(x)
    cos, sin = (torch.cat([table, table], -1) for table in tables(x, base))
    half = x.shape[-2] // 2
    return (x * cos + torch.cat([-x[:, :, half:], x[:, :, :half]], -2) * sin).to(x.dtype)


@wrong(
    "x is taken apart into three sizes, and it has four: (batch, heads, seq, head_dim). The heads have been split "
    "already when this function is called. If all that is needed are the last two sizes, ask for x.shape[-2:]."
)
def three_axes_expected(x: Tensor, base: float = 10000.0) -> Tensor:
    """batch, seq, head_dim = x.shape."""
    b, s, d = x.shape
    return right_answer(x.reshape(b, 1, s, d), base)


@wrong(
    "math.cos and math.sin (or numpy's) were given a table: those of math take a single number only. For tensors "
    "there are torch.cos(angles) and torch.sin(angles)."
)
def math_for_torch(x: Tensor, base: float = 10000.0) -> Tensor:
    """math.cos of a tensor."""
    even(x)
    angle = torch.ones(2, 2) if x.is_meta else tables(x, base)[0]
    return x * math.cos(angle) + x * math.sin(angle)


@wrong(
    "Whole numbers meet floating-point ones in a matrix product (@, matmul, einsum), and those want one dtype on both "
    "sides: arange(n) counts in integers unless it is given a dtype. A product by broadcasting takes both, but a "
    "dtype for the positions is the clearer way."
)
def whole_positions_in_a_product(x: Tensor, base: float = 10000.0) -> Tensor:
    """Positions of int64 @ frequencies of float32."""
    even(x)
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, device=x.device) / half)
    angle = torch.arange(x.shape[-2], device=x.device)[:, None] @ frequency[None]
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "torch.view_as_complex was given x as it is. It reads the last axis as (real, imaginary), so that axis must have "
    "size 2, and here it is head_dim. With the halves layout torch.complex(first half, second half) says it directly; "
    "and the result has to become real again."
)
def view_as_complex_without_pairs(x: Tensor, base: float = 10000.0) -> Tensor:
    """view_as_complex of (…, head_dim)."""
    even(x)
    return torch.view_as_complex(x.float()).real


Answer = Callable[..., Tensor]


def cached(key: Callable[[Tensor, float], object], fits: Callable[[Tensor, Tensor], bool] | None = None) -> Answer:
    """An answer that keeps its tables under `key` and makes them anew where they don't fit."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        even(x)
        at = key(x, base)
        if at not in kept or (fits is not None and not fits(x, kept[at][0])):
            with torch.inference_mode(False):
                kept[at] = tables(x, base)
        cos, sin = kept[at]
        return turn(x, cos[: x.shape[-2]], sin[: x.shape[-2]]).to(x.dtype)

    return answer


def long_enough(x: Tensor, cos: Tensor) -> bool:
    """Whether a kept table has a row for every position."""
    return cos.shape[0] >= x.shape[-2]


@wrong(
    "The table kept from the first call has rows for its positions only, and a longer sequence finds too few. Make "
    "it anew when it is too short.",
    fresh=True,
)
def kept_table_never_grows() -> Answer:
    """A cache without a look at the length."""
    return cached(lambda x, base: (x.shape[-1], base, x.dtype, x.device))


@wrong(
    "The table kept from an earlier call is used although `base` has changed since. Everything that the table "
    "depends on belongs into the key of the cache.",
    fresh=True,
)
def kept_table_ignores_base() -> Answer:
    """A cache without base in its key."""
    return cached(lambda x, base: (x.shape[-1], x.dtype, x.device), long_enough)


@wrong(
    "The table kept from an earlier call is used although head_dim has changed since, and has too few or too many "
    "columns. Everything that the table depends on belongs into the key of the cache.",
    fresh=True,
)
def kept_table_ignores_head_dim() -> Answer:
    """A cache without head_dim in its key."""
    return cached(lambda x, base: (base, x.dtype, x.device), long_enough)


@wrong(
    "The *result* of an earlier call is kept and returned for another x of the same shape. Only what does not depend "
    "on what x holds may be kept: the table of cosines and sines.",
    fresh=True,
)
def result_kept_by_shape() -> Answer:
    """A cache of results."""
    kept: dict[object, Tensor] = {}

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        key = (*x.shape, base, x.dtype, x.device)
        if key not in kept:
            kept[key] = right_answer(x, base)
        return kept[key]

    return answer


@wrong(
    "Positions go on where the last call ended: a counter survives between calls, as a decoder's would. This "
    "function takes no offset; every call counts from 0.",
    fresh=True,
)
def positions_go_on_between_calls() -> Answer:
    """A counter that is never set back."""
    done = 0

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        nonlocal done
        even(x)
        cos, sin = tables(x, base, seq=done + x.shape[-2])
        cos, sin, done = cos[done:], sin[done:], done + x.shape[-2]
        return turn(x, cos, sin).to(x.dtype)

    return answer


@wrong(
    "The frequencies are kept between calls and changed in place, so every call makes them smaller or larger for the "
    "next one. The first call is right, the second is not. Look for *=, or a method that ends with _, on something "
    "that outlives the call.",
    fresh=True,
)
def kept_frequencies_changed_in_place() -> Answer:
    """Angles multiplied into the kept table."""
    kept: dict[object, Tensor] = {}

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        even(x)
        seq, half = x.shape[-2], x.shape[-1] // 2
        dtype = torch.promote_types(x.dtype, torch.float32)
        key = (seq, half, base, dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                pairs = torch.arange(half, dtype=dtype, device=x.device)
                kept[key] = (base ** (-pairs / half)).repeat(seq, 1)
        angle = kept[key].mul_(torch.arange(seq, dtype=dtype, device=x.device)[:, None])
        return turn(x, angle.cos(), angle.sin()).to(x.dtype)

    return answer


@wrong(
    "What is kept between calls is inverted in place (or has its sign changed), so every second call finds it the "
    "wrong way up: the first call is right, and in the next one frequencies grow from pair to pair. Look for a method "
    "that ends with _ on something that outlives the call.",
    fresh=True,
)
def kept_powers_inverted_in_place() -> Answer:
    """Powers of the base kept, and made frequencies in place."""
    kept: dict[object, Tensor] = {}

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        even(x)
        half, dtype = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
        key = (half, base, dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = base ** (torch.arange(half, dtype=dtype, device=x.device) / half)
        angle = torch.arange(x.shape[-2], dtype=dtype, device=x.device)[:, None] * kept[key].reciprocal_()
        return turn(x, angle.cos(), angle.sin()).to(x.dtype)

    return answer


def through(x: Tensor, base: float, half: torch.dtype) -> Tensor:
    """Everything but the angles in half precision."""
    even(x)
    cos, sin = tables(x.float(), base)
    return turn(x.to(half), cos.to(half), sin.to(half)).to(x.dtype)


@wrong(
    "x, the tables and their products are all rounded to bfloat16: three digits are left, and even position 0 "
    "comes back changed. Compute in float32 at least."
)
def everything_in_bfloat16(x: Tensor, base: float = 10000.0) -> Tensor:
    """x, tables and products in bfloat16."""
    return through(x, base, torch.bfloat16)


@wrong(
    "x itself is rounded to float16 on the way, and so are its products: even position 0 comes back changed. Compute "
    "in float32 at least."
)
def everything_in_float16(x: Tensor, base: float = 10000.0) -> Tensor:
    """x, tables and products in float16."""
    return through(x, base, torch.float16)


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out: float32 tables times a bfloat16 x give float32. The next layer "
    "gets another dtype than it expects and twice the memory. Computing in float32 is right; cast the result to the "
    "dtype of x.",
    craft=True,
)
def half_comes_back_as_float32(x: Tensor, base: float = 10000.0) -> Tensor:
    """Promoted by its tables."""
    even(x)
    return turn(x, *tables(x, base))


@wrong(
    "float32 goes in and float64 comes out: float64 tables times a float32 x give float64. Exact tables are fine; "
    "cast them, or the result, to the dtype of x.",
    craft=True,
)
def comes_back_as_float64(x: Tensor, base: float = 10000.0) -> Tensor:
    """Promoted by its tables."""
    even(x)
    return turn(x, *tables(x, base, dtype=torch.float64))


@wrong(
    "Whatever goes in, float32 comes out. The result has the dtype of x: cast back to that, not to a fixed dtype.",
    craft=True,
)
def always_float32(x: Tensor, base: float = 10000.0) -> Tensor:
    """Cast to float32 at the end."""
    even(x)
    return turn(x, *tables(x, base)).float()


@wrong(
    "For a float64 x the angles are computed in float32: the result says float64 and is right to seven digits at "
    "best, fewer with every position. A gradient check in float64 would fail. Let the dtype of the tables follow x, "
    "with float32 as the least.",
    craft=True,
)
def float64_with_float32_angles(x: Tensor, base: float = 10000.0) -> Tensor:
    """float32 tables, whatever x is."""
    even(x)
    return turn(x, *tables(x, base, dtype=torch.float32)).to(x.dtype)


@wrong(
    "A float64 x is cut down to float32 and cast back at the end, so that even position 0 is changed. .float() is "
    "right for half precision and loses digits for float64; the least dtype to compute in is float32, not the only "
    "one.",
    craft=True,
)
def float64_cut_to_float32(x: Tensor, base: float = 10000.0) -> Tensor:
    """x.float(), whatever x is."""
    return right_answer(x.float(), base).to(x.dtype)


@wrong(
    "Everything is computed in the dtype of x: in bfloat16 frequencies, positions and angles are all rounded, and "
    "vectors are turned wrongly from about position 17 on. Make the tables in float32 and cast at the end.",
    craft=True,
)
def half_all_the_way(x: Tensor, base: float = 10000.0) -> Tensor:
    """Tables in x.dtype."""
    even(x)
    half, dtype = x.shape[-1] // 2, x.dtype
    frequency = 1.0 / (base ** (torch.arange(half, dtype=dtype, device=x.device) / half))
    angle = torch.arange(x.shape[-2], dtype=dtype, device=x.device)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin())


def rounded_in_half(x: Tensor, base: float, what: str) -> Tensor:
    """A right answer but for one quantity that takes the dtype of x."""
    even(x)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    places = torch.arange(x.shape[-2], dtype=wide, device=x.device)
    frequency = frequency.to(x.dtype).to(wide) if what == "frequency" else frequency
    places = places.to(x.dtype).to(wide) if what == "places" else places
    angle = places[:, None] * frequency
    angle = angle.to(x.dtype).to(wide) if what == "angle" else angle
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "With a half-precision x the frequencies are cast to its dtype before they meet the positions. Pair 0 is right, "
    "the others drift. Keep frequencies in float32; cast the result.",
    craft=True,
)
def half_frequencies(x: Tensor, base: float = 10000.0) -> Tensor:
    """Frequencies in x.dtype."""
    return rounded_in_half(x, base, "frequency")


@wrong(
    "With a half-precision x the positions are cast to its dtype: bfloat16 holds whole numbers up to 256, float16 up "
    "to 2048, and beyond that neighbours share an angle. Keep positions in float32; cast the result.",
    craft=True,
)
def half_positions(x: Tensor, base: float = 10000.0) -> Tensor:
    """Positions in x.dtype."""
    return rounded_in_half(x, base, "places")


@wrong(
    "With a half-precision x the angles are cast to its dtype before their cosine is taken. An angle of 100 has "
    "steps of 0.5 in bfloat16. Take cos and sin of float32 angles and round what they return.",
    craft=True,
)
def half_angles(x: Tensor, base: float = 10000.0) -> Tensor:
    """Angles in x.dtype."""
    return rounded_in_half(x, base, "angle")


@wrong(
    "Half precision raises: torch's complex functions (complex, polar, view_as_complex) don't take bfloat16, and "
    "float16 only in part. Widen x to float32 before, and cast the result back.",
    craft=True,
)
def half_refused(x: Tensor, base: float = 10000.0) -> Tensor:
    """Complex numbers of the dtype of x."""
    even(x)
    cos, sin = tables(x, base)
    first, second = (x.float() if x.dtype == torch.float16 else x).chunk(2, -1)
    turned = torch.complex(first, second) * torch.complex(cos, sin)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


@wrong(
    "A table that a half-precision call left behind is used for a float32 x later, with its few digits. The dtype "
    "belongs into the key of the cache.",
    craft=True,
    fresh=True,
)
def kept_table_ignores_dtype() -> Answer:
    """A cache of tables in x.dtype, without the dtype in its key."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        even(x)
        key = x.shape[-1], base, x.device
        if key not in kept or not long_enough(x, kept[key][0]):
            with torch.inference_mode(False):
                cos, sin = tables(x, base)
                kept[key] = cos.to(x.dtype), sin.to(x.dtype)
        cos, sin = kept[key]
        return turn(x, cos[: x.shape[-2]], sin[: x.shape[-2]]).to(x.dtype)

    return answer


@wrong(
    "A table that a float32 call left behind is used for a float64 x later, which is then only as exact as float32. "
    "The dtype belongs into the key of the cache.",
    craft=True,
    fresh=True,
)
def kept_float32_table_for_float64() -> Answer:
    """A cache of wide enough tables, without their dtype in the key."""
    return cached(lambda x, base: (x.shape[-1], base, x.device), long_enough)


@wrong(
    "A table that is kept between calls does not know its device: made for one, it is used on another. The device "
    "belongs into the key of the cache.",
    craft=True,
    fresh=True,
)
def kept_table_ignores_device() -> Answer:
    """A cache without the device in its key."""
    return cached(lambda x, base: (x.shape[-1], base, x.dtype), long_enough)


@wrong(
    "A table made in inference mode is kept and used in training later, where backward refuses it: inference tensors "
    "can't be saved for backward. Make what is kept outside of inference mode (torch.inference_mode(False)), or "
    "don't keep it.",
    craft=True,
    fresh=True,
)
def kept_table_from_inference() -> Answer:
    """A cache filled in whatever mode the caller is."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, base: float = 10000.0) -> Tensor:
        even(x)
        key = *x.shape[-2:], base, x.dtype, x.device
        if key not in kept:
            kept[key] = tables(x, base)
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that sets "
    "it to bfloat16, as many training scripts do, rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_frequencies(x: Tensor, base: float = 10000.0) -> Tensor:
    """arange / number, without a dtype."""
    even(x)
    d, wide = x.shape[-1], torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, d, 2, device=x.device) / d
    frequency = 1.0 / base**exponent
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Frequencies and angles take torch's default dtype (an integer arange divided by a number does, and so does its "
    "product with whole positions), so a program that sets it to bfloat16, as many training scripts do, rounds both. "
    "Name the dtype.",
    craft=True,
)
def default_dtype_angles(x: Tensor, base: float = 10000.0) -> Tensor:
    """arange / number times arange, without a dtype."""
    even(x)
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, device=x.device) / half)
    angle = torch.arange(x.shape[-2], device=x.device)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "torch.set_default_dtype is called inside and left changed, so every tensor that the program makes later has "
    "another dtype. Name the dtype where tensors are made.",
    craft=True,
)
def default_dtype_set(x: Tensor, base: float = 10000.0) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(x, base)


@wrong(
    "torch.set_default_dtype is called with the dtype of x and left so. As long as x is float32 nobody notices; "
    "after a bfloat16 or float64 x every tensor that the program makes has another dtype. Name the dtype where "
    "tensors are made.",
    craft=True,
)
def default_dtype_set_to_that_of_x(x: Tensor, base: float = 10000.0) -> Tensor:
    """Leaves the dtype of x as the default."""
    torch.set_default_dtype(x.dtype)
    return right_answer(x, base)


@wrong(
    "torch.set_default_dtype(torch.float32) is called inside, to be sure of float32. In a program whose default is "
    "another dtype, every tensor made after the call then has another one than before. Name the dtype where tensors "
    "are made.",
    craft=True,
)
def default_dtype_set_to_float32(x: Tensor, base: float = 10000.0) -> Tensor:
    """Leaves float32 as the default, which it mostly is."""
    torch.set_default_dtype(torch.float32)
    return right_answer(x, base)


@wrong(
    "Under autocast the angles are rounded to bfloat16: their table is a matrix product (@, matmul, mm), and those "
    "are what autocast lowers. Multiply a column by a row, by broadcasting, or switch autocast off for the table. "
    "(On recent GPUs the same product may run in TF32 and round positions beyond 2048.)",
    craft=True,
)
def angles_by_matmul(x: Tensor, base: float = 10000.0) -> Tensor:
    """Positions @ frequencies."""
    even(x)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] @ frequency[None]
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Tensors are made without saying where, so they are made on the CPU, and on a GPU the product with x raises. "
    "Pass the device of x to every factory.",
    craft=True,
)
def made_without_device(x: Tensor, base: float = 10000.0) -> Tensor:
    """arange without a device."""
    even(x)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide) / half)
    angle = torch.arange(x.shape[-2], dtype=wide)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    'Tables are made on a fixed device: "cpu" (or "cuda") is written into the code. Where x is elsewhere the product '
    "with it raises. Take the device of x.",
    craft=True,
)
def device_written_out(x: Tensor, base: float = 10000.0) -> Tensor:
    """device="cpu"."""
    even(x)
    return turn(x, *tables(x, base, device=torch.device("cpu"))).to(x.dtype)


@wrong(
    "The tables come from numpy, which knows the CPU only. Where x is elsewhere the product with it raises. Take "
    "torch's own arange, cos and sin, on the device of x.",
    craft=True,
)
def tables_from_numpy(x: Tensor, base: float = 10000.0) -> Tensor:
    """Angles made by numpy."""
    import numpy as np

    even(x)
    frequency = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    angle = torch.from_numpy(np.outer(np.arange(x.shape[-2]), frequency))
    angle = angle.to(torch.promote_types(x.dtype, torch.float32))
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "x is brought to the CPU with .cpu() and taken back afterwards (or not at all): on a GPU that stops everything "
    "and copies twice. All of it can be done where x is.",
    craft=True,
)
def brought_to_the_cpu(x: Tensor, base: float = 10000.0) -> Tensor:
    """.cpu() and back."""
    return right_answer(x.cpu(), base).to(x.device)


@wrong(
    "Numbers are taken out of tensors one by one (.item(), .tolist(), float(…)). On a GPU each one waits until "
    "everything before it is done, and compilers and vmap stop there. Let the tensors be multiplied as a whole.",
    craft=True,
)
def numbers_taken_out(x: Tensor, base: float = 10000.0) -> Tensor:
    """Frequencies as Python numbers."""
    even(x)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    places = torch.arange(x.shape[-2], dtype=wide, device=x.device)
    if not x.is_meta:
        columns = [places * frequency[i].item() for i in range(half)]
        angle = torch.stack(columns, -1)
    else:
        angle = places[:, None] * frequency[0].item()
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Numbers are taken out of a tensor all at once, by .tolist(), and put back into a new one. On a GPU that waits "
    "until everything before it is done, and compilers and vmap stop there. Let the tensors be multiplied as a whole.",
    craft=True,
)
def numbers_taken_out_as_a_list(x: Tensor, base: float = 10000.0) -> Tensor:
    """Frequencies as a list of Python numbers."""
    even(x)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    if not x.is_meta:
        frequency = torch.tensor(frequency.tolist(), dtype=wide, device=x.device)
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "An odd head_dim is not refused: it runs into a size mismatch somewhere inside (or, for 1, returns an empty "
    "tensor), which tells the caller nothing. Say what is wrong, with a ValueError, before anything is computed.",
    craft=True,
)
def odd_not_refused(x: Tensor, base: float = 10000.0) -> Tensor:
    """Whatever happens with an odd width."""
    return turn(x, *tables(x, base)).to(x.dtype)


@wrong(
    "With an odd head_dim the last channel is passed on unturned, silently. It has no partner, so the caller made a "
    "mistake: raise ValueError.",
    craft=True,
)
def odd_channel_passed_on(x: Tensor, base: float = 10000.0) -> Tensor:
    """The odd channel kept as it is."""
    if x.shape[-1] % 2:
        return torch.cat([right_answer(x[..., :-1], base), x[..., -1:]], -1)
    return right_answer(x, base)


@wrong(
    "With an odd head_dim the last channel is dropped, silently, and the result is narrower than x. It has no "
    "partner, so the caller made a mistake: raise ValueError.",
    craft=True,
)
def odd_channel_dropped(x: Tensor, base: float = 10000.0) -> Tensor:
    """The odd channel cut off."""
    return right_answer(x[..., : x.shape[-1] // 2 * 2], base)


def turned_evenly(x: Tensor, base: float) -> tuple[Tensor, Tensor]:
    """The even part of x turned by frequencies of its whole width, and what is left over."""
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-2 * torch.arange(half, dtype=wide, device=x.device) / x.shape[-1])
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] * frequency
    return turn(x[..., : 2 * half], angle.cos(), angle.sin()).to(x.dtype), x[..., 2 * half :]


@wrong(
    "With an odd head_dim the last channel is passed on unturned, silently, and still counts in the exponents of the "
    "others. It has no partner, so the caller made a mistake: raise ValueError.",
    craft=True,
)
def odd_channel_passed_on_but_counted(x: Tensor, base: float = 10000.0) -> Tensor:
    """The odd channel kept as it is, exponents divided by the odd width."""
    return torch.cat(turned_evenly(x, base), -1)


@wrong(
    "With an odd head_dim the last channel is dropped, silently, and still counts in the exponents of the others; "
    "the result is narrower than x. It has no partner, so the caller made a mistake: raise ValueError.",
    craft=True,
)
def odd_channel_dropped_but_counted(x: Tensor, base: float = 10000.0) -> Tensor:
    """The odd channel cut off, exponents divided by the odd width."""
    return turned_evenly(x, base)[0]


@wrong(
    "An odd head_dim is refused by assert. That raises AssertionError, and with python -O it is not checked at all. "
    "For a caller's mistake ValueError is asked for.",
    craft=True,
)
def odd_refused_by_assert(x: Tensor, base: float = 10000.0) -> Tensor:
    """assert instead of raise."""
    assert x.shape[-1] % 2 == 0, "head_dim must be even"
    return right_answer(x, base)


@wrong(
    "The result is written into a tensor made from x.shape alone. Under vmap x stands for many tensors and that one "
    "for a single one, so the parts don't fit in. A tensor made *like* x (empty_like) is mapped along with it; cat "
    "needs none.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, base: float = 10000.0) -> Tensor:
    """torch.empty(x.shape) filled by slices."""
    even(x)
    half = x.shape[-1] // 2
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    turned = right_answer(x, base)
    out[..., :half], out[..., half:] = turned[..., :half], turned[..., half:]
    return out


@wrong(
    "The code looks at what x holds to decide what to do (an if, an assert or any() on tensor values). On a GPU that "
    "waits for everything before it, and vmap and compilers can't follow. The shape of x is free to ask.",
    craft=True,
)
def looks_at_values(x: Tensor, base: float = 10000.0) -> Tensor:
    """A guard on NaN."""
    if not x.is_meta and torch.isnan(x).any():
        raise ValueError("x must not hold NaN")
    return right_answer(x, base)


@wrong(
    "The result is right, but a Python loop runs over the positions: thousands of small torch calls where one would "
    "do. A table of all angles at once needs no loop.",
    craft=True,
)
def loop_over_positions(x: Tensor, base: float = 10000.0) -> Tensor:
    """One position after the other, where few enough to be quick."""
    even(x)
    if x.shape[-2] > 100 or not x.shape[-2]:
        return right_answer(x, base)
    cos, sin = tables(x, base)
    rows = [turn(x[..., p, :], cos[p], sin[p]) for p in range(x.shape[-2])]
    return torch.stack(rows, -2).to(x.dtype)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_complex_numbers(x: Tensor, base: float = 10000.0) -> Tensor:
    """A product of complex numbers in float32 or float64."""
    even(x)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    half = x.shape[-1] // 2
    z = torch.complex(*wide.chunk(2, -1))
    frequency = torch.exp(torch.arange(half, dtype=wide.dtype, device=x.device) * (-math.log(base) / half))
    angle = torch.arange(x.shape[-2], dtype=wide.dtype, device=x.device)[:, None] * frequency
    turned = z * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


@accepted
def by_roll(x: Tensor, base: float = 10000.0) -> Tensor:
    """The partner by a roll of half the width, tables from float64, all cast to the dtype of x before the product."""
    even(x)
    cos, sin = (table.to(x.dtype) for table in tables(x, base, dtype=torch.float64))
    return x * torch.cat([cos, cos], -1) + x.roll(x.shape[-1] // 2, -1) * torch.cat([-sin, sin], -1)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────


def reading(got: Tensor, want: Tensor) -> list[str]:
    """What wrong values say when they are read as angles: which pairs turn too far or too little with each step."""
    if (
        got.is_complex()
        or got.shape != want.shape
        or want.dim() < 4
        or want.shape[-1] % 2
        or want.shape[-2] < 2
        or not want.numel()
    ):
        return []
    ours, theirs = (pairs_of(t).reshape(-1, *t.shape[-2:-1], t.shape[-1] // 2)[0] for t in (got, want))
    if not bool(((ours.abs() - theirs.abs()).abs() <= 1e-2 * theirs.abs()).all()):
        return ["pairs change their length, so this is not a rotation of the pairs (i, i + head_dim/2)"]
    off = torch.angle(ours[:2] * theirs[:2].conj())  # (2, half), how far the first two positions are turned too far
    step = torch.angle(torch.polar(torch.ones_like(off[1]), off[1] - off[0]))
    told = [f"pair {i} by {step[i]:+.4g}" for i in range(len(step)) if abs(float(step[i])) > 1e-4]
    if not told:
        return ["lengths are kept and the first step is right; the angles go wrong later on"]
    more = f" and {len(told) - 4} more" if len(told) > 4 else ""
    return [f"lengths are kept; with each step these turn too far, in radians: {', '.join(told[:4])}{more}"]


HINTS = [
    hint(
        "Start from one pair at one position: a point (a, b) in the plane, turned by an angle. Write down its two new "
        "coordinates; everything else is doing that for all pairs and positions at once."
    ),
    hint(
        "You need a table of angles with a row for each position and a column for each pair, and its cosines and "
        "sines. It depends on the shape of x and on base, never on what x holds. Which axis of x do the rows belong "
        "to?"
    ),
    hint(
        "Both members of a pair meet the same angle, so the table is laid twice, side by side. Beside x itself you "
        "need a copy of x in which each member has been replaced by its partner, one of the two with a minus."
    ),
    hint(
        "Put x = [1, 2, 3, 4] at position 1 and compare with the example in the statement, channel by channel. Which "
        "of your channels hold a mix of 1 and 3, and where do they stand?",
        "interleaved",
        "reads_halves_writes_neighbours",
        "reads_neighbours_writes_halves",
        "halves_exchanged_in_result",
        "frequency_for_each_channel",
        "angles_repeated_for_neighbours",
        "partner_is_the_neighbour",
        "mirrored_pairs",
        "only_even_members",
    ),
    hint(
        "Take one pair, (1, 0), and an angle of a quarter turn: the cosine is 0, the sine is 1. Where should the "
        "point end up, and where does yours?",
        "turned_backwards",
        "minus_missing",
        "halves_not_exchanged",
        "sine_meets_x_itself",
        "minus_on_both_halves",
        "sine_and_cosine_exchanged",
        "only_cosine",
        "cosine_forgotten",
        "halves_scaled_by_cosine_and_sine",
    ),
    hint(
        "Print the frequencies for head_dim 8 and base 10000. They should read 1, 0.1, 0.01 and 0.001.",
        "exponent_lacks_the_two",
        "exponent_doubled",
        "exponent_not_divided",
        "division_outside_the_power",
        "divided_after_the_power",
        "half_divides_outside_the_power",
        "divided_by_half_after_the_power",
        "frequencies_start_above_one",
        "pairs_numbered_from_one",
        "odd_exponents",
        "last_frequency_reaches_the_base",
        "frequencies_reversed",
        "one_frequency_for_all",
        "negative_floor_division",
        "slowest_frequency_for_all",
        "exponent_positive",
        "model_width_for_head_dim",
        "logarithm_of_the_base_missing",
        "decimal_logarithm",
        "binary_logarithm",
        "frequencies_fall_linearly",
        "frequencies_fall_linearly_to_the_last",
        "frequencies_fall_linearly_to_zero",
    ),
    hint(
        "Let x hold ones everywhere, with batch 2, heads 3 and seq 4. Which of the 24 vectors come out equal to each "
        "other, and which should?",
        "positions_along_heads",
        "positions_along_batch",
        "positions_run_on_over_heads",
        "positions_run_on_over_batch",
        "vectors_numbered_through",
        "no_position_in_the_angle",
        "every_position_turned_as_the_last",
        "reshape_for_transpose",
        "first_head_only",
        "first_row_only",
        "halves_of_the_sequence",
    ),
    hint(
        "Try torch.tensor([256.0, 257.0, 258.0]).to(torch.bfloat16), and the same with 2049 and float16. Which of "
        "the steps from positions to angles runs in such a dtype?",
        "positions_in_bfloat16",
        "positions_in_float16",
        "frequencies_in_bfloat16",
        "frequencies_in_float16",
        "angles_in_bfloat16",
        "angles_in_float16",
        "half_all_the_way",
        "half_frequencies",
        "half_positions",
        "half_angles",
    ),
    hint(
        "Before the line that raises, print the shape of x and that of your table. Write one under the other, flush "
        "right, as broadcasting does: which sizes stand above each other, and which of them should be equal?",
        "table_too_long",
        "table_one_row_short",
        "rows_counted_from_heads",
        "rows_counted_from_batch",
        "rows_counted_from_head_dim",
        "table_on_its_side",
        "positions_beside_frequencies",
        "angles_not_doubled",
        "table_twice_as_wide",
        "too_few_frequencies",
        "too_few_frequencies_for_halves",
        "table_laid_along_heads",
        "table_laid_along_batch",
        "table_stacked",
        "table_doubled_along_seq",
        "full_table_against_halves",
        "halves_joined_along_seq",
        "table_of_fixed_length",
    ),
    hint(
        "List everything that your table of cosines and sines depends on. Does a call that differs in one of these "
        "find a table that was made without it?",
        "kept_table_never_grows",
        "kept_table_ignores_base",
        "kept_table_ignores_head_dim",
        "kept_table_ignores_dtype",
        "kept_float32_table_for_float64",
        "kept_table_ignores_device",
        "kept_table_from_inference",
        "result_kept_by_shape",
        "positions_go_on_between_calls",
        "kept_frequencies_changed_in_place",
        "kept_powers_inverted_in_place",
    ),
    hint(
        "Two of your lines need the old first half, and two need the old second half. At which line are both still "
        "there?",
        "first_half_overwritten",
        "second_half_overwritten",
        "first_half_of_x_overwritten",
        "written_into_x",
    ),
]

QUIZ = [
    question(
        "Without any positional encoding, and without a mask, the tokens of a text are shuffled. What happens to the "
        "outputs of self-attention?",
        right(
            "They are the same vectors, shuffled in the same way",
            "Attention is permutation-equivariant: scores depend on contents alone, and every output moves with its "
            "token. So it can't tell “dog bites man” from “man bites dog”, and that is the problem to solve.",
        ),
        wrong_choice(
            "Nothing at all: every place gets the vector it had before",
            "That would be permutation-*invariant*. It is often said, but an output belongs to a token and moves "
            "with it.",
        ),
        wrong_choice(
            "All of them change, because the scores change",
            "Each pair of tokens scores as before; only the order in which the scores stand changes.",
        ),
        wrong_choice(
            "Tokens near the end get smaller weights",
            "The softmax knows nothing of places either. Distance matters only once something encodes it.",
        ),
    ),
    question(
        "A query at position 7 and a key at position 4 give a score s. Which change is sure to leave s as it is?",
        right(
            "Both move on by 1000 positions",
            "Both are turned further by the same angles, and a dot product does not notice a common turn.",
        ),
        wrong_choice(
            "The query goes to position 4 and the key to position 7",
            "The offset keeps its size but changes its sign, so every pair meets at the opposite angle. RoPE sees "
            "direction.",
        ),
        wrong_choice(
            "The key's content changes, its position stays",
            "The offset replaces positions in the score, not contents.",
        ),
        wrong_choice(
            "The query moves away from the key",
            "The offset changes, and with it the score. Nor does it have to fall: cosines go up and down.",
        ),
    ),
    question(
        "Where and when in a Llama-like model is this function called?",
        right(
            "In every layer, on queries and keys of every head, after projection and before their dot product",
            "Only the scores are to know positions, so only what enters the scores is turned.",
        ),
        wrong_choice(
            "Once, on the embeddings, before the first layer",
            "That is the place of additive encodings. A turn there would be mixed up by the first projection.",
        ),
        wrong_choice(
            "In every layer, on queries, keys and values",
            "Values carry content to the output; turned, the same content would arrive differently from every "
            "position.",
        ),
        wrong_choice(
            "In every layer, on the scores before the softmax",
            "A score is a single number and can't be turned. Adding something by distance there is what ALiBi does.",
        ),
    ),
    question(
        "head_dim is 4 and base is 10000. A vector (0, 1, 0, 0) stands at position 50. What comes out, roughly?",
        right(
            "(0, 0.878, 0, 0.479)",
            "Channel 1 is the first member of pair 1, whose frequency is 10000^(−2/4) = 0.01. It turns by 0.5 "
            "radians: cos 0.5 and sin 0.5, in channels 1 and 3.",
        ),
        wrong_choice(
            "(0, 0.878, 0, −0.479)",
            "That is a turn by −0.5. A first member that turns counter-clockwise makes its partner positive.",
        ),
        wrong_choice(
            "(−0.479, 0.878, 0, 0)",
            "Here channels 0 and 1 were paired. In the halves layout channel 1 belongs with channel 3.",
        ),
        wrong_choice(
            "(0, 0.284, 0, −0.959)",
            "That is a turn by 5 radians, with a frequency of 0.1: the 2 of the exponent −2i/head_dim was lost.",
        ),
    ),
    question(
        "A model was trained on 4096 positions. Its cache holds 100 turned keys, and it is to read texts of 16,000 "
        "tokens. What is true?",
        right(
            "The next token is turned as position 100 and cached keys stay as they are; beyond 4096 expect it to get "
            "worse unless frequencies are rescaled, usually with some fine-tuning",
            "The offset of a new token is the number of tokens before it. And slow pairs reach angles beyond 4096 "
            "that never occurred in training: relative does not mean trained.",
        ),
        wrong_choice(
            "The next token is turned as position 0, since it is the only one of its call; length is no problem",
            "Its place in the call is not its place in the text: every new token would claim to be the first.",
        ),
        wrong_choice(
            "All 101 keys are turned again for the new token; beyond 4096 the table of angles has no rows",
            "Turned keys would be turned twice. And angles follow a formula without an end; it is the training that "
            "ends.",
        ),
        wrong_choice(
            "The next token is turned as position 100, and since scores are relative the model works as well at "
            "16,000 as at 4096",
            "The first half is right. But offsets beyond 4096 are new to the model, and its quality falls soon after.",
        ),
    ),
]
