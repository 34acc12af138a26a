"""How rotary_kv_offset is graded: a product of complex numbers in float64, at shifted positions, is the reference."""

SECTION = "Positions"
LEVEL = 3
AFTER = (29,)
VERSION = 2
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor

from kata.author import (
    Checking,
    Close,
    Draw,
    Failed,
    accepted,
    apart,
    call,
    check,
    exact_in_float64,
    hint,
    inputs_kept,
    mistake,
    no_loop_over,
    on_one_device,
    question,
    right,
    rotated,
    settings_ignored,
    wrong,
    wrong_choice,
)

Answer = Callable[..., Tensor]


def near(most: int) -> Close:
    """How far an answer may be off when positions go up to `most`."""
    return rotated("halves", most)


close = near(64)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Schedule = Callable[[Tensor, int, float], Tensor]  # (pair, head_dim, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2i/d": lambda i, d, b: b ** (-2 * i / d),
    "i/d": lambda i, d, b: b ** (-i / d),
    "4i/d": lambda i, d, b: b ** (-4 * i / d),
    "growing": lambda i, d, b: (b ** (2 * i.float() / d)).double(),
    "one": lambda i, d, b: torch.ones_like(i),
    "whole": lambda i, d, b: float(int(b)) ** (-2 * i / d),
    "10000": lambda i, d, b: 10000.0 ** (-2 * i / d),
}
ROWS = (1024, 2048, 4096, 8192)  # tables of a fixed length, as contexts are long
Places = Callable[[Tensor, int, int], Tensor]  # (place in the call, start, how many) → what is taken for the position
PLACES: dict[str, Places] = {
    "start + i": lambda i, start, n: start + i,
    "i": lambda i, start, n: i,
    "one further": lambda i, start, n: start + i + 1,
    "one behind": lambda i, start, n: start + i - 1,
    "after the append": lambda i, start, n: start + i + n,
    "own length": lambda i, start, n: n + i,
    "backwards in the past": lambda i, start, n: i - start,
    "all at the start": lambda i, start, n: torch.full_like(i, start),
    "all at the end": lambda i, start, n: torch.full_like(i, start + n - 1),
    "start twice": lambda i, start, n: 2 * start + i,
    "in calls": lambda i, start, n: start * n + i,
    "single tokens only": lambda i, start, n: start + i if n == 1 else i,
    "chunks only": lambda i, start, n: start + i if n > 1 else i,
    "reversed": lambda i, start, n: start + n - 1 - i,
    "before the append": lambda i, start, n: max(start - n, 0) + i,
    "int16": lambda i, start, n: (start + i).to(torch.int16).double(),
    "first one only": lambda i, start, n: torch.where(i == 0, start + i, i),
    "bf16": lambda i, start, n: (start + i).float().to(torch.bfloat16).double(),
    **{f"modulo {rows}": lambda i, start, n, rows=rows: (start + i) % rows for rows in ROWS},
    **{f"at most {rows - 1}": lambda i, start, n, rows=rows: (start + i).clamp(max=rows - 1) for rows in ROWS},
}


def reference(
    x: Tensor,
    start_pos: int = 0,
    base: float = 10000.0,
    *,
    negative: bool = True,
    layout: str = "halves",
    writes: str = "",
    schedule: str = "2i/d",
    places: str = "start + i",
    shift: str = "position",
    axis: str = "seq",
    sign: int = 1,
    stride: float = 1.0,
    table: str = "",
    how: str = "turn",
    where: str = "all",
) -> Tensor:
    """x as complex numbers of its two halves, times e^(i·p·f), in float64: (batch, heads, seq, head_dim)."""
    width = x.shape[-1]
    if negative and start_pos < 0:
        raise ValueError("start_pos must not be negative")
    if width % 2:
        raise ValueError("head_dim must be even")
    pairs = torch.arange(width // 2, dtype=torch.float64, device=x.device)
    if table == "channels":  # a frequency for each channel, as if each were half a pair
        pairs = torch.arange(width, dtype=torch.float64, device=x.device) / 2
    frequency = SCHEDULES[schedule](pairs, width, base)
    along = torch.arange(x.shape[2 if axis == "seq" else 1], dtype=torch.float64, device=x.device)
    if shift == "angle":  # the start is added once the frequencies are in
        angles = along[:, None] * frequency + start_pos
    else:
        start = start_pos * x.shape[0] if places == "times batch" else start_pos
        angles = (
            PLACES["start + i" if places == "times batch" else places](along, start, len(along))[:, None] * frequency
        )
        if schedule == "growing":  # as an answer rounds them
            angles = ((along + start_pos).float()[:, None] * frequency.float()).double()
    angles = angles * stride * sign
    angles = angles if axis == "seq" else angles[:, None]
    a, b = _split(x.double(), layout)
    if table:
        one, two = _split(angles if table == "channels" else angles.repeat_interleave(2, -1), layout)
        return _joined(a * one.cos() - b * one.sin(), b * two.cos() + a * two.sin(), layout)
    a, b = _turned(a, b, angles, how)
    turned = _joined(a, b, writes or layout)
    if where == "last":
        return torch.cat([x.double()[:, :, :-1], turned[:, :, -1:]], 2)
    return turned


def _split(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    if layout == "adjacent":
        return x[..., 0::2], x[..., 1::2]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def _joined(a: Tensor, b: Tensor, layout: str) -> Tensor:
    return torch.stack([a, b], -1).flatten(-2) if layout == "adjacent" else torch.cat([a, b], -1)


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
    """The result has the shape of `x`, whatever the start."""
    for size, start in (((1, 2, 5, 4), 0), ((2, 3, 4, 6), 9), ((2, 3, 1, 6), 30)):
        x = draw.normal(*size)
        yield call(x, start_pos=start, like=x)


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """No pair (i, i + head_dim/2) changes its length."""
    x = draw.normal(2, 2, 7, 8)
    y = yield call(x, start_pos=11, like=x)
    before, after = (t.double().unflatten(-1, (2, -1)).norm(dim=-2) for t in (x, y))
    if at := apart(after, before, 1e-5 * before):
        b, h, p, i = at
        raise Failed(f"pair {i} of token {p} was {before[b, h, p, i]:.6g} long and is {after[b, h, p, i]:.6g}")


@check(points=1, explains=True)
def first_position(draw: Draw) -> Checking:
    """With an empty cache the first token stands at position 0 and is not turned."""
    x = draw.normal(2, 3, 4, 6)
    for kwargs in ({}, {"start_pos": 0}):
        y = yield call(x, like=x, **kwargs)
        if at := apart(y[:, :, 0], x[:, :, 0], 1e-6):
            b, h, i = at
            raise Failed(f"channel {i} of head {h} was {x[b, h, 0, i]:.6g} at position 0 and is {y[b, h, 0, i]:.6g}")


@check(points=1, explains=True)
def chunks(draw: Draw) -> Checking:
    """However a text is cut into calls, the same vectors come out."""
    x = draw.normal(1, 2, 9, 8)
    whole = yield call(x, like=x)
    for cuts in ((0, 4, 9), (0, 6, 7, 8, 9), (0, 1, 3, 9)):
        for start, end in pairwise(cuts):
            part = yield call(x[:, :, start:end].clone(), start_pos=start, like=x[:, :, start:end])
            if at := apart(part, whole[:, :, start:end], 1e-4):
                p = start + at[2]
                raise Failed(
                    f"position {p} comes out differently when tokens {start} to {end - 1} are a call of their own"
                )


@check(points=1, explains=True)
def relative(draw: Draw) -> Checking:
    """Scores between new queries and new keys don't depend on how long the cache is."""
    x = draw.normal(1, 2, 6, 8)  # head 0 holds queries, head 1 keys
    scores = []
    for start in (0, 1, 40):
        y = yield call(x, start_pos=start, like=x)
        scores.append(y[0, 0].double() @ y[0, 1].double().T)
    room = 2.0**-19 * 46 * x[0, 0].norm(dim=-1)[:, None] * x[0, 1].norm(dim=-1)
    for start, other in zip((1, 40), scores[1:], strict=True):
        if at := apart(other, scores[0], room):
            m, n = at
            text = f"query {m} and key {n} score {scores[0][m, n]:.6g} with an empty cache"
            raise Failed(f"{text}, and {other[m, n]:.6g} behind {start} cached tokens")


@check(points=1, explains=True)
def input_untouched(draw: Draw) -> Checking:
    """`x` keeps its values: the result is a new tensor."""
    x = draw.normal(2, 2, 5, 4)
    yield from inputs_kept(call(x, start_pos=3, like=x), "x")


@check(points=2)
def empty_cache(draw: Draw) -> Checking:
    """With `start_pos` 0, or none given, positions count 0, 1, 2, …."""
    for size in ((2, 5, 3, 6), (4, 4, 4, 4)):
        yield call(draw.normal(*size), want=reference)
        yield call(draw.normal(*size), start_pos=0, want=reference)


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right for several tokens behind a cache."""
    for size, start in (((2, 5, 3, 6), 4), ((2, 3, 7, 4), 1), ((3, 1, 6, 8), 29), ((1, 3, 20, 10), 40)):
        yield call(draw.normal(*size), start_pos=start, want=reference)


@check(points=1)
def all_sizes_equal(draw: Draw) -> Checking:
    """Positions run along seq, also when any axis would fit."""
    for n, start in ((4, 4), (6, 2)):
        yield call(draw.normal(n, n, n, n), start_pos=start, want=reference)


@check(points=2)
def one_token(draw: Draw) -> Checking:
    """A single new token stands right behind the cache."""
    for start in (1, 2, draw.integer(5, 60)):
        yield call(draw.normal(2, 3, 1, 6), start_pos=start, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, below 1, not whole, or an int."""
    for base in (3.5, 500000.0, 12345.5, 100, 0.5):
        yield call(draw.normal(1, 2, 9, 8), start_pos=6, base=base, want=reference)


@check(points=1)
def head_dims(draw: Draw) -> Checking:
    """Any even `head_dim` will do, from 2 on."""
    for head_dim in (6, 2, 64):
        yield call(draw.normal(2, 3, 5, head_dim), start_pos=13, want=reference)


@check(points=1)
def far_into_a_text(draw: Draw) -> Checking:
    """The start may be far larger than the number of new tokens."""
    yield call(draw.normal(1, 2, 3, 6), start_pos=9, want=reference)
    for start in (257, 2047, 5001, 131071):
        yield call(draw.normal(1, 2, 3, 6), start_pos=start, want=reference, within=near(start + 3))


@check(points=1)
def edges(draw: Draw) -> Checking:
    """No new token and an empty batch are fine."""
    for size in ((2, 3, 4, 6), (2, 3, 0, 6), (0, 3, 4, 6), (1, 1, 1, 2)):
        yield call(draw.normal(*size), start_pos=5, want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` may be a transposed, sliced or expanded view."""
    yield call(draw.normal(2, 3, 5, 8), start_pos=2, want=reference)
    yield call(draw.normal(2, 5, 3, 8).transpose(1, 2), start_pos=2, want=reference)
    yield call(draw.normal(2, 3, 8, 5).transpose(2, 3), start_pos=2, want=reference)
    yield call(draw.normal(2, 3, 10, 17)[:, :, 1::2, 1::2], start_pos=2, want=reference)
    yield call(draw.normal(2, 1, 5, 8).expand(2, 3, 5, 8), start_pos=2, want=reference)


@check(points=2)
def another_call_later(draw: Draw) -> Checking:
    """What a call does depends on its arguments alone: not on the starts, lengths and bases of earlier ones."""
    for seq, start, base in (
        (4, 0, 10000.0),
        (1, 4, 10000.0),
        (1, 4, 10000.0),
        (4, 0, 50.0),
        (9, 2, 50.0),
        (2, 30, 50.0),
    ):
        yield call(draw.normal(1, 2, seq, 6), start_pos=start, base=base, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """The gradient flows back to `x`, and is right."""
    for size, start in (((2, 3, 4, 6), 0), ((1, 2, 9, 8), 21)):
        yield call(draw.normal(*size), start_pos=start, cotangent=draw.normal(*size), want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def negative_start(draw: Draw) -> Checking:
    """A negative `start_pos` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 6), start_pos=0, want=reference)
    for start in (-1, -7):
        yield call(draw.normal(1, 2, 4, 6), start_pos=start, raises=ValueError)


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(draw.normal(1, 2, 4, 6), start_pos=2, want=reference)
    for head_dim in (7, 1, 3):
        yield call(draw.normal(1, 2, 4, head_dim), start_pos=2, raises=ValueError)


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x = draw.normal(1, 2, 5, 8, dtype=dtype)
        yield call(x, start_pos=3, like=x)


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """With bfloat16 and float16 the angles are as exact as in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        for start in (0, 600, 4200):
            x = draw.normal(1, 2, 9, 16, dtype=dtype)
            yield call(x, start_pos=start, want=reference, within=near(start + 9))


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` is turned with float64's accuracy."""
    for start in (0, 300):
        asked = call(draw.normal(1, 2, 9, 16, dtype=torch.float64), start_pos=start, want=reference)
        yield from exact_in_float64(asked, near(start + 9))


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle."""
    yield call(draw.normal(1, 2, 5, 8), start_pos=3, want=reference)
    yield from settings_ignored(call(draw.normal(1, 2, 20, 8), start_pos=40, want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x = draw.normal(1, 2, 5, 8)
    yield from on_one_device(draw, call(x, start_pos=3, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(draw.normal(2, 2, 4, 6), start_pos=3, want=reference)
    yield call(draw.normal(3, 2, 2, 4, 6), start_pos=3, want=reference, under="vmap")


@check(craft=True)
def training_after_inference(draw: Draw) -> Checking:
    """A call in inference mode leaves nothing behind that a later backward pass can't use."""
    yield call(draw.normal(1, 2, 9, 8), start_pos=2, want=reference, under="inference_mode")
    yield call(draw.normal(1, 2, 9, 8), start_pos=2, cotangent=draw.normal(1, 2, 9, 8), want=reference)


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(draw.normal(2, 2, n, 8), start_pos=4, want=reference) for n in (8, 24)}
    yield from no_loop_over("positions", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "start_ignored",
        "`start_pos` is not used: every call counts from 0. While a model writes, each new token would claim to be the "
        "first. Add the start to the positions.",
        places="i",
    ),
    mistake(
        "one_position_too_far",
        "Every token stands one position too far: behind n cached tokens (positions 0 … n − 1) the next one has "
        "position n. Cutting a text into calls doesn't show this, since all calls are off alike; position 0, which "
        "is turned, does.",
        places="one further",
    ),
    mistake(
        "one_position_behind",
        "Every token stands one position too far in front: the first new token shares its position with the last "
        "cached one. Behind n cached tokens (positions 0 … n − 1) the next one has position n.",
        places="one behind",
    ),
    mistake(
        "length_after_the_append",
        "The new tokens are counted twice: `start_pos` is taken for the length of the cache *after* they were "
        "appended (or seq is added to it). It is the length before. For single tokens this is off by one.",
        places="after the append",
    ),
    mistake(
        "new_tokens_taken_off",
        "`start_pos` is taken for the length of the cache *after* the new tokens were appended, and seq is taken off. "
        "It is the length before: the first new token stands at `start_pos`.",
        places="before the append",
    ),
    mistake(
        "starts_at_its_own_length",
        "Positions begin at seq, the number of *new* tokens. The number of cached ones, `start_pos`, is where they "
        "begin.",
        places="own length",
    ),
    mistake(
        "start_subtracted",
        "`start_pos` is subtracted from the positions. New tokens come *after* the cached ones: add it.",
        places="backwards in the past",
    ),
    mistake(
        "all_tokens_at_the_start",
        "All tokens of a call are turned by `start_pos`, so their order among themselves is lost. That is right for "
        "a single token only. Token i of the call stands at start_pos + i.",
        places="all at the start",
    ),
    mistake(
        "all_tokens_at_the_end",
        "All tokens of a call are turned like the last one. Token i of the call stands at start_pos + i; look for "
        "an index where a slice belongs.",
        places="all at the end",
    ),
    mistake(
        "start_counted_twice",
        "`start_pos` is added twice, as when a range already starts there and the start is added again.",
        places="start twice",
    ),
    mistake(
        "start_counts_calls",
        "`start_pos` is multiplied by seq, as if it counted calls or chunks. It counts tokens.",
        places="in calls",
    ),
    mistake(
        "start_for_single_tokens_only",
        "`start_pos` is used for single tokens only; longer calls count from 0, as if they were always the prompt. "
        "Prompts are read in chunks, too.",
        places="single tokens only",
    ),
    mistake(
        "single_tokens_at_zero",
        "A single token is turned by position 0 (or not at all), while longer calls use `start_pos`. The single "
        "tokens are those that a model writes: they stand right behind the cache.",
        places="chunks only",
    ),
    mistake(
        "new_tokens_reversed",
        "The new tokens are numbered from behind: the last one stands at `start_pos`. It is the first one that does.",
        places="reversed",
    ),
    mistake(
        "start_added_to_the_angle",
        "`start_pos` is added to the *angles*, after the frequencies were multiplied in, so all pairs are turned by "
        "the same amount more. Slow pairs must also move slowly over the start: (start_pos + i) times the frequency.",
        shift="angle",
    ),
    *[
        mistake(
            f"positions_wrap_at_{rows}",
            f"At position {rows} the angles start anew from 0: a table of fixed length is read in circles, or the slot "
            "in a ring buffer is taken for the place in the text. Positions have no end.",
            places=f"modulo {rows}",
        )
        for rows in ROWS
    ],
    *[
        mistake(
            f"positions_end_at_{rows - 1}",
            f"From position {rows} on every token is turned like position {rows - 1}: a table of fixed length with its "
            "index held at the end. Positions have no end.",
            places=f"at most {rows - 1}",
        )
        for rows in ROWS
    ],
    mistake(
        "positions_in_bfloat16",
        "Positions were rounded to bfloat16, which holds whole numbers only up to 256: beyond, neighbours share an "
        "angle.",
        places="bf16",
    ),
    mistake(
        "turned_twice",
        "Every angle is twice what it should be: vectors were turned by their position, and then once more. Each "
        "vector is turned once in its life; what is in the cache has been turned already.",
        stride=2.0,
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
        "interleaved",
        "Neighbouring channels are paired: 0 with 1, 2 with 3. Here channel i belongs with channel i + head_dim/2, "
        "as in problem 29.",
        layout="adjacent",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "The right numbers are stored in another order: the two results of each pair stand side by side. First all "
        "first members, then all second ones.",
        writes="adjacent",
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
        "All pairs turn alike, by one radian a position. Each has a frequency of its own.",
        schedule="one",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number: 3.5 becomes 3. Any positive number is allowed.",
        schedule="whole",
    ),
    mistake("base_ignored", "`base` is not used: 10000 stands in its place.", schedule="10000"),
    mistake(
        "positions_along_heads",
        "Positions run along the heads: all tokens of a head share one angle. The axes are (batch, heads, seq, "
        "head_dim).",
        axis="heads",
    ),
    mistake(
        "frequency_for_each_channel",
        "Every channel has a frequency of its own, so the two members of a pair are turned by different angles: "
        "that is no rotation. There are head_dim/2 frequencies, and channels i and i + head_dim/2 share one.",
        table="channels",
    ),
    mistake(
        "angles_repeated_for_neighbours",
        "Each angle is laid out twice in a row (repeat_interleave), while partners are half the width apart: the "
        "two members of a pair meet different angles. Here the whole row of angles is followed by a copy of itself.",
        table="repeated",
    ),
    mistake(
        "half_the_angle",
        "Every angle is half of what it should be, as when positions are interpolated for longer texts.",
        stride=0.5,
    ),
    mistake(
        "start_counts_the_whole_batch",
        "`start_pos` is multiplied by the number of texts in the batch. It counts the cached tokens of one text; "
        "all texts of a batch share it.",
        places="times batch",
    ),
    mistake(
        "start_for_the_first_token_only",
        "Only the first token of a call stands behind the cache; the others count on from 1 as if it were empty.",
        places="first one only",
    ),
    mistake(
        "positions_in_int16",
        "From position 32768 on the angles are wrong: positions were kept in 16-bit integers, which turn negative "
        "there.",
        places="int16",
    ),
    mistake(
        "last_token_only",
        "Only the last token of a call is turned, as if the others had been turned before. All tokens of a call are "
        "new.",
        where="last",
    ),
    mistake(
        "negative_start_accepted",
        "A negative `start_pos` is taken as it comes. No cache holds fewer than no tokens: the caller has made a "
        "mistake, and a ValueError is asked for.",
        craft=True,
        negative=False,
    ),
]


def tables(x: Tensor, base: float, seq: int, dtype: torch.dtype | None = None, start: int = 0) -> tuple[Tensor, Tensor]:
    """Cosines and sines, each (seq, head_dim/2), as an answer makes them."""
    dtype = dtype or torch.promote_types(x.dtype, torch.float32)
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, dtype=dtype, device=x.device) / max(half, 1))
    angle = torch.arange(start, start + seq, dtype=dtype, device=x.device)[:, None] * frequency
    return angle.cos(), angle.sin()


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Halves turned, in whatever dtype comes of it."""
    first, second = x.chunk(2, -1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


def valid(x: Tensor, start_pos: int) -> None:
    """What every answer refuses."""
    if x.shape[-1] % 2 or start_pos < 0:
        raise ValueError("head_dim must be even, start_pos not negative")


def right_answer(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """What an answer does."""
    valid(x, start_pos)
    return turn(x, *tables(x, base, x.shape[-2], start=start_pos)).to(x.dtype)


@wrong(
    "A table of 2048 rows is cut out at `start_pos`. Beyond its end the slice is silently shorter, or empty, and no "
    "longer fits. Make the table as long as start_pos + seq, or compute just the rows that are needed."
)
def table_of_2048_rows(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """A slice that may be too short."""
    valid(x, start_pos)
    cos, sin = tables(x, base, 2048)
    here = slice(start_pos, start_pos + x.shape[-2])
    return turn(x, cos[here], sin[here]).to(x.dtype)


@wrong(
    "Positions end at seq: a range from start_pos to seq, or a table with a row for each *new* token that is cut at "
    "start_pos. Too few are left, or none. The last position is start_pos + seq − 1."
)
def table_as_long_as_the_call(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Cut beyond its end."""
    valid(x, start_pos)
    cos, sin = tables(x, base, x.shape[-2])
    return turn(x, cos[start_pos:], sin[start_pos:]).to(x.dtype)


@wrong(
    "A table of start_pos + seq rows is made and multiplied in as a whole. It has too many rows as soon as the "
    "cache is not empty; a single token is even spread over all of them. Only the last seq rows belong to the new "
    "tokens."
)
def whole_table(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Not cut at all."""
    valid(x, start_pos)
    return turn(x, *tables(x, base, start_pos + x.shape[-2])).to(x.dtype)


@wrong(
    "Positions go on where the last call ended, and `start_pos` is not looked at. A counter of one's own can't know "
    "that a new text began, that a call was repeated, or that queries and keys call one after the other.",
    fresh=True,
)
def own_counter() -> Answer:
    """A counter that is never set back."""
    done = 0

    def answer(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
        nonlocal done
        valid(x, start_pos)
        turned = right_answer(x, done, base)
        done += x.shape[-2]
        return turned

    return answer


@wrong(
    "A table made for an earlier call is used again although start or base have changed since. Everything that a table "
    "depends on belongs into the key of its cache.",
    fresh=True,
)
def kept_table_ignores_the_start() -> Answer:
    """A cache by shape alone."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
        valid(x, start_pos)
        key = (*x.shape[-2:], base, x.dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = tables(x, base, x.shape[-2], start=start_pos)
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "A table that grows with the text is used again although `base` has changed since: it is made anew where it is too "
    "short, and then alone. Keep one table for each base.",
    fresh=True,
)
def growing_table_keeps_its_base() -> Answer:
    """A table by width that grows."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
        valid(x, start_pos)
        key, end = (x.shape[-1], x.dtype, x.device), start_pos + x.shape[-2]
        if key not in kept or len(kept[key][0]) < end:
            with torch.inference_mode(False):
                kept[key] = tables(x, base, end)
        cos, sin = kept[key]
        return turn(x, cos[start_pos:end], sin[start_pos:end]).to(x.dtype)

    return answer


@wrong(
    "The turned values are written into `x` itself, which its owner still needs. Make a new tensor: no *=, no += "
    "and no assignment to slices of x."
)
def written_into_x(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Stored in x."""
    turned = right_answer(x, start_pos, base)
    with torch.no_grad():
        x.copy_(turned.detach())
    return turned


@wrong("No gradient reaches `x`: detach, .data, torch.no_grad or a new tensor made of numbers has cut the result off.")
def graph_cut(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Detached."""
    return right_answer(x, start_pos, base).detach()


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out: float32 tables times a bfloat16 x give float32. Cast the result "
    "to the dtype of x.",
    craft=True,
)
def half_comes_back_as_float32(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """No cast at the end."""
    valid(x, start_pos)
    return turn(x, *tables(x, base, x.shape[-2], start=start_pos))


@wrong(
    "With half precision everything is computed in the dtype of x: positions, frequencies and angles are all "
    "rounded. Make the table in float32 and cast the result.",
    craft=True,
)
def half_all_the_way(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Tables in x.dtype."""
    valid(x, start_pos)
    half, dtype = x.shape[-1] // 2, x.dtype
    frequency = 1.0 / (base ** (torch.arange(half, dtype=dtype, device=x.device) / half))
    places = torch.arange(start_pos, start_pos + x.shape[-2], device=x.device).to(dtype)
    angle = places[:, None] * frequency
    return turn(x, angle.cos(), angle.sin())


@wrong(
    "With half precision the positions are cast to the dtype of x: bfloat16 holds whole numbers up to 256, float16 "
    "up to 2048. Behind a long cache neighbours share an angle. Keep positions in float32.",
    craft=True,
)
def half_positions(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Positions in x.dtype."""
    valid(x, start_pos)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    places = torch.arange(start_pos, start_pos + x.shape[-2], device=x.device).to(x.dtype).to(wide)
    angle = places[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "For a float64 x the angles are computed in float32: the result says float64 and is right to seven digits at "
    "best. Let the dtype of the angles follow x, with float32 as the least.",
    craft=True,
)
def float64_with_float32_angles(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """float32 tables."""
    valid(x, start_pos)
    return turn(x, *tables(x, base, x.shape[-2], torch.float32, start_pos)).to(x.dtype)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that "
    "sets it to bfloat16 rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_frequencies(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """arange / number, without a dtype."""
    valid(x, start_pos)
    wide = torch.promote_types(x.dtype, torch.float32)
    frequency = 1.0 / base ** (torch.arange(0, x.shape[-1], 2, device=x.device) / x.shape[-1])
    angle = torch.arange(start_pos, start_pos + x.shape[-2], dtype=wide, device=x.device)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Under autocast the angles are rounded to bfloat16: they are made by a matrix product (@, matmul), which autocast "
    "lowers. Multiply by broadcasting.",
    craft=True,
)
def angles_by_matmul(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Positions @ frequencies."""
    valid(x, start_pos)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide, device=x.device) / half)
    angle = torch.arange(start_pos, start_pos + x.shape[-2], dtype=wide, device=x.device)[:, None] @ frequency[None]
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Tensors are made without saying where, on the CPU: on a GPU the product with x raises. Pass the device of x to "
    "every factory.",
    craft=True,
)
def made_without_device(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """arange without a device."""
    valid(x, start_pos)
    half, wide = x.shape[-1] // 2, torch.promote_types(x.dtype, torch.float32)
    frequency = base ** (-torch.arange(half, dtype=wide) / half)
    angle = torch.arange(start_pos, start_pos + x.shape[-2], dtype=wide)[:, None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "A table made in inference mode is kept and used in training later, where backward refuses it. Make what is "
    "kept outside of inference mode, or don't keep it.",
    craft=True,
    fresh=True,
)
def kept_table_from_inference() -> Answer:
    """A cache filled in whatever mode the caller is."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
        valid(x, start_pos)
        key = (*x.shape[-2:], start_pos, base, x.dtype, x.device)
        if key not in kept:
            kept[key] = tables(x, base, x.shape[-2], start=start_pos)
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "A negative `start_pos` is silently taken for 0. No cache holds fewer than no tokens: the caller has made a "
    "mistake, and a ValueError is asked for.",
    craft=True,
)
def negative_start_taken_for_zero(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """max(start_pos, 0)."""
    return right_answer(x, max(start_pos, 0), base)


@wrong(
    "An odd head_dim is not refused: it runs into a size mismatch somewhere inside (or, for 1, returns an empty "
    "tensor). Raise ValueError first.",
    craft=True,
)
def odd_not_refused(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """Whatever happens with an odd width."""
    if start_pos < 0:
        raise ValueError("start_pos")
    return turn(x, *tables(x, base, x.shape[-2], start=start_pos)).to(x.dtype)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """assert instead of raise."""
    assert x.shape[-1] % 2 == 0
    assert start_pos >= 0
    return right_answer(x, start_pos, base)


@wrong(
    "The result is written into a tensor made from x.shape alone. Under vmap x stands for many tensors and that one "
    "for a single one. empty_like is mapped along; cat needs no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """empty(shape) filled by slices."""
    half = x.shape[-1] // 2
    turned = right_answer(x, start_pos, base)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    out[..., :half], out[..., half:] = turned[..., :half], turned[..., half:]
    return out


@wrong("The result is right, but a Python loop runs over the positions. All angles can be made at once.", craft=True)
def loop_over_positions(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """One token after the other."""
    valid(x, start_pos)
    if not x.shape[-2]:
        return right_answer(x, start_pos, base)
    return torch.cat([right_answer(x[..., i : i + 1, :], start_pos + i, base) for i in range(x.shape[-2])], -2)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_complex_numbers(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """A product of complex numbers."""
    valid(x, start_pos)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    half = x.shape[-1] // 2
    frequency = torch.exp(torch.arange(half, dtype=wide.dtype, device=x.device) * (-math.log(base) / half))
    places = start_pos + torch.arange(x.shape[-2], dtype=wide.dtype, device=x.device)
    angle = places[:, None] * frequency
    turned = torch.complex(*wide.chunk(2, -1)) * torch.polar(torch.ones_like(angle), angle)
    return torch.cat([turned.real, turned.imag], -1).to(x.dtype)


@accepted
def by_a_longer_table(x: Tensor, start_pos: int = 0, base: float = 10000.0) -> Tensor:
    """A table from position 0, cut at the start."""
    valid(x, start_pos)
    cos, sin = tables(x, base, start_pos + x.shape[-2])
    return turn(x, cos[start_pos:], sin[start_pos:]).to(x.dtype)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint("Write down the positions of two new tokens behind a cache of five. Which line of problem 29 has to change?"),
    hint(
        "The angle is position times frequency. The start belongs to the position: decide where to add it, before "
        "or after the product, and what that means for the slow pairs."
    ),
    hint(
        "Test yourself twice: turn a text at once and in pieces, which must agree; and turn one from the beginning and "
        "compare with problem 29, which finds what the first test can't."
    ),
    hint(
        "With 5 tokens in the cache their positions are 0 to 4. Which position does the next token have, and which "
        "does your code give it?",
        "one_position_too_far",
        "one_position_behind",
        "length_after_the_append",
        "new_tokens_taken_off",
        "starts_at_its_own_length",
        "start_counted_twice",
        "start_subtracted",
    ),
    hint(
        "Call your function with four tokens behind a cache of ten, all holding the same vector. How many different "
        "results are there, and how many should there be?",
        "all_tokens_at_the_start",
        "all_tokens_at_the_end",
        "positions_along_heads",
        "last_token_only",
    ),
    hint(
        "Compare pair 0 and the last pair: by how much do they differ between start_pos 0 and start_pos 100? The "
        "last pair should have moved 100 times its own small frequency.",
        "start_added_to_the_angle",
    ),
    hint(
        "What does table[3000:3001] give when the table has 2048 rows? And table[5:9] when it has four?",
        "table_of_2048_rows",
        "table_as_long_as_the_call",
        "whole_table",
        "positions_wrap_at_1024",
        "positions_wrap_at_2048",
        "positions_wrap_at_4096",
        "positions_wrap_at_8192",
        "positions_end_at_1023",
        "positions_end_at_2047",
        "positions_end_at_4095",
        "positions_end_at_8191",
    ),
    hint(
        "Call your function twice with exactly the same arguments. Then once more with another start. Does anything "
        "remember?",
        "own_counter",
        "kept_table_ignores_the_start",
        "growing_table_keeps_its_base",
        "kept_table_from_inference",
    ),
]

QUIZ = [
    question(
        "The cache holds 100 turned keys. One new token arrives. What is turned, and by which position?",
        right("Its query and its key, by position 100", "Positions 0 … 99 are taken. Nothing in the cache is touched."),
        wrong_choice("Its query and its key, by position 101", "101 is the length *after* the append: off by one."),
        wrong_choice("Its query and its key, by position 0", "The place in the call is not the place in the text."),
        wrong_choice("Its query by 100, and all 101 keys anew", "The cached keys would be turned twice."),
    ),
    question(
        "Someone adds 1 to every position, in all calls. Which test finds it?",
        right(
            "Comparing the first vector of a text with the unturned one",
            "Position 0 must come back unchanged. Everything that compares calls with each other is blind to it.",
        ),
        wrong_choice("Comparing one long call with two short ones", "All of them are off alike, so they agree."),
        wrong_choice(
            "Comparing scores of queries and keys", "Scores see differences of positions, and those are right."
        ),
        wrong_choice("Comparing lengths before and after", "Any rotation keeps lengths."),
    ),
    question(
        "Why is (i · f) + start_pos wrong, when the angle should be (start_pos + i) · f?",
        right(
            "All pairs would be moved on by the same angle, while slow pairs should hardly move",
            "The start is a number of positions. Multiplied by f it becomes an angle, a different one for each pair.",
        ),
        wrong_choice("It is not: both are the same", "Only for pair 0, whose frequency is 1."),
        wrong_choice("The angle would become too large for a cosine", "Cosines take any angle."),
        wrong_choice("Because start_pos is an int", "An int can be added to a float tensor."),
    ),
    question(
        "A batch holds two texts with 7 and 12 cached tokens, and each gets a new one. Which start_pos is right?",
        right(
            "None: with one number for the whole batch, one of the two is wrong",
            "Such batches need a position for each text: ids for every token, as in problem 31.",
        ),
        wrong_choice("12, the longer one", "The first text would have a gap of five positions, and other scores."),
        wrong_choice("7, the shorter one", "The new token of the second text would stand among its cached ones."),
        wrong_choice("9.5, the mean", "Positions are whole, and both would be wrong."),
    ),
    question(
        "When is turning keys *after* they are taken from the cache the better design?",
        right(
            "When positions in the cache change, as when the oldest tokens are dropped and the rest moves up",
            "Unturned keys can be turned by any position; the price is turning the whole cache in every step.",
        ),
        wrong_choice("Always: it saves memory", "A turned key needs as much memory as an unturned one."),
        wrong_choice("Never: the scores would differ", "Turned once, before or after, the scores are the same."),
        wrong_choice("When keys have fewer heads than queries", "The angle doesn't depend on the head."),
    ),
]
