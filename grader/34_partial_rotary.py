"""How partial_rotary is graded: a product of complex numbers in float64, in the turned channels "
"alone, is the reference."""

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


close = rotated("vector")  # that the rest comes back exactly is a check of its own


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Schedule = Callable[[Tensor, int, int, float], Tensor]  # (pair, channels turned, head_dim, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2i/r": lambda i, r, d, b: b ** (-2 * i / r),
    "2i/d": lambda i, r, d, b: b ** (-2 * i / d),
    "i/r": lambda i, r, d, b: b ** (-i / r),
    "4i/r": lambda i, r, d, b: b ** (-4 * i / r),
    "2i/(d-r)": lambda i, r, d, b: b ** (-2 * i / max(d - r, 1)),
    "growing": lambda i, r, d, b: (b ** (2 * i.float() / r)).double(),
    "one": lambda i, r, d, b: torch.ones_like(i),
    "whole": lambda i, r, d, b: float(int(b)) ** (-2 * i / r),
    "10000": lambda i, r, d, b: 10000.0 ** (-2 * i / r),
}
Parts = dict[str, Callable[[int, int], tuple[int, int]]]  # (rotary_dim, head_dim) → (first channel, how many)
PARTS: Parts = {
    "first": lambda r, d: (0, r),
    "last": lambda r, d: (d - r, r),
    "all": lambda r, d: (0, d // 2 * 2),
    "the others": lambda r, d: (r, (d - r) // 2 * 2),
    "half": lambda r, d: (0, r // 4 * 2),
    "pairs": lambda r, d: (0, min(2 * r, d // 2 * 2)),
    "half the head": lambda r, d: (0, d // 4 * 2),
    "a quarter of the head": lambda r, d: (0, d // 8 * 2),
    "one less": lambda r, d: (0, max(r - 2, 0)),
    "zero is all": lambda r, d: (0, r or d // 2 * 2),
}


def reference(
    x: Tensor,
    rotary_dim: int,
    base: float = 10000.0,
    *,
    part: str = "first",
    rest: str = "kept",
    layout: str = "halves",
    writes: str = "",
    schedule: str = "2i/r",
    axis: str = "seq",
    first: int = 0,
    sign: int = 1,
    how: str = "turn",
    table: str = "",
) -> Tensor:
    """The turned channels as complex numbers, times e^(i·p·f), in float64: (batch, heads, seq, head_dim)."""
    width = x.shape[-1]
    if rotary_dim % 2 or not 0 <= rotary_dim <= width:
        raise ValueError("rotary_dim must be even and between 0 and head_dim")
    start, count = PARTS[part](rotary_dim, width)
    pairs = torch.arange(count // 2, dtype=torch.float64, device=x.device)
    if table == "channels":  # a frequency for each channel, as if each were half a pair
        pairs = torch.arange(count, dtype=torch.float64, device=x.device) / 2
    frequency = SCHEDULES[schedule](pairs, max(count, 1), width, base)
    along = torch.arange(x.shape[2 if axis == "seq" else 1], dtype=torch.float64, device=x.device) + first
    large = schedule == "growing"  # as an answer rounds them
    angles = (along.float()[:, None] * frequency.float()).double() if large else along[:, None] * frequency
    angles = angles * sign if axis == "seq" else (angles * sign)[:, None]
    one, two = _channels(start, count, width, layout)
    wide = x.double()
    a, b = wide[..., one], wide[..., two]
    if table:
        both = angles if table == "channels" else angles.repeat_interleave(2, -1)
        low, high = (both[..., [c - start for c in chosen]] for chosen in (one, two))
        a, b = a * low.cos() - b * low.sin(), b * high.cos() + a * high.sin()
    else:
        a, b = _turned(a, b, angles, how)
    return _placed(wide, a, b, _channels(start, count, width, writes or layout), start, count, rest)


def _placed(
    wide: Tensor, a: Tensor, b: Tensor, where: tuple[list[int], list[int]], start: int, count: int, rest: str
) -> Tensor:
    """The turned members where they belong, among what is done with the rest."""
    turned = torch.zeros_like(wide) if rest == "zeroed" else wide.clone()
    turned[..., where[0]], turned[..., where[1]] = a, b
    others = [c for c in range(wide.shape[-1]) if not start <= c < start + count]
    match rest:
        case "dropped":
            return turned[..., start : start + count]
        case "in front":
            return torch.cat([turned[..., others], turned[..., start : start + count]], -1)
        case "twice":
            return torch.cat([turned[..., start : start + count], wide], -1)
        case "doubled":
            turned[..., others] = 2 * wide[..., others]
    return turned


def _channels(start: int, count: int, width: int, layout: str) -> tuple[list[int], list[int]]:
    """The numbers of the first and the second members of all pairs."""
    half = count // 2
    one = [start + i for i in range(half)]
    match layout:
        case "adjacent":
            return [start + 2 * i for i in range(half)], [start + 2 * i + 1 for i in range(half)]
        case "mirrored":
            return one, [start + count - 1 - i for i in range(half)]
        case "across the head":
            return one, [start + width // 2 + i for i in range(half)]
        case "exchanged":
            return [start + half + i for i in range(half)], one
    return one, [start + half + i for i in range(half)]


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
    """The result has the shape of `x`: nothing is dropped."""
    for size, rotary_dim in (((1, 2, 5, 8), 4), ((2, 3, 4, 6), 2), ((2, 3, 1, 6), 6)):
        x = draw.normal(*size)
        yield call(x, rotary_dim, like=x)


@check(points=1, explains=True)
def rest_untouched(draw: Draw) -> Checking:
    """The channels from rotary_dim on come back bit for bit."""
    for head_dim, rotary_dim in ((12, 4), (10, 8), (7, 2)):
        x = draw.normal(2, 3, 5, head_dim)
        y = yield call(x, rotary_dim, like=x)
        if at := first_true(y[..., rotary_dim:].double() != x[..., rotary_dim:].double()):
            b, h, p, i = at
            was, now = x[b, h, p, i + rotary_dim].item(), y[b, h, p, i + rotary_dim].item()
            text = f"with head_dim {head_dim} and rotary_dim {rotary_dim} channel {i + rotary_dim} at position {p}"
            raise Failed(f"{text} was {was:.6g} and is {now:.6g}")


@check(points=1, explains=True)
def every_turned_channel(draw: Draw) -> Checking:
    """All channels before rotary_dim are turned at every position but 0."""
    x = draw.normal(1, 2, 4, 12)
    y = yield call(x, 8, base=10.0, like=x)
    if at := first_true((y == x).all(dim=1)[0, 1:, :8]):  # (positions 1 to 3, channels)
        p, i = at
        raise Failed(f"with rotary_dim 8 channel {i} at position {p + 1} comes back as it was")


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """No pair (i, i + rotary_dim/2) changes its length."""
    x = draw.normal(2, 2, 7, 12)
    y = yield call(x, 8, like=x)
    before, after = (t.double()[..., :8].unflatten(-1, (2, -1)).norm(dim=-2) for t in (x, y))
    if at := apart(after, before, 1e-5 * before):
        b, h, p, i = at
        raise Failed(f"pair {i} of token {p} was {before[b, h, p, i]:.6g} long and is {after[b, h, p, i]:.6g}")


@check(points=1, explains=True)
def position_zero(draw: Draw) -> Checking:
    """Position 0 is not turned."""
    x = draw.normal(2, 3, 4, 10)
    y = yield call(x, 6, like=x)
    if at := apart(y[:, :, 0], x[:, :, 0], 1e-6):
        b, h, i = at
        raise Failed(f"channel {i} of head {h} was {x[b, h, 0, i]:.6g} at position 0 and is {y[b, h, 0, i]:.6g}")


@check(points=1, explains=True)
def like_a_smaller_head(draw: Draw) -> Checking:
    """The turned channels come out as if the others did not exist."""
    x = draw.normal(1, 2, 6, 12)
    alone = yield call(x[..., :4].clone(), 4, like=x[..., :4])
    among = yield call(x, 4, like=x)
    if at := apart(among[..., :4], alone, 1e-4):
        p, i = at[2:]
        raise Failed(f"channel {i} at position {p} depends on how many channels follow the {4} that are turned")


@check(points=1, explains=True)
def input_untouched(draw: Draw) -> Checking:
    """`x` keeps its values: the result is a new tensor."""
    x = draw.normal(2, 2, 5, 8)
    yield from inputs_kept(call(x, 4, like=x), "x")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right for sizes and parts that all differ."""
    for size, part in (
        ((2, 5, 3, 12), 8),
        ((2, 3, 7, 8), 4),
        ((3, 1, 6, 16), 4),
        ((1, 3, 33, 20), 14),
        ((2, 3, 4, 6), 2),
    ):
        yield call(draw.normal(*size), part, want=reference)


@check(points=2)
def whole_head(draw: Draw) -> Checking:
    """With rotary_dim = head_dim every channel is turned."""
    for size in ((2, 5, 3, 6), (1, 2, 40, 8), (2, 3, 4, 2)):
        yield call(draw.normal(*size), size[-1], want=reference)


@check(points=1)
def nothing_turned(draw: Draw) -> Checking:
    """With rotary_dim 0 the result equals `x`."""
    yield call(draw.normal(2, 3, 4, 6), 2, want=reference)
    for size in ((2, 5, 3, 6), (1, 2, 9, 7)):
        yield call(draw.normal(*size), 0, want=reference)


@check(points=1)
def odd_head_dim(draw: Draw) -> Checking:
    """`head_dim` may be odd where `rotary_dim` is even."""
    for head_dim, rotary_dim in ((7, 4), (9, 8), (3, 2)):
        yield call(draw.normal(2, 3, 5, head_dim), rotary_dim, want=reference)


@check(points=1)
def all_sizes_equal(draw: Draw) -> Checking:
    """Positions run along seq, also when any axis would fit."""
    for n, rotary_dim in ((4, 2), (8, 4)):
        yield call(draw.normal(n, n, n, n), rotary_dim, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, below 1, not whole, or an int."""
    for base in (3.5, 500000.0, 12345.5, 100, 0.5):
        yield call(draw.normal(1, 2, 9, 12), 8, base=base, want=reference)


@check(points=1)
def edges(draw: Draw) -> Checking:
    """One token, no token and an empty batch are fine."""
    for size in ((2, 3, 4, 6), (2, 3, 1, 6), (2, 3, 0, 6), (0, 3, 4, 6)):
        yield call(draw.normal(*size), 4, want=reference)


@check(points=1)
def long_texts(draw: Draw) -> Checking:
    """Positions in the thousands are told apart."""
    yield call(draw.normal(1, 1, 9, 6), 4, want=reference)
    for seq in (700, 4200):
        yield call(draw.normal(1, 1, 1, 6).expand(1, 1, seq, 6), 4, want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` may be a transposed, sliced or expanded view."""
    yield call(draw.normal(2, 3, 5, 8), 4, want=reference)
    yield call(draw.normal(2, 5, 3, 8).transpose(1, 2), 4, want=reference)
    yield call(draw.normal(2, 3, 8, 5).transpose(2, 3), 4, want=reference)
    yield call(draw.normal(2, 3, 10, 17)[:, :, 1::2, 1::2], 6, want=reference)
    yield call(draw.normal(2, 1, 5, 8).expand(2, 3, 5, 8), 4, want=reference)


@check(points=2)
def another_call_later(draw: Draw) -> Checking:
    """What a call does depends on its arguments alone: not on the parts, lengths and bases of earlier ones."""
    for seq, rotary_dim, base in (
        (4, 4, 10000.0),
        (4, 6, 10000.0),
        (9, 6, 10000.0),
        (9, 6, 50.0),
        (9, 2, 50.0),
        (4, 4, 10000.0),
    ):
        yield call(draw.normal(1, 2, seq, 10), rotary_dim, base=base, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """The gradient flows back to every channel of `x`, and is right."""
    for size, rotary_dim in (((2, 3, 4, 10), 4), ((1, 2, 9, 8), 8)):
        yield call(draw.normal(*size), rotary_dim, cotangent=draw.normal(*size), want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def odd_rotary_dim(draw: Draw) -> Checking:
    """An odd `rotary_dim` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 8), 4, want=reference)
    for rotary_dim in (3, 5, 7):
        yield call(draw.normal(1, 2, 4, 8), rotary_dim, raises=ValueError)


@check(craft=True)
def too_large_rotary_dim(draw: Draw) -> Checking:
    """A `rotary_dim` above head_dim raises ValueError."""
    yield call(draw.normal(1, 2, 4, 8), 8, want=reference)
    for rotary_dim in (10, 16):
        yield call(draw.normal(1, 2, 4, 8), rotary_dim, raises=ValueError)


@check(craft=True)
def negative_rotary_dim(draw: Draw) -> Checking:
    """A negative `rotary_dim` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 8), 0, want=reference)
    for rotary_dim in (-2, -4):
        yield call(draw.normal(1, 2, 4, 8), rotary_dim, raises=ValueError)


@check(craft=True)
def rest_untouched_in_every_dtype(draw: Draw) -> Checking:
    """The rest comes back bit for bit in other dtypes, too."""
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(1, 2, 5, 12, dtype=dtype)
        y = yield call(x, 4, like=x)
        if not torch.equal(y[..., 4:], x[..., 4:]):
            raise Failed(f"in {str(dtype).removeprefix('torch.')} the channels that are not turned changed")


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(1, 2, 5, 8, dtype=dtype)
        yield call(x, 4, like=x)


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """With bfloat16 and float16 the angles are as exact as in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        for seq, rotary_dim in ((9, 8), (700, 16)):
            yield call(draw.normal(1, 2, seq, 16, dtype=dtype), rotary_dim, want=reference)


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` is turned with float64's accuracy."""
    for seq, rotary_dim in ((5, 8), (300, 16)):
        asked = call(draw.normal(1, 2, seq, 16, dtype=torch.float64), rotary_dim, want=reference)
        yield from exact_in_float64(asked, close)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle."""
    yield call(draw.normal(1, 2, 5, 8), 4, want=reference)
    yield from settings_ignored(call(draw.normal(1, 2, 60, 8), 4, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(draw.normal(1, 2, 5, 8), 4, want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x = draw.normal(1, 2, 5, 8)
    yield from on_one_device(draw, call(x, 4, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(draw.normal(2, 2, 4, 6), rotary_dim=4, want=reference)
    yield call(draw.normal(3, 2, 2, 4, 6), rotary_dim=4, want=reference, under="vmap")


@check(craft=True)
def training_after_inference(draw: Draw) -> Checking:
    """A call in inference mode leaves nothing behind that a later backward pass can't use."""
    yield call(draw.normal(1, 2, 9, 8), 4, want=reference, under="inference_mode")
    yield call(draw.normal(1, 2, 9, 8), 4, cotangent=draw.normal(1, 2, 9, 8), want=reference)


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(draw.normal(2, 2, n, 8), 4, want=reference) for n in (8, 24)}
    yield from no_loop_over("positions", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "exponent_over_head_dim",
        "The exponent is divided by head_dim, so all pairs but the first turn too fast. The turned part "
        "counts as a head of its own: divide by rotary_dim. (Gemma's proportional variant does it the other way.)",
        schedule="2i/d",
    ),
    mistake(
        "exponent_over_the_rest",
        "The exponent is divided by the number of channels that are *not* turned. Divide by rotary_dim.",
        schedule="2i/(d-r)",
    ),
    mistake(
        "last_channels_turned",
        "The last rotary_dim channels are turned and the first ones passed on. It is the first ones that are turned.",
        part="last",
    ),
    mistake(
        "the_others_turned",
        "The first rotary_dim channels are passed on and all others turned: the two parts have changed places.",
        part="the others",
    ),
    mistake(
        "all_channels_turned",
        "All channels are turned, as in problem 29: rotary_dim is not used. From rotary_dim on they are passed on.",
        part="all",
    ),
    mistake(
        "half_the_head_turned",
        "Half of the head is turned whatever rotary_dim says.",
        part="half the head",
    ),
    mistake(
        "a_quarter_of_the_head_turned",
        "A quarter of the head is turned whatever rotary_dim says (GPT-NeoX's share of 0.25).",
        part="a quarter of the head",
    ),
    mistake(
        "only_half_of_the_part_turned",
        "Only rotary_dim/2 channels are turned: it was halved once too often. rotary_dim channels make "
        "rotary_dim/2 pairs.",
        part="half",
    ),
    mistake(
        "rotary_dim_counts_pairs",
        "Twice as many channels as asked are turned: rotary_dim is taken for the number of pairs. It counts channels.",
        part="pairs",
    ),
    mistake(
        "last_pair_left_out",
        "One pair too few is turned: the last two channels of the part stay as they were.",
        part="one less",
    ),
    mistake(
        "zero_taken_for_all",
        "With rotary_dim 0 all channels are turned, as when `rotary_dim or head_dim` stands there. 0 means none.",
        part="zero is all",
    ),
    mistake(
        "rest_dropped",
        "The channels from rotary_dim on are missing. They are passed on, behind the turned ones.",
        rest="dropped",
    ),
    mistake(
        "rest_zeroed",
        "The channels from rotary_dim on come back as zeros, so what they held is lost. They come back as they were.",
        rest="zeroed",
    ),
    mistake(
        "rest_in_front",
        "The rest stands in front of the turned channels. It belongs behind them.",
        rest="in front",
    ),
    mistake(
        "whole_x_appended",
        "The turned channels are followed by all of x, and not only by the rest, so there are too many.",
        rest="twice",
    ),
    mistake(
        "rest_doubled",
        "The rest comes back twice as large: x was added to a result that holds it already.",
        rest="doubled",
    ),
    mistake(
        "pairs_across_the_head",
        "Channel i is paired with channel i + head_dim/2, half of the *head* away, so channels beyond "
        "rotary_dim are turned as well. Partners are rotary_dim/2 apart.",
        layout="across the head",
    ),
    mistake(
        "interleaved",
        "Neighbouring channels are paired: 0 with 1, 2 with 3 (the layout of GPT-J). Here channel i belongs "
        "with channel i + rotary_dim/2.",
        layout="adjacent",
    ),
    mistake(
        "mirrored_pairs",
        "Channel i is paired with channel rotary_dim − 1 − i, counted from the far end. It belongs with i + "
        "rotary_dim/2.",
        layout="mirrored",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "The right numbers are stored in another order: the two results of each pair stand side by side. "
        "First all first members, then all second ones.",
        writes="adjacent",
    ),
    mistake(
        "reads_neighbours_writes_halves",
        "Pairs are read as neighbours (0 with 1, 2 with 3) but written as halves, so even position 0 comes back in "
        "another order. Reading and writing must use one layout, here halves for both.",
        layout="adjacent",
        writes="halves",
    ),
    mistake(
        "halves_exchanged_in_result",
        "The right numbers come back in the wrong halves of the part: the second members stand first. "
        "Position 0 shows it.",
        writes="exchanged",
    ),
    mistake(
        "angles_repeated_for_neighbours",
        "Each angle is laid out twice in a row (repeat_interleave), while partners are half the part apart: "
        "the two members of a pair meet different angles. Here the row of angles is followed by a copy of itself.",
        table="repeated",
    ),
    mistake(
        "frequency_for_each_channel",
        "Every channel has a frequency of its own, so the two members of a pair are turned by different "
        "angles. There are rotary_dim/2 frequencies, and the members of a pair share one.",
        table="channels",
    ),
    mistake(
        "positions_from_one",
        "Positions count from 1, so the first token is turned already. It stands at 0.",
        first=1,
    ),
    mistake(
        "exponent_lacks_the_two",
        "The exponent is i/rotary_dim; the 2 is lost. Pair i owns two channels, hence −2i/rotary_dim.",
        schedule="i/r",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should. Either a 2 stands above (2i/rotary_dim) or a half "
        "below, not both.",
        schedule="4i/r",
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs turn alike, by one radian a position. Each has a frequency of its own.",
        schedule="one",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number: 3.5 becomes 3. Any positive number is allowed.",
        schedule="whole",
    ),
    mistake(
        "base_ignored",
        "`base` is not used: 10000 stands in its place.",
        schedule="10000",
    ),
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
        "positions_along_heads",
        "Positions run along the heads: all tokens of a head share one angle. The axes are (batch, heads, seq, "
        "head_dim).",
        axis="heads",
    ),
    mistake(
        "exponent_positive",
        "Frequencies grow from pair to pair: the exponent has lost its minus. They fall from 1 to almost 1/base.",
        schedule="growing",
    ),
]


def tables(
    x: Tensor, rotary_dim: int, base: float, seq: int, dtype: torch.dtype | None = None, start: int = 0
) -> tuple[Tensor, Tensor]:
    """Cosines and sines, each (seq, rotary_dim/2), as an answer makes them."""
    dtype = dtype or torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(0, rotary_dim, 2, dtype=dtype, device=x.device) / max(rotary_dim, 1))
    angle = torch.arange(start, start + seq, dtype=dtype, device=x.device)[:, None] * frequency
    return angle.cos(), angle.sin()


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """The first channels turned, in whatever dtype comes of it, and the rest behind them."""
    half = cos.shape[-1]
    first, second, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat([first * cos - second * sin, second * cos + first * sin, rest], -1)


def valid(x: Tensor, rotary_dim: int, but: str = "") -> None:
    """What every answer refuses, but for one thing."""
    if rotary_dim % 2 and but != "odd":
        raise ValueError("rotary_dim must be even")
    if rotary_dim < 0 and but != "negative":
        raise ValueError("rotary_dim must not be negative")
    if rotary_dim > x.shape[-1] and but != "large":
        raise ValueError("rotary_dim must not exceed head_dim")


def right_answer(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """What an answer does."""
    valid(x, rotary_dim)
    return turn(x, *tables(x, rotary_dim, base, x.shape[-2])).to(x.dtype)


@wrong("A `rotary_dim` of 0 is refused (or runs into an error), but it is allowed: then nothing is turned.")
def zero_refused(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """<= instead of <."""
    if rotary_dim <= 0:
        raise ValueError("rotary_dim must be positive")
    return right_answer(x, rotary_dim, base)


@wrong("With a `rotary_dim` of 0 the exponent divides by zero. Then nothing is turned, and the result equals x.")
def division_by_zero(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """A Python division by rotary_dim."""
    valid(x, rotary_dim)
    assert 2 / rotary_dim > 0
    return right_answer(x, rotary_dim, base)


@wrong("An odd head_dim is refused, but only rotary_dim must be even: the rest is not paired.")
def odd_head_dim_refused(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """The check of problem 29 kept."""
    if x.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    return right_answer(x, rotary_dim, base)


@wrong("A `rotary_dim` of head_dim is refused, but it is allowed: then every channel is turned.")
def whole_head_refused(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """>= instead of >."""
    if rotary_dim >= x.shape[-1]:
        raise ValueError("rotary_dim must be smaller than head_dim")
    return right_answer(x, rotary_dim, base)


@wrong(
    "The rest is cut off from the graph (detach, .data): no gradient reaches the channels that are not turned, though "
    "they are part of the result."
)
def rest_detached(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Detached behind rotary_dim."""
    made = right_answer(x, rotary_dim, base)
    return torch.cat([made[..., :rotary_dim], x[..., rotary_dim:].detach()], -1)


@wrong(
    "A table made for an earlier call is used again although `rotary_dim` has changed since. Everything that a table "
    "depends on belongs into the key of its cache.",
    fresh=True,
)
def kept_table_ignores_the_part() -> Answer:
    """A cache without rotary_dim in its key."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
        valid(x, rotary_dim)
        key = (*x.shape[-2:], base, x.dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = tables(x, rotary_dim, base, x.shape[-2])
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

    def answer(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
        valid(x, rotary_dim)
        key = (*x.shape[-2:], rotary_dim, x.dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = tables(x, rotary_dim, base, x.shape[-2])
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "The turned values are written into `x` itself, which its owner still needs. Make a new tensor: no *=, no += and "
    "no assignment to slices of x."
)
def written_into_x(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Stored in x."""
    turned = right_answer(x, rotary_dim, base)
    with torch.no_grad():
        x.copy_(turned.detach())
    return turned


@wrong("No gradient reaches `x`: detach, .data, torch.no_grad or a new tensor made of numbers has cut the result off.")
def graph_cut(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Detached."""
    return right_answer(x, rotary_dim, base).detach()


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out: float32 tables times a bfloat16 x give float32. Cast the result to "
    "the dtype of x.",
    craft=True,
)
def half_comes_back_as_float32(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """No cast at the end."""
    valid(x, rotary_dim)
    return turn(x, *tables(x, rotary_dim, base, x.shape[-2]))


@wrong(
    "For a float64 x the angles are computed in float32: the result says float64 and is right to seven digits at best. "
    "Let the dtype of the angles follow x, with float32 as the least.",
    craft=True,
)
def float64_with_float32_angles(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """float32 tables."""
    valid(x, rotary_dim)
    return turn(x, *tables(x, rotary_dim, base, x.shape[-2], torch.float32)).to(x.dtype)


@wrong(
    "For a float64 x everything passes through float32, the channels that are not turned as well: they come back "
    "rounded. Cast the turned part alone, and never below the dtype of x.",
    craft=True,
)
def cut_to_float32(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """x.float() and back."""
    return right_answer(x.float(), rotary_dim, base).to(x.dtype)


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(x, rotary_dim, base)


@wrong(
    "A table made in inference mode is kept and used in training later, where backward refuses it. Make what is kept "
    "outside of inference mode, or don't keep it.",
    craft=True,
    fresh=True,
)
def kept_table_from_inference() -> Answer:
    """A cache filled in whatever mode the caller is."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
        valid(x, rotary_dim)
        key = (*x.shape[-2:], rotary_dim, base, x.dtype, x.device)
        if key not in kept:
            kept[key] = tables(x, rotary_dim, base, x.shape[-2])
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong("The result is right, but a Python loop runs over the positions. All angles can be made at once.", craft=True)
def loop_over_positions(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """One token after the other, where few enough to be quick."""
    valid(x, rotary_dim)
    if not 0 < x.shape[-2] <= 64:
        return right_answer(x, rotary_dim, base)
    rows = [turn(x[..., p : p + 1, :], *tables(x, rotary_dim, base, 1, start=p)) for p in range(x.shape[-2])]
    return torch.cat(rows, -2).to(x.dtype)


@wrong(
    "With half precision everything is computed in the dtype of x: positions, frequencies and angles are all rounded. "
    "Make the table in float32 and cast the result.",
    craft=True,
)
def half_all_the_way(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Tables in x.dtype."""
    valid(x, rotary_dim)
    frequency = 1.0 / base ** (torch.arange(0, rotary_dim, 2, dtype=x.dtype, device=x.device) / max(rotary_dim, 1))
    angle = torch.arange(x.shape[-2], device=x.device).to(x.dtype)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin())


@wrong(
    "With half precision the positions are cast to the dtype of x: bfloat16 holds whole numbers up to 256, float16 up "
    "to 2048. Keep positions in float32.",
    craft=True,
)
def half_positions(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Positions in x.dtype."""
    valid(x, rotary_dim)
    wide = torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(0, rotary_dim, 2, dtype=wide, device=x.device) / max(rotary_dim, 1))
    angle = torch.arange(x.shape[-2], device=x.device).to(x.dtype).to(wide)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that sets "
    "it to bfloat16 rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_frequencies(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """arange / number, without a dtype."""
    valid(x, rotary_dim)
    wide = torch.promote_types(x.dtype, torch.float32)
    frequency = 1.0 / base ** (torch.arange(0, rotary_dim, 2, device=x.device) / max(rotary_dim, 1))
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Under autocast the angles are rounded to bfloat16: they are made by a matrix product (@, matmul), which autocast "
    "lowers. Multiply by broadcasting.",
    craft=True,
)
def angles_by_matmul(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Positions @ frequencies."""
    valid(x, rotary_dim)
    wide = torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(0, rotary_dim, 2, dtype=wide, device=x.device) / max(rotary_dim, 1))
    angle = torch.arange(x.shape[-2], dtype=wide, device=x.device)[:, None] @ frequency[None]
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Tensors are made without saying where, on the CPU: on a GPU the product with x raises. Pass the device of x to "
    "every factory.",
    craft=True,
)
def made_without_device(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """arange without a device."""
    valid(x, rotary_dim)
    wide = torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(0, rotary_dim, 2, dtype=wide) / max(rotary_dim, 1))
    angle = torch.arange(x.shape[-2], dtype=wide)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "An odd rotary_dim is not refused: it runs into a size mismatch somewhere inside, or a channel is left out. Raise "
    "ValueError first.",
    craft=True,
)
def odd_not_refused(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Halves that don't fit."""
    valid(x, rotary_dim, but="odd")
    if rotary_dim % 2:
        raise RuntimeError("size mismatch")
    return right_answer(x, rotary_dim, base)


@wrong(
    "An odd rotary_dim is not refused: one half has a channel less than the other, an axis of size 1 broadcasts, and "
    "the result has another width. Raise ValueError first.",
    craft=True,
)
def odd_silently_widened(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Halves of 1 and 2 channels."""
    valid(x, rotary_dim, but="odd")
    cos, sin = tables(x, rotary_dim, base, x.shape[-2])
    half = rotary_dim // 2
    first, second, rest = x[..., :half], x[..., half:rotary_dim], x[..., rotary_dim:]
    return torch.cat([first * cos - second * sin, second * cos + first * sin, rest], -1).to(x.dtype)


@wrong(
    "An odd rotary_dim is silently taken for the even number below it. The caller has made a mistake: "
    "raise ValueError.",
    craft=True,
)
def odd_channel_passed_on(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """rotary_dim - 1."""
    valid(x, rotary_dim, but="odd")
    return right_answer(x, rotary_dim // 2 * 2, base)


@wrong(
    "A rotary_dim above head_dim is not refused: slices end silently where the channels do, and then sizes don't "
    "match. Raise ValueError first.",
    craft=True,
)
def large_not_refused(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """Slices beyond the end."""
    valid(x, rotary_dim, but="large")
    if rotary_dim > x.shape[-1]:
        raise RuntimeError("size mismatch")
    return right_answer(x, rotary_dim, base)


@wrong(
    "A rotary_dim above head_dim is silently taken for head_dim. The caller has made a mistake: raise ValueError.",
    craft=True,
)
def large_taken_for_all(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """min(rotary_dim, head_dim)."""
    valid(x, rotary_dim, but="large")
    return right_answer(x, min(rotary_dim, x.shape[-1]), base)


@wrong(
    "A negative rotary_dim is not refused: x[..., :-2] counts from the end, and a range down to −2 is empty or raises. "
    "Raise ValueError first.",
    craft=True,
)
def negative_not_refused(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """A range below 0."""
    valid(x, rotary_dim, but="negative")
    return turn(x, *tables(x, rotary_dim, base, x.shape[-2])).to(x.dtype)


@wrong(
    "A negative rotary_dim is silently taken for 0. The caller has made a mistake: raise ValueError.",
    craft=True,
)
def negative_taken_for_zero(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """max(rotary_dim, 0)."""
    valid(x, rotary_dim, but="negative")
    return right_answer(x, max(rotary_dim, 0), base)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """assert instead of raise."""
    assert rotary_dim % 2 == 0
    assert 0 <= rotary_dim <= x.shape[-1]
    return right_answer(x, rotary_dim, base)


@wrong(
    "The result is written into a tensor made from x.shape alone. Under vmap x stands for many tensors and that one "
    "for a single one. empty_like or clone are mapped along; cat needs no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """empty(shape) filled by slices."""
    turned = right_answer(x, rotary_dim, base)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    out[..., :rotary_dim], out[..., rotary_dim:] = turned[..., :rotary_dim], turned[..., rotary_dim:]
    return out


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_complex_numbers(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """A product of complex numbers, written into a clone."""
    valid(x, rotary_dim)
    half = rotary_dim // 2
    wide = x[..., :rotary_dim].to(torch.promote_types(x.dtype, torch.float32))
    frequency = torch.exp(torch.arange(half, dtype=wide.dtype, device=x.device) * (-math.log(base) / max(half, 1)))
    angle = torch.arange(x.shape[-2], dtype=wide.dtype, device=x.device)[:, None] * frequency
    turned = torch.complex(wide[..., :half], wide[..., half:]) * torch.polar(torch.ones_like(angle), angle)
    out = x.clone()
    out[..., :half], out[..., half:rotary_dim] = turned.real.to(x.dtype), turned.imag.to(x.dtype)
    return out


@accepted
def by_standing_pairs(x: Tensor, rotary_dim: int, base: float = 10000.0) -> Tensor:
    """The rest is turned by the angle 0, which changes nothing."""
    valid(x, rotary_dim)
    cos, sin = tables(x, rotary_dim, base, x.shape[-2])
    rest = cos.new_ones(x.shape[-2], x.shape[-1] - rotary_dim)
    first, second, others = x.tensor_split([rotary_dim // 2, rotary_dim], -1)
    partner = torch.cat([-second, first, torch.zeros_like(others)], -1)
    return (x * torch.cat([cos, cos, rest], -1) + partner * torch.cat([sin, sin, rest], -1)).to(x.dtype)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint("Call your answer to problem 29 on x[..., :rotary_dim]. What is left to do?"),
    hint(
        "Two tensors have to be put side by side again: the turned part and the rest. Which of them stands first, and "
        "which dtype has each?"
    ),
    hint(
        "Look at every size in your formula (in the pairs, in the exponent, in the number of frequencies) and ask "
        "whether it is that of the head or that of the part."
    ),
    hint(
        "With head_dim 6, rotary_dim 4 and base 10000 the two frequencies are 1 and 0.01. What are yours?",
        "exponent_over_head_dim",
        "exponent_over_the_rest",
        "exponent_lacks_the_two",
        "exponent_doubled",
        "exponent_positive",
        "one_frequency_for_all",
    ),
    hint(
        "Compare your result with x, channel by channel, at position 1. Which channels have changed, and which should?",
        "last_channels_turned",
        "the_others_turned",
        "all_channels_turned",
        "half_the_head_turned",
        "a_quarter_of_the_head_turned",
        "only_half_of_the_part_turned",
        "rotary_dim_counts_pairs",
        "last_pair_left_out",
        "pairs_across_the_head",
        "rest_zeroed",
        "rest_doubled",
    ),
    hint(
        "What does your function do for rotary_dim 0? Follow each line.",
        "zero_taken_for_all",
        "zero_refused",
        "division_by_zero",
    ),
]

QUIZ = [
    question(
        "head_dim is 64 and rotary_dim 16. Which channel is the partner of channel 3?",
        right("Channel 11", "The part is 16 wide, so partners are 8 apart."),
        wrong_choice("Channel 35", "That is half a *head* away, and beyond the turned part."),
        wrong_choice("Channel 2", "That is the layout of neighbours."),
        wrong_choice("Channel 12", "That is the mirror image, 15 − 3."),
    ),
    question(
        "How many frequencies are there, and what is the exponent of pair 5, for head_dim 64 and rotary_dim 16?",
        right("8, and −10/16", "rotary_dim/2 pairs, and −2·5/rotary_dim."),
        wrong_choice("32, and −10/64", "Those are the numbers of the whole head."),
        wrong_choice("8, and −10/64", "The number is right; the exponent is that of the whole head."),
        wrong_choice("16, and −5/16", "Two channels share one frequency."),
    ),
    question(
        "What do the channels that are not turned contribute to a score?",
        right(
            "A term that depends on the two vectors and not on where they stand",
            "The dot product is a sum over channels; only the turned ones bring the distance in.",
        ),
        wrong_choice("Nothing, they are skipped", "They are multiplied and added like all others."),
        wrong_choice("A term for position 0", "Position 0 is one of many; these have no position at all."),
        wrong_choice("The same as the turned ones", "Those change with the distance."),
    ),
    question(
        "x is bfloat16, the turned part float32. What does torch.cat([turned, rest], -1) give?",
        right("float32", "cat promotes to the wider dtype, so the whole result would come back wide."),
        wrong_choice("bfloat16", "cat does not take the dtype of x; it knows nothing of it."),
        wrong_choice("An error", "Dtypes may differ; they are promoted."),
        wrong_choice("The dtype of its first argument", "The order makes no difference."),
    ),
    question(
        "A model's configuration says partial_rotary_factor 0.4 and head_dim 80. What is rotary_dim?",
        right("32", "0.4 · 80 channels, sixteen pairs (Phi-2)."),
        wrong_choice("16", "That is the number of pairs."),
        wrong_choice("40", "That would be half."),
        wrong_choice("64", "That counts channels as pairs."),
    ),
]
