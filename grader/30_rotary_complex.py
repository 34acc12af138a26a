"""How apply_rotary_embeddings is graded: real arithmetic on even and odd channels in float64 is the reference."""

SECTION = "Positions"
LEVEL = 3
AFTER = (28,)
VERSION = 1
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

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
    hint,
    inputs_kept,
    mistake,
    no_loop_over,
    on_one_device,
    question,
    right,
    within,
    wrong,
    wrong_choice,
)

UNIT = {torch.float64: 2.0**-52, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}
SIZES = ((2, 5, 3, 6), (3, 2, 4, 8), (1, 7, 2, 10))  # batch, seq, heads, head_dim


def close(want: Tensor, dtype: torch.dtype) -> Tensor:
    """How far an answer may be off: four roundings of its pair's length.

    A member of a product of complex numbers is two products and their sum: at most 2u of the pair's length. Rounding
    the table to half precision before the product, as Hugging Face does, costs 2.4u. (The reference needs its own 2u
    in float64, hence the doubled unit there.)
    """
    size = want.detach().abs().double()
    if not want.dim() or want.is_complex() or want.shape[-1] % 2:
        return 4 * UNIT.get(dtype, 2.0**-24) * (1 + size)
    even, odd = size[..., 0::2], size[..., 1::2]
    return 4 * UNIT.get(dtype, 2.0**-24) * torch.hypot(even, odd).repeat_interleave(2, -1)


# A gradient of the table is a sum over batch and heads, at most 8 products here, which may cancel: 64u of 1 + |sum|.
SUMS = within({torch.float32: 64 * 2.0**-24})


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────


def reference(
    x: Tensor,
    freqs_complex: Tensor,
    *,
    odd: bool = True,
    short: bool = True,
    width: bool = True,
    layout: str = "adjacent",
    writes: str = "",
    axis: str = "seq",
    rows: str = "first",
    table: str = "given",
    how: str = "turn",
    keep: str = "both",
    result: str = "real",
    where: str = "all",
) -> Tensor:
    """e·c − o·s and e·s + o·c, with e, o the even and odd channels: (batch, seq, heads, head_dim) of float64."""
    seq, head_dim = x.shape[1], x.shape[-1]
    if odd and head_dim % 2:
        raise ValueError("head_dim must be even")
    if short and freqs_complex.shape[0] < seq:
        raise ValueError("too few rows")
    if width and freqs_complex.shape[1] != head_dim // 2:
        raise ValueError("another width")
    a, b = _split(x.double(), layout)
    factors = _lined_up(_table(freqs_complex.to(torch.complex128), table), x, axis, rows)
    a, b = _turned(a, b, factors.real, factors.imag, how)
    turned = {"both": lambda: _joined(a, b, writes or layout), "first": lambda: a, "second": lambda: b}[keep]()
    turned = _placed(turned, x, where)
    match result:
        case "pairs":
            return turned.unflatten(-1, (-1, 2))
        case "heads merged":
            return turned.flatten(2)
        case "complex":
            return torch.complex(a, b)
        case "scaled":
            return turned / turned.shape[-1] ** 0.5
        case "heads first":
            return turned.transpose(1, 2)
    return turned


def _table(table: Tensor, how: str) -> Tensor:
    match how:
        case "conjugate":
            return table.conj()
        case "phase":
            return table / table.abs()
        case "squared":
            return table * table
        case "inverse":
            return 1 / table
        case "own":
            half, places = table.shape[-1], torch.arange(table.shape[0], dtype=torch.float64, device=table.device)
            pairs = torch.arange(half, dtype=torch.float64, device=table.device)
            angle = places[:, None] * 10000.0 ** (-pairs / half)
            return torch.polar(torch.ones_like(angle), angle)
    return table


def _lined_up(table: Tensor, x: Tensor, axis: str, rows: str) -> Tensor:
    """The rows that are used, in a shape that broadcasts against (batch, seq, heads, head_dim/2)."""
    n = {"seq": x.shape[1], "heads": x.shape[2], "batch": x.shape[0], "seq on heads": x.shape[1]}[axis]
    used = {
        "first": lambda: table[:n],
        "all": lambda: table,
        "last": lambda: table[-n:],
        "from one": lambda: table[1 : n + 1],
        "only the last": lambda: table[max(n - 1, 0) : n],
        "row 0": lambda: table[:1],
        "backwards": lambda: table[:n].flip(0),
    }[rows]()
    return used if axis in ("heads", "seq on heads") else used[:, None] if axis == "seq" else used[:, None, None]


def _split(x: Tensor, layout: str) -> tuple[Tensor, Tensor]:
    if layout == "adjacent":
        return x[..., 0::2], x[..., 1::2]
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def _joined(a: Tensor, b: Tensor, layout: str) -> Tensor:
    if layout == "halves":
        return torch.cat([a, b], -1)
    return torch.stack([b, a] if layout == "exchanged" else [a, b], -1).flatten(-2)


def _turned(a: Tensor, b: Tensor, c: Tensor, s: Tensor, how: str) -> tuple[Tensor, Tensor]:
    match how:
        case "minus missing":
            return a * c + b * s, a * s + b * c
        case "first overwritten":
            a = a * c - b * s
            return a, a * s + b * c
        case "parts exchanged":
            return a * s - b * c, a * c + b * s
        case "member by member":
            return a * c, b * s
        case "real part alone":
            return a * c, b * c
        case "added":
            return a + c, b + s
        case "first alone":
            return a * c - b * s, b + 0 * c
    return a * c - b * s, a * s + b * c


def _placed(turned: Tensor, x: Tensor, where: str) -> Tensor:
    if where == "all":
        return turned
    here = torch.zeros(x.shape[:-1], dtype=torch.bool, device=x.device)[..., None]
    {"first row": here[:1], "first head": here[:, :, :1], "first half": here}[where].fill_(True)
    kept = x.shape[-1] // 4 * 2 if where == "first half" else x.shape[-1]
    return torch.cat([torch.where(here, turned, x.double())[..., :kept], x.double()[..., kept:]], -1)


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def table(draw: Draw, rows: int, pairs: int, low: float = 1.0, high: float = 1.0, double: bool = False) -> Tensor:
    """Complex numbers with lengths between low and high and any angle."""
    size = draw.uniform(rows, pairs, low=low, high=high).double()
    angle = draw.uniform(rows, pairs, low=-3.1, high=3.1).double()
    made = torch.polar(size, angle)
    return made if double else made.to(torch.complex64)


def drawn(
    draw: Draw, size: tuple[int, ...], more: int = 0, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor]:
    """x of one size and a table of turns with as many rows as it has positions, and some more."""
    return draw.normal(*size, dtype=dtype), table(draw, size[1] + more, size[-1] // 2, double=dtype == torch.float64)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result is real and has the shape of `x`."""
    for size in SIZES:
        x, turns = drawn(draw, size)
        yield call(x, turns, like=x)


@check(points=1, explains=True)
def position_zero(draw: Draw) -> Checking:
    """Where row 0 of the table holds ones, the channels of position 0 come back as they were."""
    x, turns = drawn(draw, SIZES[0])
    turns[0] = 1.0
    y = yield call(x, turns, like=x)
    if at := apart(y[:, 0], x[:, 0], 1e-6):
        b, h, i = at
        raise Failed(f"channel {i} of head {h} was {x[b, 0, h, i]:.6g} at position 0 and is {y[b, 0, h, i]:.6g}")


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """With a table of turns no pair (2j, 2j + 1) changes its length."""
    x, turns = drawn(draw, SIZES[0])
    y = yield call(x, turns, like=x)
    before, after = (t.double().unflatten(-1, (-1, 2)).norm(dim=-1) for t in (x, y))
    if at := apart(before, after, 1e-5 * before):
        b, p, h, j = at
        raise Failed(f"at position {p} pair {j} was {before[b, p, h, j]:.6g} long and is {after[b, p, h, j]:.6g}")


@check(points=1, explains=True)
def undone(draw: Draw) -> Checking:
    """Applying the conjugate table to the result gives `x` back."""
    x, turns = drawn(draw, SIZES[1])
    y = yield call(x, turns, like=x)
    back = yield call(y, turns.conj().resolve_conj(), like=x)
    if at := apart(back, x, 1e-5):
        raise Failed(f"there and back turns {x[at]:.6g} at {list(at)} into {back[at]:.6g}")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """`x` and the table keep their values."""
    x, turns = drawn(draw, SIZES[0], more=2)
    yield from inputs_kept(call(x, turns, like=x), "x", "the table")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right for sizes that all differ, with a row of the table for each position."""
    for size in SIZES:
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def as_many_heads_as_positions(draw: Draw) -> Checking:
    """The table belongs to positions, also when batch, seq and heads are equal and any axis would fit."""
    for size in ((4, 4, 4, 4), (3, 3, 3, 8)):
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def longer_tables(draw: Draw) -> Checking:
    """Of a table with more rows than positions the first ones are used."""
    for size, more in ((SIZES[0], 4), (SIZES[1], 1), ((2, 3, 6, 4), 9)):
        yield call(*drawn(draw, size, more), want=reference)


@check(points=2)
def one_position_and_a_long_table(draw: Draw) -> Checking:
    """A single position takes row 0 and nothing else."""
    for size, more in (((2, 1, 3, 6), 7), ((1, 1, 1, 4), 3)):
        x, _ = drawn(draw, size)
        turns = table(draw, 1 + more, size[-1] // 2)
        yield call(x, turns, want=reference)


@check(points=1)
def tables_that_stretch(draw: Draw) -> Checking:
    """Any complex table will do: the product stretches where its entries are longer than 1."""
    for size in SIZES[:2]:
        x, _ = drawn(draw, size)
        yield call(x, table(draw, size[1] + 1, size[-1] // 2, low=0.3, high=2.5), want=reference)


@check(points=1)
def another_table_later(draw: Draw) -> Checking:
    """A call with another table than the one before is right, and so is one with the first again."""
    x, turns = drawn(draw, SIZES[1])
    for given in (turns, table(draw, *turns.shape), turns):
        yield call(x, given, want=reference)


@check(points=1)
def edges(draw: Draw) -> Checking:
    """No position, an empty batch, one head and a head_dim of 2 are fine."""
    for size in ((2, 4, 1, 6), (2, 5, 3, 2), (1, 1, 1, 2), (2, 0, 3, 6), (0, 4, 3, 6)):
        yield call(*drawn(draw, size), want=reference)
    yield call(*drawn(draw, (2, 0, 3, 6), more=4), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` may be a view with any strides and any offset."""
    turns = table(draw, 5, 4)
    yield call(draw.normal(2, 5, 3, 8), turns, want=reference)
    yield call(draw.normal(2, 3, 5, 8).transpose(1, 2), turns, want=reference)
    yield call(draw.normal(2, 5, 8, 3).transpose(2, 3), turns, want=reference)
    yield call(draw.normal(2, 5, 3, 9)[..., 1:], turns, want=reference)
    yield call(draw.normal(2, 5, 3, 16)[..., ::2], turns, want=reference)
    yield call(draw.normal(2, 5, 1, 8).expand(2, 5, 3, 8), turns, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach `x` and the table, and are right."""
    for size, more in ((SIZES[0], 0), (SIZES[1], 2)):
        yield call(*drawn(draw, size, more), cotangent=draw.normal(*size), want=reference, within=SUMS)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`, whatever the table's is."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x, turns = draw.normal(1, 4, 2, 6, dtype=dtype), table(draw, 4, 3, double=True)
        yield call(x, turns.to(torch.complex64), like=x)
        yield call(x, turns, like=x)


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """bfloat16 and float16 are right to their last digits."""
    for dtype in (torch.bfloat16, torch.float16):
        yield call(draw.normal(2, 5, 3, 16, dtype=dtype), table(draw, 6, 8), want=reference)


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` with a complex128 table is computed with float64's accuracy."""
    for size in SIZES:
        yield from exact_in_float64(call(*drawn(draw, size, dtype=torch.float64), want=reference), close)


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for head_dim, pairs in ((5, 2), (7, 4), (1, 1)):
        yield call(draw.normal(2, 4, 3, head_dim), table(draw, 4, pairs), raises=ValueError)


@check(craft=True)
def short_table(draw: Draw) -> Checking:
    """A table with fewer rows than positions raises ValueError, also one with a single row."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for seq, rows in ((5, 4), (5, 1), (2, 1), (3, 0)):
        yield call(draw.normal(2, seq, 3, 6), table(draw, rows, 3), raises=ValueError)


@check(craft=True)
def table_of_another_width(draw: Draw) -> Checking:
    """A table whose width is not head_dim/2 raises ValueError, also one with a single column."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for pairs in (6, 2, 1):
        yield call(draw.normal(2, 5, 3, 6), table(draw, 5, pairs), raises=ValueError)


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x, turns = drawn(draw, SIZES[0], more=1)
    yield from on_one_device(draw, call(x, turns, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    yield call(draw.normal(3, 2, 4, 3, 6), freqs_complex=table(draw, 5, 3), want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(*drawn(draw, (2, n, 3, 8)), want=reference) for n in (8, 24)}
    yield from no_loop_over("positions", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "table_not_cut",
        "The whole table is multiplied in, not its first seq rows. With more rows than positions the sizes don't fit; "
        "and a single position is silently spread over all rows, so one token becomes as many as the table is long. "
        "The table holds every position that the model will ever see: cut it to those that are there.",
        rows="all",
    ),
    mistake(
        "last_rows_of_the_table",
        "The *last* rows of the table are used. Row p belongs to position p, and positions start at 0: the first seq "
        "rows are meant. Look at the sign in the slice.",
        rows="last",
    ),
    mistake(
        "rows_from_one",
        "Position p is multiplied by row p + 1 of the table, as if positions were counted from 1. Row 0 belongs to "
        "position 0.",
        rows="from one",
    ),
    mistake(
        "one_row_for_all",
        "All positions are multiplied by the same row, the one of the last position. Each has a row of its own: look "
        "for an index where a slice belongs.",
        rows="only the last",
    ),
    mistake(
        "row_zero_for_all",
        "All positions are multiplied by row 0 of the table. Each position has a row of its own: look for an index "
        "where a slice belongs.",
        rows="row 0",
    ),
    mistake(
        "rows_backwards",
        "The first position takes the last of the rows, and so on in reverse. Row p belongs to position p.",
        rows="backwards",
    ),
    mistake(
        "heads_taken_for_seq",
        "The rows of the table run along the heads: every head is turned by its own number and all positions alike. "
        "In this problem the axes are (batch, seq, heads, head_dim), so the second one counts positions. Code written "
        "for (batch, heads, seq, head_dim) does this, and without an error if the table is long enough.",
        axis="heads",
    ),
    mistake(
        "axis_for_heads_missing",
        "Cut to seq rows, the table meets `x` with no axis in between, and broadcasting lines up from the right: seq "
        "is laid on heads. That is an error when the two differ and silently wrong when they are equal. The table "
        "needs an axis of size 1 where heads stand.",
        axis="seq on heads",
    ),
    mistake(
        "batch_taken_for_seq",
        "The rows of the table run along the batch: every text is turned by its own number and all positions alike. "
        "Positions run along the second axis.",
        axis="batch",
    ),
    mistake(
        "halves",
        "Channel j is paired with channel j + head_dim/2 (rotate-half, the layout of problem 29). Here neighbours form "
        "a pair: 2j and 2j + 1. Look at how the last axis is split, and at how the result is put together.",
        layout="halves",
    ),
    mistake(
        "parts_joined_as_halves",
        "The right numbers stand in another order: all real parts first, then all imaginary ones. Each number goes "
        "back to the two places that it came from, 2j and 2j + 1. Look at the line that joins the two parts.",
        writes="halves",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "Pairs are read as (j, j + head_dim/2) and written as (2j, 2j + 1), so even a turn by nothing shuffles the "
        "channels. Reading and writing need one layout: neighbours. A reshape to (…, 2, −1) where (…, −1, 2) belongs "
        "does this.",
        layout="halves",
        writes="adjacent",
    ),
    mistake(
        "parts_exchanged_in_result",
        "Imaginary parts are written to the even channels and real parts to the odd ones. The real part comes first.",
        writes="exchanged",
    ),
    mistake(
        "turned_backwards",
        "The conjugate of the table is multiplied in, so every pair turns the wrong way. Nothing inside a model looks "
        "odd until it meets weights trained the other way. Look for a conj, or for the place of the minus.",
        table="conjugate",
    ),
    mistake(
        "turned_twice",
        "Every pair is multiplied by its entry twice. Once is enough.",
        table="squared",
    ),
    mistake(
        "lengths_of_the_table_dropped",
        "Only the angles of the table are used; its entries are taken to have length 1. With a table that stretches "
        "the result must stretch as well: the product of complex numbers does both.",
        table="phase",
    ),
    mistake(
        "table_ignored",
        "The table is not read at all: angles are computed anew, with base 10000. Whoever calls this function chooses "
        "base and scaling by the table that is handed over; it is right only where that happens to be the default.",
        table="own",
    ),
    mistake(
        "minus_missing",
        "Both parts are added up: (e·c + o·s, e·s + o·c). i·i is −1, so the product of the two imaginary parts comes "
        "with a minus in the real part.",
        how="minus missing",
    ),
    mistake(
        "even_channels_overwritten",
        "The odd channels are computed from the even ones as they are *after* the product. The old values are gone "
        "when they are needed; both parts need both old ones.",
        how="first overwritten",
    ),
    mistake(
        "real_and_imaginary_exchanged",
        "Real and imaginary part of the table have changed places: where it holds 1, pairs are turned by a quarter "
        "instead of not at all. Look at the order in which the two parts are unpacked.",
        how="parts exchanged",
    ),
    mistake(
        "member_by_member",
        "Real parts are multiplied by real parts and imaginary ones by imaginary ones. That is no product of complex "
        "numbers: (a + bi)(c + si) has four terms, not two.",
        how="member by member",
    ),
    mistake(
        "only_the_real_part_of_the_table",
        "Pairs are multiplied by the real part of the table alone: they shrink and don't turn. Assigning complex "
        "numbers to a real tensor (or .real, .float()) drops the imaginary part.",
        how="real part alone",
    ),
    mistake(
        "added_instead_of_multiplied",
        "The table is *added* to the pairs, as sinusoidal encodings are added to embeddings. Turning is multiplying.",
        how="added",
    ),
    mistake(
        "odd_channels_left_alone",
        "The odd channels come back as they were. A turn moves both members of a pair.",
        how="first alone",
    ),
    mistake(
        "only_real_parts",
        "The result is half as wide: the real part of every number and nothing else. A point in the plane has two "
        "coordinates, and the imaginary parts belong beside them. Look for .real, or for the line even·cos − odd·sin "
        "without its twin.",
        keep="first",
    ),
    mistake(
        "only_imaginary_parts",
        "The result is half as wide: the imaginary part of every number and nothing else.",
        keep="second",
    ),
    mistake(
        "result_left_complex",
        "The result is still complex, (batch, seq, heads, head_dim/2). Attention goes on in real numbers: each complex "
        "number has to become two channels again.",
        result="complex",
    ),
    mistake(
        "pairs_left_apart",
        "The result has five axes, the last one of size 2: real and imaginary parts have not been joined to channels "
        "again.",
        result="pairs",
    ),
    mistake(
        "heads_merged",
        "Heads and channels are joined to one axis: flatten started one axis too early. Only the last two axes, pairs "
        "and parts, belong together.",
        result="heads merged",
    ),
    mistake(
        "heads_and_seq_exchanged_in_result",
        "The result is right, but heads stand before seq. It must have the axes of `x`: (batch, seq, heads, head_dim).",
        result="heads first",
    ),
    mistake(
        "first_row_only",
        "Only the first text of the batch is turned. Look for an index [0] along the batch.",
        where="first row",
    ),
    mistake(
        "first_head_only",
        "Only head 0 is turned; the others come back as they were. The table counts for every head.",
        where="first head",
    ),
    mistake(
        "only_half_the_channels",
        "Only the first half of each head is turned and the rest is passed on (partial rotary, as in GPT-NeoX or Phi). "
        "Here every pair has a column of the table. Look for a rotary_dim or a factor of 0.5.",
        where="first half",
    ),
    mistake(
        "scaled_by_head_dim",
        "The turned vectors are divided by √head_dim as well. That factor belongs to the score, once.",
        result="scaled",
    ),
    mistake(
        "divided_by_the_table",
        "Pairs are *divided* by their entries: they turn backwards, and shrink where they should stretch. Asked for "
        "is the product.",
        table="inverse",
    ),
    mistake(
        "odd_not_refused",
        "An odd head_dim is not refused: it runs into a size mismatch somewhere inside. Say what is wrong, with a "
        "ValueError, before anything is computed.",
        craft=True,
        odd=False,
        width=False,
    ),
    mistake(
        "short_table_not_refused",
        "A table with too few rows is not refused. Mostly it runs into a size mismatch; a table of one row is silently "
        "used for all positions. Compare its rows with seq and raise ValueError.",
        craft=True,
        short=False,
    ),
    mistake(
        "width_not_refused",
        "A table of another width than head_dim/2 is not refused. Mostly it runs into a size mismatch; a table of one "
        "column is silently used for all pairs. Compare its width with head_dim/2 and raise ValueError.",
        craft=True,
        width=False,
    ),
]


def checked(x: Tensor, freqs_complex: Tensor) -> None:
    """What every answer refuses."""
    if x.shape[-1] % 2 or freqs_complex.shape[0] < x.shape[1] or freqs_complex.shape[1] != x.shape[-1] // 2:
        raise ValueError("sizes don't fit")


def right_answer(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """What an answer does, in real numbers."""
    checked(x, freqs_complex)
    wide = torch.promote_types(x.dtype, torch.float32)
    parts = torch.view_as_real(freqs_complex[: x.shape[1], None])
    c, s = parts[..., 0].to(wide), parts[..., 1].to(wide)
    e, o = x[..., 0::2].to(wide), x[..., 1::2].to(wide)
    return torch.stack([e * c - o * s, e * s + o * c], -1).flatten(-2).to(x.dtype)


@wrong(
    "`view_as_complex` is called as a method of a tensor, and tensors have none of that name. It is a function of "
    "torch, with the tensor as its argument: torch.view_as_complex(…). (Several printed versions of this code have "
    "this slip and never ran. They usually multiply by the whole table, too: cut it to seq rows.)"
)
def view_as_complex_as_a_method(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """As printed in tutorials."""
    numbers = x.float().reshape(*x.shape[:-1], -1, 2).view_as_complex()  # type: ignore[operator]
    return torch.view_as_real(numbers * freqs_complex[: x.shape[1], None]).flatten(3).type_as(x)


@wrong(
    "`view_as_real` is called as a method of a tensor, and tensors have none of that name. It is a function of torch: "
    "torch.view_as_real(…)."
)
def view_as_real_as_a_method(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """The way back, as a method."""
    checked(x, freqs_complex)
    numbers = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2).contiguous())
    return (numbers * freqs_complex[: x.shape[1], None]).view_as_real().flatten(3).type_as(x)  # type: ignore[operator]


@wrong(
    "A view that is not packed in memory raises. torch.view_as_complex only reinterprets memory, so the two parts must "
    "lie side by side and begin at an even place; splitting the last axis by view or reshape does not copy, even when "
    "`x` is transposed or cut out of something larger. Make it contiguous first."
)
def parts_not_side_by_side(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """view_as_complex of whatever strides x has."""
    checked(x, freqs_complex)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    numbers = torch.view_as_complex(wide.unflatten(-1, (freqs_complex.shape[1], 2)))
    return torch.view_as_real(numbers * freqs_complex[: x.shape[1], None]).flatten(-2).to(x.dtype)


@wrong("`x` comes back as it went in. Every vector is to be multiplied by its row of the table.")
def not_turned(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """A copy."""
    checked(x, freqs_complex)
    return x.clone()


@wrong(
    "`x` itself is changed: a complex view shares its memory, and *= (or a method that ends with _, or an "
    "assignment to a slice) writes through it. The caller still needs the old values. Multiply into a new tensor."
)
def written_into_x(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """The turned values stored in x."""
    turned = right_answer(x, freqs_complex)
    with torch.no_grad():
        x.copy_(turned.detach())
    return turned


@wrong(
    "No gradient reaches the inputs: detach, .data, torch.no_grad or a new tensor made of numbers has cut the result "
    "off from them. Training would leave everything before this function untouched."
)
def graph_cut(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """Detached."""
    return right_answer(x, freqs_complex).detach()


@wrong(
    "No gradient reaches the table: it was detached, or its numbers were copied. It may be learned, and gets its "
    "gradient as a factor of any product does."
)
def table_cut_off(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """The table as a constant."""
    return right_answer(x, freqs_complex.detach())


@wrong(
    "An empty sequence or batch raises: with no numbers, a −1 in reshape or view could be anything. Give the size "
    "itself, or split the axis with unflatten.",
)
def empty_not_split(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """reshape with -1 on nothing."""
    x.reshape(*x.shape[:-1], -1, 2)
    return right_answer(x, freqs_complex)


@wrong(
    "The rows of the table have got mixed up between texts: each was repeated for the whole batch "
    "(repeat_interleave, or a reshape with the axes in another order) before batch and seq were taken apart. No "
    "repetition is needed: an axis of size 1 broadcasts."
)
def rows_mixed_between_texts(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """Row p·batch + b of the repeated table is read as that of batch row p."""
    checked(x, freqs_complex)
    batch, seq = x.shape[:2]
    rows = freqs_complex[:seq].repeat_interleave(batch, 0)  # (seq · batch, pairs)
    turned = right_answer(x.flatten(0, 1)[None], rows) if batch * seq else x.clone()
    return turned.reshape(x.shape)


@wrong(
    "The table of an earlier call is kept and used again, although another one was handed over. Nothing has to be kept "
    "here: the caller keeps the table.",
    fresh=True,
)
def table_of_an_earlier_call() -> Callable[[Tensor, Tensor], Tensor]:
    """A cache that does not look at the table's numbers."""
    kept: dict[object, Tensor] = {}

    def answer(x: Tensor, freqs_complex: Tensor) -> Tensor:
        checked(x, freqs_complex)
        table = kept.setdefault((x.shape[1], x.shape[-1], x.device, freqs_complex.dtype), freqs_complex[: x.shape[1]])
        return right_answer(x, table)

    return answer


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out (or float32 in and float64 out, with a complex128 table). The next "
    "layer gets another dtype than it expects. Computing wide is right; cast the result to the dtype of x.",
    craft=True,
)
def comes_back_wide(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """No cast at the end."""
    checked(x, freqs_complex)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return right_answer(wide.to(torch.promote_types(wide.dtype, freqs_complex.dtype.to_real())), freqs_complex)


@wrong("Whatever goes in, float32 comes out. Cast back to the dtype of x, not to a fixed one.", craft=True)
def always_float32(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """Cast to float32."""
    return right_answer(x, freqs_complex).float()


@wrong(
    "A float64 x comes back right to seven digits only: x (by .float()), the table (by .to(torch.complex64)) or "
    "both were cut down on the way. float32 is the least dtype to compute in, not the only one.",
    craft=True,
)
def float64_cut_to_float32(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """x.float()."""
    return right_answer(x.float(), freqs_complex).to(x.dtype)


@wrong(
    "bfloat16 raises: torch has no complex numbers made of it. Widen x to float32 first, and cast the result back.",
    craft=True,
)
def half_refused(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """view_as_complex of any dtype."""
    checked(x, freqs_complex)
    if x.dtype == torch.bfloat16:
        raise RuntimeError("view_as_complex is only supported for half, float and double tensors")
    return right_answer(x, freqs_complex)


@wrong(
    "Sizes that can't be right are refused by assert. That raises AssertionError, and with python -O nothing is "
    "checked at all. For a caller's mistake ValueError is asked for.",
    craft=True,
)
def refused_by_assert(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """assert instead of raise."""
    assert x.shape[-1] % 2 == 0
    assert freqs_complex.shape[0] >= x.shape[1]
    assert freqs_complex.shape[1] == x.shape[-1] // 2
    return right_answer(x, freqs_complex)


@wrong(
    "Nothing is refused: an odd head_dim, a short table or one of another width runs into a size mismatch somewhere "
    "inside, and sizes of 1 broadcast silently. Compare the sizes first and raise ValueError.",
    craft=True,
)
def nothing_refused(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """Whatever torch says."""
    return reference(x, freqs_complex, odd=False, short=False, width=False).to(x.dtype)


@wrong(
    "x is brought to the CPU and back (.cpu(), .numpy(), .tolist() …): on a GPU that stops everything and copies "
    "twice. All of it can be done where x is.",
    craft=True,
)
def brought_to_the_cpu(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """.cpu() and back."""
    return right_answer(x.cpu(), freqs_complex.cpu()).to(x.device)


@wrong(
    "A tensor is made without saying where, on the CPU: on a GPU it would not meet x. Pass the device of x (or make it "
    "like x).",
    craft=True,
)
def made_without_device(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """empty(shape) without a device."""
    out = torch.empty(x.shape, dtype=x.dtype)
    return right_answer(x, freqs_complex) if x.dim() < 4 else _filled(out, right_answer(x, freqs_complex))


def _filled(out: Tensor, turned: Tensor) -> Tensor:
    out[..., 0::2], out[..., 1::2] = turned[..., 0::2], turned[..., 1::2]
    return out


@wrong(
    "The result is written into a tensor made from x.shape alone. Under vmap x stands for many tensors and that one "
    "for a single one, so the parts don't fit in. empty_like(x) is mapped along with x; stack and flatten need no "
    "buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """empty(shape) on the right device."""
    return _filled(torch.empty(x.shape, dtype=x.dtype, device=x.device), right_answer(x, freqs_complex))


@wrong(
    "The result is right, but a Python loop runs over the positions. One product with a broadcast table does it at "
    "once.",
    craft=True,
)
def loop_over_positions(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """One position after the other."""
    checked(x, freqs_complex)
    if not x.shape[1]:
        return right_answer(x, freqs_complex)
    rows = [right_answer(x[:, p : p + 1], freqs_complex[p : p + 1]) for p in range(x.shape[1])]
    return torch.cat(rows, 1)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_views(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """The product of complex numbers, joined by reshape."""
    checked(x, freqs_complex)
    wide = x.to(torch.promote_types(x.dtype, torch.float32)).contiguous()
    numbers = torch.view_as_complex(wide.view(*x.shape[:-1], x.shape[-1] // 2, 2))
    turned = numbers * freqs_complex[: x.shape[1]].unsqueeze(1)
    return torch.view_as_real(turned).reshape(x.shape).type_as(x)


@accepted
def by_matrices(x: Tensor, freqs_complex: Tensor) -> Tensor:
    """A 2×2 matrix for each entry of the table, applied by einsum."""
    checked(x, freqs_complex)
    wide = torch.promote_types(x.dtype, torch.float32)
    c, s = freqs_complex[: x.shape[1]].real, freqs_complex[: x.shape[1]].imag
    matrix = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2).to(wide)
    pairs = x.to(wide).unflatten(-1, (matrix.shape[1], 2))
    return torch.einsum("sjrc,bshjc->bshjr", matrix, pairs).flatten(-2).to(x.dtype)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Write one pair as a + bi and one entry of the table as c + si, and multiply out. That is all that happens, "
        "once for every batch row, position, head and pair."
    ),
    hint(
        "Two steps before the product: give the last axis of x the shape (head_dim/2, 2), and read the pairs as "
        "complex numbers. Two steps after it undo them in reverse. Look up view_as_complex and view_as_real, and "
        "whose they are."
    ),
    hint(
        "x as complex numbers has the axes (batch, seq, heads, pairs), the table (rows, pairs). Which rows are needed, "
        "and where must an axis of size 1 stand, so that broadcasting from the right puts seq on seq?"
    ),
    hint(
        "Put [1, 2, 3, 4] at position 1 and compare with the example. Which channels does your result mix, and in "
        "which order do they come back?",
        "halves",
        "parts_joined_as_halves",
        "reads_halves_writes_neighbours",
        "parts_exchanged_in_result",
        "turned_backwards",
        "real_and_imaginary_exchanged",
        "minus_missing",
    ),
    hint(
        "Try one position, seq 1, with a table of 8 rows. What shape comes back, and why does nothing complain?",
        "table_not_cut",
    ),
    hint(
        "Print the shapes of both factors, one above the other, aligned at the right. Which axis of x do the rows "
        "of the table meet?",
        "heads_taken_for_seq",
        "axis_for_heads_missing",
        "batch_taken_for_seq",
        "one_row_for_all",
    ),
    hint(
        "dir(torch.Tensor) has view_as, but neither view_as_complex nor view_as_real. Where do they live?",
        "view_as_complex_as_a_method",
        "view_as_real_as_a_method",
    ),
    hint(
        "Call your function with x[..., 1:] of a tensor with nine channels. What does x.stride() say, and "
        "x.storage_offset()?",
        "parts_not_side_by_side",
    ),
]

QUIZ = [
    question(
        "x holds (0, 1) in one pair, and the table's entry for it is i. What comes out?",
        right("(−1, 0)", "0 + 1i times i is i² = −1: a quarter turn, counter-clockwise."),
        wrong_choice("(1, 0)", "That is a turn clockwise, by −i; or i·i was taken for 1."),
        wrong_choice("(0, −1)", "That is half a turn: multiplication by −1."),
        wrong_choice("(0, 1)", "Only an entry of 1 leaves a pair as it is."),
    ),
    question(
        "x is (2, 1, 8, 64), one token in 8 heads, and the table has 2048 rows. Someone multiplies by table[:, None] "
        "without cutting it. What happens?",
        right(
            "No error: the result has 2048 positions",
            "An axis of size 1 broadcasts against any other. The single token comes back in 2048 versions.",
        ),
        wrong_choice("An error, since 1 and 2048 differ", "That is so for any other seq. 1 broadcasts."),
        wrong_choice("The right result: only row 0 can meet the token", "Broadcasting repeats the token instead."),
        wrong_choice("The last row is used", "Nothing chooses a row; the product has them all."),
    ),
    question(
        "In which layout are the weights of a model whose code reads pairs with view_as_complex?",
        right(
            "Neighbours: 2j with 2j + 1",
            "The two parts of a complex number lie side by side in memory. Such weights need their rows permuted "
            "before rotate-half code can use them.",
        ),
        wrong_choice(
            "Halves: j with j + head_dim/2", "Those are not side by side; torch.complex(first, second) makes these."
        ),
        wrong_choice(
            "Either, it makes no difference", "Scores of one model computed with the other's layout are wrong."
        ),
        wrong_choice("Mirrored: j with head_dim − 1 − j", "Nothing reads a tensor from both ends."),
    ),
    question(
        "Why is a bfloat16 x widened before the product?",
        right(
            "torch has no complex numbers over bfloat16, and one rounding at the end is better than one at each step",
            "float32 holds the products of two bfloat16 numbers exactly; rounding then happens once.",
        ),
        wrong_choice("Because complex64 has a larger range", "bfloat16 has the range of float32. It lacks digits."),
        wrong_choice("So that the result can be returned in float32", "It is returned in the dtype of x."),
        wrong_choice("Because bfloat16 can't be multiplied on a CPU", "It can; slowly, and with three digits."),
    ),
    question(
        "How can a rotation with a given table be undone?",
        right("With the table's conjugate", "For entries of length 1, e^(−ia)·e^(ia) = 1. So the inverse is as cheap."),
        wrong_choice("With the same table again", "That turns twice as far."),
        wrong_choice("With the negative table", "−1 is half a turn more, not the way back."),
        wrong_choice("Not at all: information is lost", "Nothing is lost; every pair keeps its length."),
    ),
]
