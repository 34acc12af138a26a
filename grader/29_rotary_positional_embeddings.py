"""How apply_rotary_pos_emb is graded: a product of complex numbers in float64 is the reference."""

SECTION = "Positions"
LEVEL = 2
AFTER = (6, 28)
VERSION = 1
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
HALVES = {"bf16": torch.bfloat16, "fp16": torch.float16}


def close(want: Tensor, dtype: torch.dtype) -> Tensor:
    """How far an answer may be off: the pair's length times what rounding its angle once in float32 costs, per position.

    An angle p·f that was rounded in float32 is off by about p·2⁻²⁴; 2⁻²¹ leaves room for every sound way to write it. To
    that come a few roundings of the result itself.
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
    "reversed": lambda i, d, h, b: (b ** (-2 * i / d)).flip(0),
    "none": lambda i, d, h, b: torch.ones_like(i),
    "slowest": lambda i, d, h, b: torch.full_like(i, b ** (2 / d - 1)),
    "growing": lambda i, d, h, b: (b ** (2 * i.float() / d)).double(),
    "model width": lambda i, d, h, b: b ** (-2 * i / (h * d)),
    "outside the power": lambda i, d, h, b: d / b ** (2 * i),
    "exp": lambda i, d, h, b: torch.exp(-2 * i / d),
    "log10": lambda i, d, h, b: torch.exp(-2 * i / d * math.log10(b)),
    "log2": lambda i, d, h, b: torch.exp(-2 * i / d * math.log2(b)),
    "linear": lambda i, d, h, b: 1 - 2 * i / d * (1 - 1 / b),
    "llama3": lambda i, d, h, b: _llama3(b ** (-2 * i / d)),
}
BASES: dict[str, Callable[[float, int, int], float]] = {
    "given": lambda b, d, s: b,
    "ignored": lambda b, d, s: 10000.0,
    "whole": lambda b, d, s: float(int(b)),
    "500000": lambda b, d, s: 500000.0 if b == 10000.0 else b,
    "1000": lambda b, d, s: 1000.0 if b == 10000.0 else b,
    "ntk": lambda b, d, s: b * (max(s, 2048) / 2048) ** (d / (d - 2) if d > 2 else 1),
}
COUNTS: dict[str, Callable[[Tensor, int], Tensor]] = {  # (position, how many there are) → what is taken for it
    "exact": lambda p, n: p,
    "clamped at 2047": lambda p, n: p.clamp(max=2047),
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
        case "no cosine":
            return a - b * s1, b + a * s2
        case "first alone":
            return a * c1 - b * s1, b
        case "second alone":
            return a, b * c2 + a * s2
        case "added":
            return a + s1, b + c2
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
    return torch.cat([a, b.flip(-1) if layout == "mirrored" else b], -1)


def _tables(angles: Tensor, layout: str, table: str) -> tuple[Tensor, Tensor]:
    """The angles that the first and the second members of the pairs meet."""
    if not table:
        return angles, angles
    doubled = torch.cat([angles, angles], -1) if table == "cat" else angles.repeat_interleave(2, -1)
    return _split(doubled, layout)


def reference(
    x: Tensor,
    base: float = 10000.0,
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
    wide, rest = x.double(), x.double()[..., :0]
    if part in ("first half", "first quarter"):
        width = width // (4 if part == "first half" else 8) * 2
        wide, rest = wide[..., :width], wide[..., width:]
    pairs = torch.arange(width // 2, dtype=torch.float64, device=x.device)
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
        raise Failed(f"position 0 of head {h} changed: channel {i} was {want:.6g} and is {got:.6g}")


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
        raise Failed(text + _kept_elsewhere(x, y))


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
        raise Failed(_angle_story(off, turn, speed, asked), turn_per_step=speed.tolist(), asked=asked.tolist())


def _angle_story(off: Tensor, turn: Tensor, speed: Tensor, asked: Tensor) -> str:
    """What the angles of four pairs at 300 positions say about where they come from."""
    start = int(off.any(-1).nonzero()[0])
    ratio = speed / asked
    if start > 2:
        return f"the angles are right up to position {start - 1} and then go wrong, as if positions were rounded or wrapped"
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
    """`base` is taken as it comes: small, large, not whole, or an int."""
    yield call(draw.normal(1, 2, 5, 8), 10000.0, want=reference)
    for base in (3.5, 500000.0, 12345.5, 100):
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
    yield call(draw.normal(1, 2, 9, 6), want=reference)
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
    """The same shape again, and the very same call again, are right."""
    x = draw.normal(2, 2, 6, 4)
    for again in (x, draw.normal(2, 2, 6, 4), x):
        yield call(again, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(1, 2, 5, 8, dtype=dtype)
        yield call(x, like=x)


@check(craft=True)
def bfloat16_values(draw: Draw) -> Checking:
    """bfloat16 in, bfloat16 out, with angles as exact as in float32."""
    for seq, head_dim in ((5, 8), (600, 32)):
        yield call(draw.normal(1, 2, seq, head_dim, dtype=torch.bfloat16), want=reference)


@check(craft=True)
def float16_values(draw: Draw) -> Checking:
    """float16 in, float16 out, with angles as exact as in float32."""
    for seq, head_dim in ((5, 8), (4200, 16)):
        yield call(draw.normal(1, 1, seq, head_dim, dtype=torch.float16), want=reference)


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` is turned with float64's accuracy."""
    for seq in (5, 400):
        yield call(draw.normal(1, 2, seq, 16, dtype=torch.float64), want=reference)


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
    """The program's default dtype makes no difference."""
    yield call(draw.normal(1, 2, 5, 8), want=reference)
    for name in ("default_bfloat16", "default_float64"):
        yield call(draw.normal(1, 2, 80, 8), want=reference, under=name)


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    x = draw.normal(1, 2, 5, 8)
    reply = yield call(x, want=reference, whole=True)
    if reply.state:
        raise Failed(f"the call left torch's {' and '.join(reply.state)} changed")


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x = draw.normal(1, 2, 5, 8)
    reply = yield call(x, want=reference, under="audit", whole=True)
    if reply.audit:
        what, line = reply.audit[0]
        raise Failed(f"line {line}: {what}", lines=[{"line": line, "text": what} for what, line in reply.audit])
    if draw.warm:
        yield call(x, on="meta", like=x)
        yield call(x, want=reference)


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 6), want=reference)
    for head_dim in (3, 1, 7):
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
        "Neighbouring channels are paired: 0 with 1, 2 with 3 (the layout of GPT-J and of Meta's Llama code). It is a proper "
        "rotation, but the halves layout is asked for: channel i belongs with channel i + head_dim/2. Look at how the last axis "
        "is split, and at how the results are put together again.",
        layout="adjacent",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "The right numbers are computed, and then stored in another order: the two results of each pair stand side by side. In the "
        "halves layout all first members come first, then all second ones. Position 0, which should come back as it was, shows the "
        "new order. Look at the line that joins the two results.",
        writes="adjacent",
    ),
    mistake(
        "reads_neighbours_writes_halves",
        "Pairs are read as neighbours (0 with 1, 2 with 3) but written as halves, so even position 0 comes back in another order. "
        "Reading and writing must use one layout, here halves for both. Look at the slices with a step of 2.",
        layout="adjacent",
        writes="halves",
    ),
    mistake(
        "angles_repeated_for_neighbours",
        "Each angle is laid out twice in a row (as repeat_interleave does), while the partner of a channel is half the width away. "
        "So the two members of a pair meet different angles: that is no rotation, and lengths change. In the halves layout the whole "
        "row of angles is followed by a copy of itself.",
        table="repeated",
    ),
    mistake(
        "partner_is_the_neighbour",
        "Cosines and sines are laid out for halves, but the partner of a channel is taken to be its neighbour (−x1, x0, −x3, x2 …). "
        "The two members of a pair meet different angles, so lengths change. Both must follow the halves layout; look at how the "
        "quarter-turned copy of x is built.",
        layout="adjacent",
        table="cat",
    ),
    mistake(
        "mirrored_pairs",
        "Channel i is paired with channel head_dim − 1 − i, counted from the far end. Asked for is i with i + head_dim/2: the second "
        "half keeps its order. Look for a flip or a negative step.",
        layout="mirrored",
    ),
    # direction and the 2×2 matrix
    mistake(
        "turned_backwards",
        "Every pair turns the wrong way, clockwise. Scores still depend on distance alone and lengths are kept, so nothing inside a "
        "model would look odd until it meets weights trained the other way. The minus belongs to the half that is written first; look "
        "at which half carries it (or at the sign of the angle).",
        sign=-1,
    ),
    mistake(
        "minus_missing",
        "The minus is lost: both members of a pair are added up, as in (a·cos + b·sin, b·cos + a·sin). That stretches one diagonal and "
        "squeezes the other instead of turning. A quarter turn takes (a, b) to (−b, a).",
        how="no minus",
    ),
    mistake(
        "halves_not_exchanged",
        "The two halves are not exchanged before they meet the sine: each channel is multiplied by cos − sin or cos + sin of its own angle "
        "and never sees its partner. The copy that meets the sine must hold the *other* member of each pair.",
        how="no swap",
    ),
    mistake(
        "sine_meets_x_itself",
        "Both the cosine and the sine multiply x itself, so each channel is only scaled, by cos + sin. The sine belongs to the partner: every "
        "pair (a, b) turned by a quarter, (−b, a).",
        how="own sine",
    ),
    mistake(
        "minus_on_both_halves",
        "Both halves of the partner carry a minus, (−b, −a). Only one does in a rotation: with (−b, a) the two members keep their common "
        "length, with two minuses they are reflected and stretched.",
        how="two minuses",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "Sine and cosine have changed places, so position 0 is already turned by a right angle and everything turns back from there. "
        "At angle 0 the cosine is 1 and must multiply x itself. Look at the order in which the two tables are returned, unpacked or passed.",
        how="sine for cosine",
    ),
    mistake(
        "first_half_overwritten",
        "The second half is computed from the first half as it is *after* turning. The old value is gone when it is needed: the same name "
        "was assigned again, or a view was written to. Both new halves need both old ones.",
        how="first overwritten",
    ),
    mistake(
        "second_half_overwritten",
        "The first half is computed from the second half as it is *after* turning. The old value is gone when it is needed; both new halves "
        "need both old ones. Compute both before you store either.",
        how="second overwritten",
    ),
    mistake(
        "only_cosine",
        "x is multiplied by the cosines and that is all: pairs shrink along their axes and vanish at a quarter turn. What is missing is the part "
        "in which each member receives its partner, times the sine.",
        how="cosine alone",
    ),
    mistake(
        "cosine_forgotten",
        "The partner times the sine is added to x as it is; x was never multiplied by the cosine. Lengths grow wherever the sine is not 0. "
        "A turn needs both parts.",
        how="no cosine",
    ),
    mistake(
        "added_instead_of_turned",
        "Sines and cosines are *added* to x, as sinusoidal encodings are added to embeddings. RoPE adds nothing: it multiplies, and turns "
        "pairs of channels by an angle. Compare position 0, which must come back as it was.",
        how="added",
    ),
    mistake(
        "turned_copy_added_to_x",
        "The turned vectors are added to x, as in a residual connection. The turned vectors are the result themselves.",
        how="added to itself",
    ),
    # how much of it
    mistake(
        "second_half_left_alone",
        "Only the first half of the channels is new; the second comes back as it was. A rotation moves both members of a pair. Look for a "
        "second line like the first, with a plus.",
        how="first alone",
    ),
    mistake(
        "first_half_left_alone",
        "Only the second half of the channels is new; the first comes back as it was. A rotation moves both members of a pair.",
        how="second alone",
    ),
    mistake(
        "only_first_members",
        "What comes back is half as wide: the first member of every pair and nothing else. A point in the plane has two coordinates, and the "
        "second one, first·sin + second·cos, must be returned too, behind the first ones.",
        keep="first",
    ),
    mistake(
        "only_second_members",
        "What comes back is half as wide: the second member of every pair and nothing else. The first members belong in front of them.",
        keep="second",
    ),
    mistake(
        "only_even_members",
        "This is the line even·cos − odd·sin that many short introductions print, and it is half of a rotation: it yields the new even "
        "channels, and the odd ones (even·sin + odd·cos) are missing, so the result is half as wide, lengths are lost and scores are "
        "no longer relative. Besides, even and odd channels are the other layout: here channel i belongs with i + head_dim/2.",
        layout="adjacent",
        keep="first",
    ),
    mistake(
        "not_turned",
        "x comes back as it went in. Shape, lengths, relative scores and position 0 are all right that way, and no position is encoded. "
        "Every vector but those at position 0 must be turned.",
        where="nowhere",
    ),
    mistake(
        "only_half_the_channels",
        "Only the first half of each head is turned, as a smaller head of its own, and the rest is passed on (partial rotary, as in GPT-NeoX "
        "or Phi). Here all of head_dim takes part. Look for a rotary_dim or a factor of 0.5.",
        part="first half",
    ),
    mistake(
        "only_a_quarter_of_the_channels",
        "Only the first quarter of each head is turned and the rest is passed on (GPT-NeoX's rotary_pct of 0.25). Here all of head_dim takes part.",
        part="first quarter",
    ),
    mistake(
        "half_the_pairs_stand_still",
        "The slower half of the pairs is not turned at all: their frequencies are 0, or the loop over pairs ends too early. "
        "There are head_dim/2 pairs and each has a frequency.",
        part="half the pairs",
    ),
    mistake(
        "first_head_only",
        "Only head 0 is turned; the others come back as they were. Positions count in every head. Look for an index where a slice or "
        "broadcasting belongs.",
        where="first head",
    ),
    mistake(
        "first_row_only",
        "Only the first batch row is turned; the others come back as they were. Look for an index [0] along the batch axis.",
        where="first row",
    ),
    mistake(
        "last_position_left_out",
        "The last position comes back unturned: the positions end one too early. There are seq of them, 0 … seq − 1.",
        where="not the last",
    ),
    mistake(
        "last_position_only",
        "Only the last position is turned, as if the others had been turned in earlier calls. This function turns all of them.",
        where="last",
    ),
    mistake(
        "scaled_by_head_dim",
        "The turned vectors are divided by √head_dim as well. That factor belongs to the score, once, and not to q and k. Turning keeps every length.",
        gain="1/√d",
    ),
    mistake(
        "normalised",
        "Every vector comes back with length 1. Normalising queries and keys is another technique (QK-norm); RoPE keeps each length as it is.",
        gain="unit",
    ),
    # frequencies
    mistake(
        "exponent_lacks_the_two",
        "The exponent is i/head_dim; the 2 is lost. Frequencies fall only from 1 to 1/√base. Pair i owns *two* channels, hence −2i/head_dim. "
        "With arange(half) the divisor is half; head_dim goes with arange(0, head_dim, 2).",
        schedule="i/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should: 2i is divided by head_dim/2. Either the 2 stands above or the half stands below, not both.",
        schedule="4i/d",
    ),
    mistake(
        "exponent_not_divided",
        "The exponent is −2i and is never divided by head_dim, so pair 1 turns by 1/base² already and all but pair 0 stand almost still.",
        schedule="2i",
    ),
    mistake(
        "division_outside_the_power",
        "base is raised to 2i, and head_dim divides *afterwards*: ** binds tighter than /. The division belongs into the exponent; look "
        "at the brackets.",
        schedule="outside the power",
    ),
    mistake(
        "frequencies_start_above_one",
        "The exponent is −2(i − 1)/head_dim, the formula of the paper, where pairs are numbered from 1. Numbered from 0, as arange does, the −1 has to "
        "go: pair 0 turns by exactly one radian a step.",
        schedule="2(i-1)/d",
    ),
    mistake(
        "pairs_numbered_from_one",
        "Pairs are numbered 1, 2, … in the exponent, so every pair has the frequency of its successor and none turns by one radian. "
        "Pair 0 has the exponent 0.",
        schedule="2(i+1)/d",
    ),
    mistake(
        "odd_exponents",
        "The exponents are those of the odd channels, 1/head_dim, 3/head_dim, …: the range starts at 1. Pair i has the exponent −2i/head_dim, "
        "starting at 0.",
        schedule="(2i+1)/d",
    ),
    mistake(
        "last_frequency_reaches_the_base",
        "The exponents run from 0 to −1 *inclusive*: they were divided by half − 1, as tensor2tensor's timing signal does or linspace would. Here they "
        "are divided by half, and the last pair stops short of 1/base.",
        schedule="i/(half-1)",
    ),
    mistake(
        "frequencies_reversed",
        "The frequencies stand in the wrong order: pair 0 is the slowest and the last pair turns by one radian. The first pair is the fastest.",
        schedule="reversed",
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs turn alike, by one radian with each step. Each pair has a frequency of its own; if yours all came out as 1, an integer "
        "division (//) has made every exponent 0.",
        schedule="none",
    ),
    mistake(
        "slowest_frequency_for_all",
        "All pairs turn alike, with the frequency of the last pair. Each pair has a frequency of its own; look for a single number where a row "
        "of them belongs, perhaps a loop variable that is used after its loop.",
        schedule="slowest",
    ),
    mistake(
        "exponent_positive",
        "The frequencies grow from pair to pair, up to nearly base radians a step: the exponent has lost its minus, or an inverse was taken twice. "
        "They must fall from 1 to almost 1/base.",
        schedule="growing",
    ),
    mistake(
        "model_width_for_head_dim",
        "The exponent is divided by heads · head_dim, the width of the whole model. Every head has the full range of frequencies, so it is head_dim "
        "that divides. With one head the two agree, which is why small tests don't show it.",
        schedule="model width",
    ),
    mistake(
        "logarithm_of_the_base_missing",
        "The frequencies are e^(−2i/head_dim), whatever the base: writing a power with exp needs the logarithm of the base in the exponent.",
        schedule="exp",
    ),
    mistake(
        "decimal_logarithm",
        "The power is written with exp, and the base enters by its *decimal* logarithm. exp belongs with the natural logarithm.",
        schedule="log10",
    ),
    mistake(
        "binary_logarithm",
        "The power is written with exp, and the base enters by its *binary* logarithm. exp belongs with the natural logarithm, exp2 with the binary one.",
        schedule="log2",
    ),
    mistake(
        "frequencies_fall_linearly",
        "The frequencies fall from 1 by equal *differences*. They must fall by equal *factors*: base raised to evenly spaced exponents, so that slow "
        "pairs cover long distances and fast ones short ones.",
        schedule="linear",
    ),
    mistake(
        "base_ignored",
        "`base` is never used: 10000 stands in its place. Every call with the default looks right. Models differ here (Llama 3 uses 500000).",
        basis="ignored",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number, so 12345.5 becomes 12345. Any positive number is allowed; look for int(…) or //.",
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
        "Beyond 2048 positions the base grows with the sequence (dynamic NTK scaling, left over from code for longer contexts). All positions then turn "
        "by other angles than in a shorter call. Here the base is the one given.",
        basis="ntk",
    ),
    mistake(
        "llama3_scaling_left_on",
        "Slow pairs are slowed down further: this is Llama 3.1's frequency scaling (factor 8 beyond a wavelength of 8192). Nothing is scaled here; "
        "every frequency is base^(−2i/head_dim). Small heads have no such slow pairs and don't show it.",
        schedule="llama3",
    ),
    # angles
    mistake(
        "turns_counted_as_circles",
        "Every angle has a factor of 2π too much, as if frequencies were turns per step. They are radians per step: pair 0 turns by 1, not by 2π.",
        unit=2 * math.pi,
    ),
    mistake(
        "degrees_taken_for_radians",
        "The angles are multiplied by 180/π, turned into degrees. torch.cos and torch.sin take radians, and p times the frequency is in radians already.",
        unit=180 / math.pi,
    ),
    mistake(
        "radians_taken_for_degrees",
        "The angles are multiplied by π/180, as if p times the frequency were in degrees. It is in radians already.",
        unit=math.pi / 180,
    ),
    mistake(
        "turned_twice",
        "Every angle is twice what it should be: the rotation was applied a second time to its own result, or positions go up in steps of 2. Each vector "
        "is turned once, by p times its frequencies.",
        stride=2.0,
    ),
    mistake(
        "half_the_angle",
        "Every angle is half of what it should be, as when positions are interpolated for a context twice as long (or as quaternions want it). "
        "Position p turns by p times the frequency.",
        stride=0.5,
    ),
    # positions
    mistake(
        "positions_from_one",
        "Positions are counted from 1, so position 0 is already turned. Scores between queries and keys don't notice, but the vectors are others than "
        "any other code would give, and a cache filled by it would be off by one.",
        first=1,
    ),
    mistake(
        "positions_from_minus_one",
        "Positions are counted from −1: the first vector is turned backwards by one step and the second not at all. They count 0, 1, 2, ….",
        first=-1,
    ),
    mistake(
        "positions_along_heads",
        "Positions run along the heads: all vectors of a head share one angle, whatever their place in the sequence. The axes are (batch, heads, seq, "
        "head_dim), so positions run along the third.",
        axis="heads",
    ),
    mistake(
        "positions_along_batch",
        "Positions run along the batch: all vectors of a row share one angle, whatever their place in the sequence. Positions run along the third axis.",
        axis="batch",
    ),
    mistake(
        "positions_run_on_over_heads",
        "Positions are not started anew in each head: head 1 goes on where head 0 ended, as if the two axes were flattened. Each head counts from 0.",
        axis="heads and seq",
    ),
    mistake(
        "positions_run_on_over_batch",
        "Positions are not started anew in each batch row: row 1 goes on where row 0 ended. Each row counts from 0.",
        axis="batch and seq",
    ),
    mistake(
        "vectors_numbered_through",
        "All vectors of x are numbered through, over batch, heads and seq, as after a reshape to (−1, head_dim). Each head of each row counts from 0.",
        axis="everything",
    ),
    mistake(
        "no_position_in_the_angle",
        "The angles are the frequencies themselves: every position is turned alike, as if it were position 1. The position must be multiplied in, "
        "one row of angles for each.",
        count="all one",
    ),
    mistake(
        "every_position_turned_as_the_last",
        "Every position is turned by the angles of the last one: a single row of the table, or the length instead of the positions, was used for all.",
        count="all last",
    ),
    mistake(
        "positions_backwards",
        "Positions are counted from the end: the last vector has position 0. The first one has, and what comes later must not change it.",
        count="backwards",
    ),
    mistake(
        "positions_centred",
        "Positions are counted from the middle of the sequence. They start with 0 at its beginning, or a longer sequence would turn all vectors anew.",
        count="centred",
    ),
    mistake(
        "positions_as_share_of_length",
        "Positions are divided by the length of the sequence, so that they lie between 0 and 1. They are whole numbers, 0, 1, 2, …; the same place must turn "
        "alike in short and long sequences.",
        count="share of seq",
    ),
    mistake(
        "positions_spread_from_zero_to_one",
        "Positions are spread evenly from 0 to 1 inclusive, as linspace does. They are whole numbers, 0, 1, 2, …; the same place must turn "
        "alike in short and long sequences.",
        count="from 0 to 1",
    ),
    mistake(
        "table_ends_at_2048_clamped",
        "From position 2048 on every vector is turned like position 2047: a table of fixed length is read with its index held at the end. "
        "The table must be as long as the sequence.",
        count="clamped at 2047",
    ),
    mistake(
        "positions_wrap_at_2048",
        "At position 2048 the angles start anew from 0: a table of fixed length is read in circles. The table must be as long as the sequence.",
        count="modulo 2048",
    ),
    mistake(
        "positions_restart_every_128",
        "Every 128 positions the angles start anew, as if each block were a sequence of its own. Positions go on to the end.",
        count="modulo 128",
    ),
    mistake(
        "positions_in_int16",
        "From position 32768 on the angles are wrong: positions were kept in 16-bit integers, which wrap to negative numbers there.",
        count="int16",
    ),
    mistake(
        "positions_in_uint8",
        "From position 256 on the angles start anew: positions were kept in 8-bit integers, which wrap there.",
        count="uint8",
    ),
    mistake(
        "positions_in_bfloat16",
        "From position 257 on neighbours share an angle: positions were rounded to bfloat16, which holds whole numbers only up to 256. "
        "Positions need float32, or integers until they meet the frequencies.",
        count="bf16",
    ),
    mistake(
        "positions_in_float16",
        "From position 2049 on neighbours share an angle: positions were rounded to float16, which holds whole numbers only up to 2048. "
        "Positions need float32, or integers until they meet the frequencies.",
        count="fp16",
    ),
    # precision
    mistake(
        "frequencies_in_bfloat16",
        "The frequencies were rounded to bfloat16, as happens to a buffer in model.bfloat16(): pair 0 is right, the others drift, and the error grows with the "
        "position. Frequencies need float32, whatever the model's dtype.",
        rounded="frequency bf16",
    ),
    mistake(
        "frequencies_in_float16",
        "The frequencies were rounded to float16, as happens to a buffer in model.half(): most pairs drift, and the error grows with the position. "
        "Frequencies need float32, whatever the model's dtype.",
        rounded="frequency fp16",
    ),
    mistake(
        "angles_in_bfloat16",
        "The angles were rounded to bfloat16 before their cosine was taken. An angle of 100 then has steps of half a radian. Angles need float32; "
        "only what cos and sin return may be rounded.",
        rounded="angle bf16",
    ),
    mistake(
        "angles_in_float16",
        "The angles were rounded to float16 before their cosine was taken, and the coarser the larger they are. Angles need float32; only what cos and sin "
        "return may be rounded.",
        rounded="angle fp16",
    ),
    mistake(
        "tables_in_bfloat16",
        "The angles are right, but their cosines and sines were kept in bfloat16, with three digits. For a float32 x they must be float32.",
        rounded="table bf16",
    ),
    mistake(
        "tables_in_float16",
        "The angles are right, but their cosines and sines were kept in float16, with four digits. For a float32 x they must be float32.",
        rounded="table fp16",
    ),
]


HINTS = [
    hint(
        "Start from one pair at one position: a point (a, b) in the plane, turned by an angle. Write down its two new "
        "coordinates; everything else is doing that for all pairs and positions at once."
    ),
    hint(
        "You need a table of angles with a row for each position and a column for each pair, and its cosines and sines. "
        "It depends on the shape of x and on base, never on what x holds. Which axis of x do the rows belong to?"
    ),
    hint(
        "Both members of a pair meet the same angle, so the table is laid twice, side by side. Beside x itself you need a "
        "copy of x in which each member has been replaced by its partner, one of the two with a minus."
    ),
    hint(
        "Put x = [1, 2, 3, 4] at position 1 and compare with the example in the statement, channel by channel. Which of your channels hold a mix of 1 and 3?",
        "interleaved",
        "reads_halves_writes_neighbours",
        "reads_neighbours_writes_halves",
        "angles_repeated_for_neighbours",
        "partner_is_the_neighbour",
        "mirrored_pairs",
    ),
    hint(
        "Turn the pair (1, 0) by a quarter. Where should it point, and where does yours point?",
        "turned_backwards",
        "minus_missing",
        "halves_not_exchanged",
        "sine_meets_x_itself",
        "minus_on_both_halves",
        "sine_and_cosine_exchanged",
    ),
]

QUIZ = [
    question(
        "What does attention lack without any positional encoding (and without a mask)?",
        right(
            "It can't tell order: shuffle the tokens, and the outputs are the same ones, shuffled",
            "It is permutation-equivariant: scores depend on contents only.",
        ),
        wrong_choice(
            "It is permutation-invariant: shuffled tokens give the same outputs in the same places",
            "Each output belongs to its token and moves with it; that is equivariance.",
        ),
        wrong_choice(
            "It can't look at distant tokens",
            "Every token sees all others at equal cost; distance means nothing to it.",
        ),
        wrong_choice(
            "It can't handle sequences of different lengths",
            "Its formula works for any length; what is missing is order.",
        ),
    ),
]
