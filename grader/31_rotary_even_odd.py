"""How rotary_even_odd is graded: the matrix exponential of the rotation's generator in float64 is the reference."""

SECTION = "Positions"
LEVEL = 3
AFTER = (29, 30)
VERSION = 3
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Callable

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
    wrong,
    wrong_choice,
)

SIZES = ((2, 4, 3, 5, 6), (3, 2, 1, 4, 8), (2, 6, 2, 7, 4))  # batch, heads, kv_heads, seq, head_dim
Turned = tuple[Tensor, Tensor]


def near(most: int) -> Close:
    """How far an answer may be off when ids go up to `most`; the reference squares its matrix log2(p) times."""
    return rotated("neighbours", most, step64=2.0**-48)


close = near(64)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Schedule = Callable[[Tensor, int, float], Tensor]  # (pair, head_dim, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2j/d": lambda j, d, b: b ** (-2 * j / d),
    "j/d": lambda j, d, b: b ** (-j / d),
    "4j/d": lambda j, d, b: b ** (-4 * j / d),
    "growing": lambda j, d, b: (b ** (2 * j.float() / d)).double(),
    "reversed": lambda j, d, b: (b ** (-2 * j / d)).flip(0),
    "log10": lambda j, d, b: torch.exp(-2 * j / d * math.log10(b)),
    "one": lambda j, d, b: torch.ones_like(j),
    "at least 1": lambda j, d, b: max(b, 1.0) ** (-2 * j / d),
    "10000": lambda j, d, b: 10000.0 ** (-2 * j / d),
}
Ids = Callable[[Tensor], Tensor]  # (batch, seq) → what is taken for it
IDS: dict[str, Ids] = {
    "given": lambda p: p,
    "counted": lambda p: torch.arange(p.shape[1], device=p.device).expand_as(p),
    "first text's": lambda p: p[:1].expand_as(p),
    "last text's": lambda p: p[-1:].expand_as(p),
    "from one": lambda p: p + 1,
    "from the first": lambda p: p - p[:, :1],
    "first and on": lambda p: p[:, :1] + torch.arange(p.shape[1], device=p.device),
    "last token's": lambda p: p[:, -1:].expand_as(p),
    "sorted": lambda p: p.sort(-1).values,
    "modulo 2048": lambda p: p % 2048,
    "at most 2047": lambda p: p.clamp(max=2047),
    "int16": lambda p: p.to(torch.int16),
}


def reference(
    q: Tensor,
    k: Tensor,
    position_ids: Tensor,
    base: float = 10000.0,
    *,
    layout: str = "adjacent",
    writes: str = "",
    schedule: str = "2j/d",
    ids: str = "given",
    key_ids: str = "",
    sign: int = 1,
    key_sign: int = 1,
    stride: float = 1.0,
    how: str = "turn",
    table: str = "",
    keep: str = "both",
    which: str = "both",
    order: str = "q, k",
) -> Turned:
    """exp(p·A) applied to every vector, A the generator with ±f in 2×2 blocks: two tensors of float64."""
    if q.shape[-1] % 2:
        raise ValueError("head_dim must be even")
    frequency = _frequencies(q, base, schedule)
    turned = []
    for x, name, taken, turn in ((q, "q", ids, sign), (k, "k", key_ids or ids, sign * key_sign)):
        places = IDS[taken](position_ids).double() * stride
        angles = places[..., None] * frequency * turn  # (batch, seq, head_dim/2)
        if schedule == "growing":  # as an answer rounds them
            angles = torch.remainder((places.float()[..., None] * frequency.float()).double(), 2 * math.pi) * turn
        if table:
            turned.append(_two_tables(x.double(), places, angles, base, table))
        else:
            turned.append(_applied(x.double(), angles, layout, writes or layout, how, keep))
        turned[-1] = turned[-1] if which in ("both", name) else x.double().clone()
    return (turned[0], turned[1]) if order == "q, k" else (turned[1], turned[0])


def _frequencies(q: Tensor, base: float, schedule: str) -> Tensor:
    width = q.shape[-1]
    pairs = torch.arange(width // 2, dtype=torch.float64, device=q.device)
    return SCHEDULES[schedule](pairs, width, base)


def _members(width: int, layout: str, x: Tensor) -> tuple[Tensor, Tensor]:
    """Which channels are the first and the second members of the pairs."""
    pairs = torch.arange(width // 2, device=x.device)
    return (2 * pairs, 2 * pairs + 1) if layout == "adjacent" else (pairs, pairs + width // 2)


def _applied(x: Tensor, angles: Tensor, layout: str, writes: str, how: str, keep: str) -> Tensor:
    width = x.shape[-1]
    first, second = _members(width, layout, x)
    if how != "turn" or layout != "adjacent" or writes != layout or keep != "both":  # a wrong variant: in real numbers
        a, b = _mixed(x[..., first], x[..., second], angles.cos()[:, None], angles.sin()[:, None], how)
        if keep != "both":
            return a if keep == "first" else b
        if writes == "halves":
            return torch.cat([a, b], -1)
        return torch.stack([b, a] if writes == "exchanged" else [a, b], -1).flatten(-2)
    one = torch.eye(width, dtype=torch.float64, device=x.device)
    generators = one[second, :, None] * one[first, None, :] - one[first, :, None] * one[second, None, :]
    turn = torch.matrix_exp(torch.einsum("bsj,jmn->bsmn", angles, generators))  # (batch, seq, head_dim, head_dim)
    return torch.einsum("bsmn,bhsn->bhsm", turn, x)


def _two_tables(x: Tensor, places: Tensor, angles: Tensor, base: float, table: str) -> Tensor:
    """Neighbours whose two members meet different angles."""
    if table == "cat":
        wide = torch.cat([angles, angles], -1)
    else:
        channels = torch.arange(x.shape[-1], dtype=torch.float64, device=x.device)
        wide = places[..., None] * base ** (-channels / x.shape[-1])
    c, s = wide[:, None].cos(), wide[:, None].sin()
    return x * c + torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2) * s


def _mixed(e: Tensor, o: Tensor, c: Tensor, s: Tensor, how: str) -> tuple[Tensor, Tensor]:
    match how:
        case "turn":
            return e * c - o * s, e * s + o * c
        case "minus missing":
            return e * c + o * s, e * s + o * c
        case "even overwritten":
            e = e * c - o * s
            return e, e * s + o * c
        case "odd overwritten":
            o = e * s + o * c
            return e * c - o * s, o
        case "sine for cosine":
            return e * s - o * c, e * c + o * s
        case "cosine alone":
            return e * c, o * c
        case "one by one":
            return e * c, o * s
        case "even twice":
            return e * c - o * s, e * c - o * s
        case "odd left alone":
            return e * c - o * s, o
    return e + s, o + c  # added


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(
    draw: Draw, size: tuple[int, ...], most: int = 60, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and ids from 0 to `most`, in any order and different for every text."""
    b, h, kv, s, d = size
    return (
        draw.normal(b, h, s, d, dtype=dtype),
        draw.normal(b, kv, s, d, dtype=dtype),
        draw.integers(0, most + 1, (b, s)),
    )


@check(points=1, explains=True)
def shapes(draw: Draw) -> Checking:
    """A tuple comes back: queries and keys, each in its own shape."""
    for size in SIZES:
        q, k, ids = drawn(draw, size)
        yield call(q, k, ids, like=(q, k))


@check(points=1, explains=True)
def id_zero(draw: Draw) -> Checking:
    """A token at position 0 is not turned, wherever it stands in the row."""
    q, k, ids = drawn(draw, SIZES[0])
    ids[:, 2], ids[1] = 0, 0
    came = yield call(q, k, ids, like=(q, k))
    for name, x, y in (("query", q, came[0]), ("key", k, came[1])):
        if at := first_true(~((y - x).abs() <= 1e-6) & (ids == 0)[:, None, :, None]):
            b, h, s, i = at
            text = f"channel {i} was {x[b, h, s, i]:.6g} and is {y[b, h, s, i]:.6g}"
            raise Failed(f"the {name} of token {s} in text {b} has id 0 and is changed: {text}")


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """No pair (2j, 2j + 1) changes its length."""
    q, k, ids = drawn(draw, SIZES[1])
    came = yield call(q, k, ids, like=(q, k))
    for name, x, y in (("queries", q, came[0]), ("keys", k, came[1])):
        before, after = (t.double().unflatten(-1, (-1, 2)).norm(dim=-1) for t in (x, y))
        if at := apart(before, after, 1e-5 * before):
            b, h, s, j = at
            raise Failed(f"pair {j} of the {name} was {before[b, h, s, j]:.6g} long and is {after[b, h, s, j]:.6g}")


@check(points=1, explains=True)
def relative(draw: Draw) -> Checking:
    """Adding the same number to all ids of a text changes no score of a query with a key."""
    q, k, ids = drawn(draw, (2, 2, 2, 6, 8), most=20)
    scores = []
    for shift in (0, 1, 13):
        came = yield call(q, k, ids + shift, like=(q, k))
        scores.append(came[0].double() @ came[1].double().mT)
    room = 2.0**-19 * 34 * q.norm(dim=-1)[..., None] * k.norm(dim=-1)[..., None, :]
    for shift, other in zip((1, 13), scores[1:], strict=True):
        if at := apart(other, scores[0], room):
            b, h, m, n = at
            text = f"query {m} and key {n} score {scores[0][b, h, m, n]:.6g}, and {other[b, h, m, n]:.6g}"
            raise Failed(f"{text} when {shift} is added to all ids")


@check(points=1, explains=True)
def equal_ids(draw: Draw) -> Checking:
    """Tokens with the same id are turned alike, wherever they stand and in whichever text."""
    q, k = draw.normal(1, 1, 1, 6).expand(2, 3, 4, 6).clone(), draw.normal(1, 1, 1, 6).expand(2, 2, 4, 6).clone()
    came = yield call(q, k, torch.tensor([[7, 2, 7, 0], [2, 7, 5, 7]]), like=(q, k))
    for name, y in (("queries", came[0]), ("keys", came[1])):
        alike = torch.stack([y[0, :, 0], y[0, :, 2], y[1, :, 1], y[1, :, 3]])
        if not bool(((alike - alike[:1]).abs() <= 1e-5).all()):
            raise Failed(f"four equal {name} with the id 7 come out differently")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values."""
    q, k, ids = drawn(draw, SIZES[0])
    yield from inputs_kept(call(q, k, ids, like=(q, k)), "q", "k", "position_ids")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right for ids in any order, different for every text."""
    for size in SIZES:
        yield call(*drawn(draw, size), want=reference)


@check(points=1)
def all_sizes_equal(draw: Draw) -> Checking:
    """The ids belong to texts and tokens, also when any axis would fit."""
    for size in ((4, 4, 4, 4, 4), (3, 3, 3, 3, 6)):
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def another_call_later(draw: Draw) -> Checking:
    """A call of the same sizes with other ids or another base is right, and so is the first one again."""
    q, k, ids = drawn(draw, SIZES[0])
    for given, base in ((ids, 10000.0), (draw.integers(0, 40, (2, 5)), 10000.0), (ids, 50.0), (ids, 10000.0)):
        yield call(q, k, given, base=base, want=reference)


@check(points=2)
def padded_and_packed(draw: Draw) -> Checking:
    """Rows padded at the left, packed with several texts, or going on from a cache have the ids that are given."""
    rows = (
        [[0, 1, 2, 3, 4], [0, 0, 0, 1, 2]],
        [[0, 1, 2, 0, 1], [0, 0, 1, 2, 3]],
        [[17, 18, 19, 20, 21], [3, 4, 5, 6, 7]],
        [[5, 5, 5, 5, 5], [9, 4, 1, 30, 2]],
    )
    for ids in rows:
        q, k, _ = drawn(draw, SIZES[0])
        yield call(q, k, torch.tensor(ids), want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, not whole, or an int."""
    for base in (3.5, 500000.0, 12345.5, 100, 0.5):
        yield call(*drawn(draw, SIZES[2]), base=base, want=reference)


@check(points=1)
def head_dims(draw: Draw) -> Checking:
    """Any even `head_dim` will do, from 2 on."""
    for head_dim in (6, 2, 32):
        yield call(*drawn(draw, (2, 2, 1, 3, head_dim)), want=reference)


@check(points=1)
def ids_beyond_the_length(draw: Draw) -> Checking:
    """Ids may be far larger than the number of tokens."""
    q, k, _ = drawn(draw, SIZES[0])
    yield call(q, k, torch.tensor([[0, 1, 2, 3, 4], [2, 3, 4, 5, 6]]), want=reference)
    for most, first in ((300, 256), (5000, 2049), (131072, 40000)):
        yield call(q, k, draw.integers(first, most, (2, 5)), want=reference, within=near(most))


@check(points=1)
def edges(draw: Draw) -> Checking:
    """One token, no token and an empty batch are fine."""
    for size in ((2, 3, 1, 4, 6), (2, 3, 1, 1, 6), (1, 1, 1, 1, 2), (2, 3, 1, 0, 6), (0, 3, 1, 4, 6)):
        yield call(*drawn(draw, size), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`q` and `k` may be transposed, sliced or expanded views."""
    q, k, ids = drawn(draw, SIZES[0])
    yield call(q, k, ids, want=reference)
    yield call(draw.normal(2, 5, 4, 6).transpose(1, 2), draw.normal(2, 5, 3, 6).transpose(1, 2), ids, want=reference)
    yield call(draw.normal(2, 4, 5, 13)[..., 1::2], draw.normal(2, 3, 6, 5).transpose(2, 3), ids, want=reference)
    yield call(q, draw.normal(2, 1, 5, 6).expand(2, 3, 5, 6), ids.T.contiguous().T, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach `q` and `k`, and are right."""
    for size in SIZES[:2]:
        q, k, ids = drawn(draw, size)
        yield call(q, k, ids, cotangent=(draw.normal(*q.shape), draw.normal(*k.shape)), want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The results have the dtype of the inputs."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        q, k, ids = drawn(draw, SIZES[0], dtype=dtype)
        yield call(q, k, ids, like=(q, k))


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """With bfloat16 and float16 inputs the angles are as exact as in float32."""
    for dtype, most in ((torch.bfloat16, 600), (torch.float16, 4200)):
        for ids in (8, most):
            yield call(*drawn(draw, (2, 3, 2, 9, 16), ids, dtype), want=reference, within=near(ids))


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """float64 inputs are turned with float64's accuracy."""
    for most in (8, 400):
        arguments = drawn(draw, SIZES[1], most, torch.float64)
        yield from exact_in_float64(call(*arguments, want=reference), near(most))


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for head_dim in (7, 1, 3):
        yield call(*drawn(draw, (2, 3, 1, 4, head_dim)), raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    yield from settings_ignored(call(*drawn(draw, (2, 2, 1, 9, 8)), want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of the inputs, and no number leaves it."""
    q, k, ids = drawn(draw, SIZES[0])
    yield from on_one_device(draw, call(q, k, ids, want=reference), (q, k))


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    q, k, ids = draw.normal(3, 2, 3, 4, 6), draw.normal(3, 2, 1, 4, 6), draw.integers(0, 50, (3, 2, 4))
    yield call(q, k, ids, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(*drawn(draw, (2, 3, 2, n, 4)), want=reference) for n in (8, 24)}
    yield from no_loop_over("positions", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "only_even_channels",
        "What comes back is half as wide: even·cos − odd·sin for every pair, and nothing else. That is the line which "
        "short introductions print. It loses lengths, and its scores are not relative. The odd channels, even·sin + "
        "odd·cos, belong between the even ones.",
        keep="first",
    ),
    mistake(
        "even_channels_twice",
        "Both channels of a pair get even·cos − odd·sin, the one line of short introductions. That is half of the "
        "turn: odd channels get even·sin + odd·cos.",
        how="even twice",
    ),
    mistake(
        "only_odd_channels",
        "What comes back is half as wide: even·sin + odd·cos for every pair. The even channels, even·cos − odd·sin, "
        "belong in front of each.",
        keep="second",
    ),
    mistake(
        "joined_as_halves",
        "The right numbers are joined in another order: all even channels first, then all odd ones. Scores don't "
        "notice, since queries and keys are shuffled alike, but other code and other weights do. Even and odd "
        "channels go back to where they came from. Look at the line that joins the two.",
        writes="halves",
    ),
    mistake(
        "even_and_odd_exchanged_in_result",
        "The new odd channels stand where the even ones belong, and the other way round. Look at the order in the line "
        "that joins the two.",
        writes="exchanged",
    ),
    mistake(
        "halves",
        "Channel j is paired with channel j + head_dim/2, the layout of problem 29. Here neighbours form a pair, 2j "
        "and 2j + 1. Look at how the last axis is split.",
        layout="halves",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "Pairs are read as (j, j + head_dim/2) and written interleaved, so even a token at position 0 comes back "
        "with its channels shuffled. Reading and writing need one layout: neighbours.",
        layout="halves",
        writes="adjacent",
    ),
    mistake(
        "turned_backwards",
        "Every pair turns the wrong way, clockwise. Scores inside a model stay as they are, and weights trained the "
        "other way fail. Look at which of the two lines carries the minus.",
        sign=-1,
    ),
    mistake(
        "keys_turned_backwards",
        "Queries turn the right way and keys the other way. Then a score depends on the *sum* of two positions. "
        "Both are turned alike; the difference comes from the dot product.",
        key_sign=-1,
    ),
    mistake(
        "minus_missing",
        "Both lines add: (e·cos + o·sin, e·sin + o·cos). That stretches one diagonal and squeezes the other. The even "
        "channel has a minus.",
        how="minus missing",
    ),
    mistake(
        "even_channels_overwritten",
        "The odd channels are computed from the even ones as they are *after* turning: the same name, or a view of the "
        "same memory, was assigned in between. Both lines need both old values.",
        how="even overwritten",
    ),
    mistake(
        "odd_channels_overwritten",
        "The even channels are computed from the odd ones as they are *after* turning. Both lines need both old "
        "values.",
        how="odd overwritten",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "Sine and cosine have changed places, so a token at position 0 is already turned by a right angle. The "
        "cosine, 1 there, multiplies the channel itself.",
        how="sine for cosine",
    ),
    mistake(
        "only_cosine",
        "Channels are multiplied by the cosine and that is all: pairs shrink and don't turn. Each member also "
        "receives its partner, times the sine.",
        how="cosine alone",
    ),
    mistake(
        "scaled_by_cosine_and_sine",
        "Even channels are multiplied by the cosine and odd ones by the sine, as sinusoidal encodings are laid out. "
        "Nothing turns that way: each member needs both.",
        how="one by one",
    ),
    mistake(
        "odd_channels_left_alone",
        "Only the even channels are new; the odd ones come back as they were. A turn moves both members of a pair.",
        how="odd left alone",
    ),
    mistake(
        "added_instead_of_turned",
        "Sines and cosines are *added* to the vectors, as sinusoidal encodings are. Rotary embeddings turn pairs of "
        "channels and add nothing.",
        how="added",
    ),
    mistake(
        "ids_ignored",
        "`position_ids` is not used: tokens are counted 0, 1, 2, … along the row. That is right for a single text from "
        "its beginning, and wrong for padded or packed rows and for a token that follows a cache.",
        ids="counted",
    ),
    mistake(
        "ids_of_keys_ignored",
        "Queries are turned by their ids, and keys by their place in the row. The same ids count for both.",
        key_ids="counted",
    ),
    mistake(
        "ids_of_the_first_text",
        "The ids of the first text are used for all. Each row of the batch has ids of its own; look for an index [0].",
        ids="first text's",
    ),
    mistake(
        "ids_of_the_last_text",
        "The ids of the last text are used for all. Each row of the batch has ids of its own.",
        ids="last text's",
    ),
    mistake(
        "ids_of_the_last_token",
        "All tokens of a row are turned by the last token's id. Each token has its own.",
        ids="last token's",
    ),
    mistake(
        "counted_on_from_the_first_id",
        "Only the first id of each row is used, and the others are counted on from there. That is right behind a cache "
        "and wrong where ids repeat, jump or start over, as in padded and packed rows.",
        ids="first and on",
    ),
    mistake(
        "ids_relative_to_the_first",
        "The first id of each row is subtracted from all of them. Scores don't notice; a cache, whose keys were "
        "turned by their own ids, does. Take the ids as they are.",
        ids="from the first",
    ),
    mistake(
        "ids_plus_one",
        "Every id is taken to be one larger: positions are counted from 1. A token with id 0 is not turned.",
        ids="from one",
    ),
    mistake(
        "ids_sorted",
        "Ids are put in order before they are used (sort, unique). They may fall and start over; each belongs to "
        "the token that stands at its place.",
        ids="sorted",
    ),
    mistake(
        "ids_wrap_at_2048",
        "Ids from 2048 on start over from 0, as in a table of fixed length that is read in circles. Ids have no "
        "upper end.",
        ids="modulo 2048",
    ),
    mistake(
        "ids_end_at_2047",
        "Ids from 2048 on are all taken for 2047: a table of fixed length with the index held at its end. Ids have no "
        "upper end.",
        ids="at most 2047",
    ),
    mistake(
        "ids_in_int16",
        "Ids beyond 32767 turn negative: they were put into 16-bit integers.",
        ids="int16",
    ),
    mistake(
        "exponent_lacks_the_two",
        "The exponent is j/head_dim; the 2 is lost, so frequencies fall half as fast. Pair j owns two channels, hence "
        "−2j/head_dim.",
        schedule="j/d",
    ),
    mistake(
        "frequency_for_each_channel",
        "Every channel has a frequency of its own, so the two members of a pair are turned by different angles: "
        "that is no rotation, and lengths change. There are head_dim/2 frequencies; 2j and 2j + 1 share one.",
        table="channels",
    ),
    mistake(
        "angles_laid_out_for_halves",
        "The angles are doubled by `cat`, as the layout of problem 29 wants it, while partners are neighbours here. "
        "So the two members of a pair meet different angles. Each angle has to stand twice in a row.",
        table="cat",
    ),
    mistake(
        "decimal_logarithm",
        "The power is written with exp, and the base enters by its *decimal* logarithm. exp belongs with the "
        "natural one.",
        schedule="log10",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should. Either a 2 stands above (2j/head_dim) or a half below (j over "
        "head_dim/2), not both.",
        schedule="4j/d",
    ),
    mistake(
        "exponent_positive",
        "Frequencies grow from pair to pair: the exponent has lost its minus. They fall from 1 to almost 1/base.",
        schedule="growing",
    ),
    mistake(
        "frequencies_reversed",
        "Frequencies stand in the wrong order: the first pair is the slowest. It is the fastest, one radian a step.",
        schedule="reversed",
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs turn alike, by one radian a step. Each has a frequency of its own; an integer division (//) "
        "makes every exponent 0.",
        schedule="one",
    ),
    mistake(
        "small_base_raised",
        "A base below 1 is taken for 1. Any positive number will do; below 1 the later pairs are the faster ones.",
        schedule="at least 1",
    ),
    mistake(
        "base_ignored",
        "`base` is not used: 10000 stands in its place.",
        schedule="10000",
    ),
    mistake(
        "turned_twice",
        "Every angle is twice what it should be: the function was applied to its own result, or 2j was multiplied in "
        "outside of the exponent.",
        stride=2.0,
    ),
    mistake(
        "keys_left_alone",
        "Only the queries are turned; the keys come back as they were. Then a score depends on the query's "
        "position, not on the distance.",
        which="q",
    ),
    mistake(
        "queries_left_alone",
        "Only the keys are turned; the queries come back as they were. Then a score depends on the key's position, "
        "not on the distance.",
        which="k",
    ),
    mistake(
        "keys_returned_first",
        "The two results have changed places: keys come first. Asked for are the queries, then the keys.",
        order="k, q",
    ),
]


def even(q: Tensor) -> None:
    """What every answer refuses."""
    if q.shape[-1] % 2:
        raise ValueError("head_dim must be even")


def angles(q: Tensor, position_ids: Tensor, base: float, dtype: torch.dtype | None = None) -> Tensor:
    """(batch, 1, seq, head_dim/2), as an answer makes them."""
    wide = dtype or torch.promote_types(q.dtype, torch.float32)
    exponents = torch.arange(0, q.shape[-1], 2, dtype=wide, device=q.device) / q.shape[-1]
    return position_ids.to(wide)[:, None, :, None] * base**-exponents


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Neighbours turned, in whatever dtype comes of it."""
    e, o = x[..., 0::2], x[..., 1::2]
    return torch.stack([e * cos - o * sin, e * sin + o * cos], -1).flatten(-2)


def right_answer(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """What an answer does."""
    even(q)
    angle = angles(q, position_ids, base)
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "A table of cosines and sines is made with one row for each *token* and then looked up by id. Ids may be larger "
    "than the number of tokens, and then the table has no such row. Compute the angles from the ids themselves."
)
def table_as_long_as_the_row(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """Looked up in arange(seq)."""
    even(q)
    angle = angles(q, torch.arange(q.shape[2], device=q.device)[None], base)[0, 0]  # (seq, head_dim/2)
    cos, sin = angle.cos()[position_ids][:, None], angle.sin()[position_ids][:, None]
    return turn(q, cos, sin).to(q.dtype), turn(k, cos, sin).to(k.dtype)


@wrong(
    "Keys are expected to have as many heads as queries. In grouped-query attention they have fewer. Let the "
    "cosines have a heads axis of size 1, and take the sizes of each input from itself."
)
def keys_expected_to_have_all_heads(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """Angles expanded to the heads of q."""
    even(q)
    angle = angles(q, position_ids, base).expand(-1, q.shape[1], -1, -1)
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "The keys come back repeated, with as many heads as the queries. Repeating is attention's business, after the "
    "cache; here each result has the shape that went in."
)
def keys_repeated_for_all_heads(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """repeat_interleave at the end."""
    turned, keys = right_answer(q, k, position_ids, base)
    return turned, keys.repeat_interleave(q.shape[1] // k.shape[1], 1)


@wrong(
    "The cosines have no axis for heads: (batch, seq, head_dim/2) meets (batch, heads, seq, head_dim/2), and "
    "broadcasting from the right lays batch on heads. That is an error, or wrong where the sizes happen to fit. "
    "Insert an axis of size 1 behind batch."
)
def axis_for_heads_missing(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """(batch, seq, half) as it is."""
    even(q)
    angle = angles(q, position_ids, base)[:, 0]
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "The results are written into `q` and `k` themselves, and the caller still needs the old values. A slice with a "
    "step is a view: assigning to it writes to the input."
)
def written_into_the_inputs(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """Stored in q and k."""
    turned, keys = right_answer(q, k, position_ids, base)
    with torch.no_grad():
        q.copy_(turned.detach())
        k.copy_(keys.detach())
    return turned, keys


@wrong(
    "No gradient reaches `q` and `k`: detach, .data, torch.no_grad or a new tensor made of numbers has cut the "
    "results off."
)
def graph_cut(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """Detached."""
    turned, keys = right_answer(q, k, position_ids, base)
    return turned.detach(), keys.detach()


@wrong(
    "No gradient reaches `k`: keys were turned under no_grad, or detached, as if they only went into a cache. They are "
    "trained like the queries."
)
def keys_cut_off(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """torch.no_grad around the keys."""
    return right_answer(q, k.detach(), position_ids, base)


@wrong(
    "A table of fixed length is looked up by id, and larger ids end in an error. Ids may be in the hundred thousands: "
    "compute the angles from the ids themselves."
)
def table_of_fixed_length(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """4096 rows."""
    return right_answer(q, k, torch.arange(4096, device=q.device)[position_ids], base)


@wrong(
    "A view that is not packed in memory raises. torch.view_as_complex only reinterprets memory, so the channels of a "
    "pair must lie side by side; splitting the last axis by view or reshape does not copy, even when an input is "
    "transposed or cut out of something larger. Make it contiguous first."
)
def pairs_not_side_by_side(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """view_as_complex of whatever strides the inputs have."""
    even(q)
    for x in (q, k):
        torch.view_as_complex(x.float().unflatten(-1, (x.shape[-1] // 2, 2)))
    return right_answer(q, k, position_ids, base)


@wrong(
    "The ids are laid along the heads: (batch, seq, 1, …) meets (batch, heads, seq, …). That is an error when seq "
    "and heads differ and silently wrong when they are equal. The axis of size 1 belongs *between* batch and seq."
)
def ids_along_heads(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """(batch, seq, 1, half)."""
    even(q)
    angle = angles(q, position_ids, base).transpose(1, 2)
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong("Queries and keys come back in a list. A tuple is asked for: return q, k.")
def a_list_comes_back(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> list[Tensor]:
    """A list."""
    return list(right_answer(q, k, position_ids, base))


@wrong(
    "The angles of an earlier call are kept and used again, although the ids have changed since. What is kept must not "
    "depend on ids: only the frequencies don't.",
    fresh=True,
)
def angles_of_an_earlier_call() -> Callable[..., Turned]:
    """A cache that looks at sizes alone."""
    kept: dict[object, Tensor] = {}

    def answer(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
        even(q)
        wide = torch.promote_types(q.dtype, torch.float32)
        ids = kept.setdefault((q.shape[0], q.shape[2], q.shape[3], base, wide, q.device), position_ids)
        return right_answer(q, k, ids, base)

    return answer


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out: float32 cosines times bfloat16 channels give float32. Cast each "
    "result to the dtype of its input.",
    craft=True,
)
def half_comes_back_as_float32(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """No cast at the end."""
    even(q)
    angle = angles(q, position_ids, base)
    return turn(q, angle.cos(), angle.sin()), turn(k, angle.cos(), angle.sin())


@wrong(
    "float32 goes in and float64 comes out: the ids or the frequencies were float64. Cast each result to the dtype "
    "of its input.",
    craft=True,
)
def comes_back_as_float64(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """float64 angles, no cast at the end."""
    even(q)
    angle = angles(q, position_ids, base, torch.float64)
    return turn(q, angle.cos(), angle.sin()), turn(k, angle.cos(), angle.sin())


@wrong(
    "For float64 inputs the angles are computed in float32: the results say float64 and are right to seven digits "
    "at best. Let the dtype of the angles follow the inputs, with float32 as the least.",
    craft=True,
)
def float64_with_float32_angles(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """float32 angles."""
    even(q)
    angle = angles(q, position_ids, base, torch.float32)
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "With half-precision inputs the ids, frequencies and angles are all computed in their dtype. bfloat16 holds whole "
    "numbers up to 256, and an angle of 100 only in steps of 0.5. Compute the angles in float32 and cast the results.",
    craft=True,
)
def half_all_the_way(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """Everything in the dtype of q."""
    even(q)
    frequency = 1.0 / (base ** (torch.arange(0, q.shape[-1], 2, dtype=q.dtype, device=q.device) / q.shape[-1]))
    angle = position_ids.to(q.dtype)[:, None, :, None] * frequency
    return turn(q, angle.cos(), angle.sin()), turn(k, angle.cos(), angle.sin())


@wrong(
    "With half-precision inputs the ids are cast to their dtype: bfloat16 holds whole numbers up to 256, float16 up to "
    "2048, and beyond that neighbours share an angle. Cast the ids to float32.",
    craft=True,
)
def half_ids(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """ids.to(q.dtype)."""
    return right_answer(q, k, position_ids.to(q.dtype), base)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that "
    "sets it to bfloat16 rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_frequencies(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """arange / number, without a dtype."""
    even(q)
    wide = torch.promote_types(q.dtype, torch.float32)
    frequency = 1.0 / base ** (torch.arange(0, q.shape[-1], 2, device=q.device) / q.shape[-1])
    angle = position_ids.to(wide)[:, None, :, None] * frequency
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "Under autocast the angles are rounded to bfloat16: they are made by a matrix product (@, matmul, einsum), and "
    "those are what autocast lowers. Multiply by broadcasting.",
    craft=True,
)
def angles_by_matmul(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """ids @ frequencies."""
    even(q)
    wide = torch.promote_types(q.dtype, torch.float32)
    frequency = base ** -(torch.arange(0, q.shape[-1], 2, dtype=wide, device=q.device) / q.shape[-1])
    angle = (position_ids.to(wide)[:, :, None] @ frequency[None])[:, None]
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "Tensors are made without saying where, on the CPU: on a GPU the product with the ids raises. Pass the device "
    "of the inputs to every factory.",
    craft=True,
)
def made_without_device(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """arange without a device."""
    even(q)
    wide = torch.promote_types(q.dtype, torch.float32)
    angle = position_ids.to(wide)[:, None, :, None] * base ** -(
        torch.arange(0, q.shape[-1], 2, dtype=wide) / q.shape[-1]
    )
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "A number is taken out of the ids (.item(), .max() in a range, .tolist(), an if) to decide how long a table "
    "must be. On a GPU that waits for everything before it, and vmap can't follow. Multiply the ids themselves; no "
    "table is needed.",
    craft=True,
)
def longest_id_taken_out(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """A table up to the largest id."""
    even(q)
    if not position_ids.numel():
        return right_answer(q, k, position_ids, base)
    most = int(position_ids.max().item())
    table = angles(q, torch.arange(most + 1, device=q.device)[None], base)[0, 0]
    angle = table[position_ids][:, None]
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "An odd head_dim is not refused: it runs into a size mismatch somewhere inside (or, for 1, returns an empty "
    "tensor), which tells the caller nothing. Raise ValueError first.",
    craft=True,
)
def odd_not_refused(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """Whatever happens with an odd width."""
    angle = angles(q, position_ids, base)
    return turn(q, angle.cos(), angle.sin()).to(q.dtype), turn(k, angle.cos(), angle.sin()).to(k.dtype)


@wrong(
    "An odd head_dim is refused by assert. That raises AssertionError, and with python -O it is not checked at all. "
    "ValueError is asked for.",
    craft=True,
)
def odd_refused_by_assert(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """assert instead of raise."""
    assert q.shape[-1] % 2 == 0, "head_dim must be even"
    return right_answer(q, k, position_ids, base)


@wrong(
    "The results are written into tensors made from a shape alone. Under vmap the inputs stand for many tensors and "
    "those for a single one. empty_like is mapped along; stack and flatten need no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """empty(shape) filled by slices."""
    results = []
    for turned in right_answer(q, k, position_ids, base):
        out = torch.empty(turned.shape, dtype=turned.dtype, device=turned.device)
        out[..., 0::2], out[..., 1::2] = turned[..., 0::2], turned[..., 1::2]
        results.append(out)
    return results[0], results[1]


@wrong("The result is right, but a Python loop runs over the positions. All angles can be made at once.", craft=True)
def loop_over_positions(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """One token after the other."""
    even(q)
    if not q.shape[2]:
        return right_answer(q, k, position_ids, base)
    parts = [
        right_answer(q[:, :, i : i + 1], k[:, :, i : i + 1], position_ids[:, i : i + 1], base)
        for i in range(q.shape[2])
    ]
    return torch.cat([part[0] for part in parts], 2), torch.cat([part[1] for part in parts], 2)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_complex_numbers(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """A product of complex numbers."""
    even(q)
    angle = angles(q, position_ids, base)
    table, half = torch.polar(torch.ones_like(angle), angle), q.shape[-1] // 2

    def product(x: Tensor) -> Tensor:
        numbers = torch.view_as_complex(x.to(angle.dtype).unflatten(-1, (half, 2)).contiguous())
        return torch.view_as_real(numbers * table).flatten(-2).to(x.dtype)

    return product(q), product(k)


@accepted
def by_a_turned_copy(q: Tensor, k: Tensor, position_ids: Tensor, base: float = 10000.0) -> Turned:
    """x·cos + partner·sin, both at full width."""
    even(q)
    angle = angles(q, position_ids, base).repeat_interleave(2, -1)

    def turned(x: Tensor) -> Tensor:
        partner = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)
        return (x * angle.cos() + partner * angle.sin()).to(x.dtype)

    return turned(q), turned(k)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Begin with one pair (e, o) and one angle: two lines, and both need the old e and the old o. Everything "
        "else is doing that for all pairs, tokens and heads at once."
    ),
    hint(
        "The angles are ids times frequencies, (batch, seq, head_dim/2). Which axis is missing before they can meet "
        "the even channels of q, (batch, heads, seq, head_dim/2), and those of k?"
    ),
    hint(
        "A slice with a step of two takes the channels apart. To put them back alternately, lay the two side by "
        "side along a new last axis and merge it with the one before."
    ),
    hint(
        "Put [1, 2, 3, 4] at id 1 and compare with the example. Which channels does your result mix, and in which "
        "order do they come back?",
        "joined_as_halves",
        "even_and_odd_exchanged_in_result",
        "halves",
        "reads_halves_writes_neighbours",
        "only_even_channels",
        "only_odd_channels",
    ),
    hint(
        "Take (1, 0) and a quarter turn: the cosine is 0, the sine 1. Where should the point end up, and where does "
        "yours?",
        "turned_backwards",
        "minus_missing",
        "sine_and_cosine_exchanged",
        "even_channels_overwritten",
        "odd_channels_overwritten",
        "keys_turned_backwards",
    ),
    hint(
        "Call your function with position_ids [[0, 1, 2], [5, 5, 0]] and the same vector everywhere. Which of the "
        "six results should be equal, and which are?",
        "ids_ignored",
        "ids_of_keys_ignored",
        "ids_of_the_first_text",
        "ids_of_the_last_text",
        "ids_of_the_last_token",
        "counted_on_from_the_first_id",
        "ids_relative_to_the_first",
        "ids_sorted",
        "axis_for_heads_missing",
        "table_as_long_as_the_row",
    ),
    hint(
        "Print the frequencies for head_dim 8 and base 10000. They should read 1, 0.1, 0.01 and 0.001.",
        "exponent_lacks_the_two",
        "exponent_doubled",
        "exponent_positive",
        "frequencies_reversed",
        "one_frequency_for_all",
    ),
]

QUIZ = [
    question(
        "Someone returns only even·cos − odd·sin for queries and keys. What is lost?",
        right(
            "Half of each rotation: lengths change and scores depend on absolute positions",
            "q·k needs both coordinates of every point. With one of them, cos(m)·cos(n) no longer meets its partner "
            "sin(m)·sin(n), and only together do they make cos(m − n).",
        ),
        wrong_choice(
            "Nothing but some width, which the model can make up for", "The relative property itself is lost."
        ),
        wrong_choice("The direction of the turn", "There is no turn at all: a shadow of one remains."),
        wrong_choice("Only the slow pairs", "Every pair loses one of its two coordinates."),
    ),
    question(
        "Even and odd results are joined as [all even, all odd], for queries and keys alike. What happens to the "
        "scores?",
        right(
            "They stay as they are",
            "A dot product does not care in which order its terms are added, as long as both sides use the same "
            "order. What breaks is everything that mixes this with code of another layout.",
        ),
        wrong_choice("They change sign", "No term changes; only the order of the terms does."),
        wrong_choice("They are no longer relative", "Each pair still turns as it should."),
        wrong_choice("They become half as large", "All terms are still there."),
    ),
    question(
        "Two texts are packed into one row of 8 tokens, 5 and 3 long. Which position ids keep each as it would be "
        "alone?",
        right("0 1 2 3 4 0 1 2", "Each text counts from its own beginning."),
        wrong_choice(
            "0 1 2 3 4 5 6 7",
            "Scores inside a text would be the same, since only differences count; but the vectors in a cache are "
            "not those of the text alone.",
        ),
        wrong_choice("0 1 2 3 4 4 3 2", "Falling ids make the second text run backwards."),
        wrong_choice("0 0 0 0 0 1 1 1", "Those number the texts, not the tokens; all order inside is lost."),
    ),
    question(
        "In grouped-query attention there are 32 heads of queries and 8 of keys. How many tables of cosines are "
        "needed?",
        right(
            "One, with a heads axis of size 1",
            "The angle depends on position and pair, not on the head, so it broadcasts over any number of them.",
        ),
        wrong_choice("Two: one for 32 heads, one for 8", "They would hold the same rows again and again."),
        wrong_choice("40, one for each head", "Heads don't enter the angle."),
        wrong_choice("None for keys, since they are shared", "Shared keys have positions as well."),
    ),
    question(
        "Queries are turned by m·f and keys by −n·f. On what does a score depend?",
        right("On m + n", "The dot product sees the difference of the two angles, m·f − (−n·f)."),
        wrong_choice("On m − n, as always", "That needs both to turn the same way."),
        wrong_choice("On nothing: the turns cancel", "They would cancel only for m = −n."),
        wrong_choice("On n − m, so merely the sign is off", "The sign would be off if *both* were turned backwards."),
    ),
]
