"""How rotary_2d is graded: complex numbers in float64, one grid axis after the other, are the reference."""

SECTION = "Positions"
LEVEL = 4
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

SIZES = ((2, 3, 3, 5, 8), (1, 2, 5, 2, 12), (3, 2, 2, 7, 4))  # batch, heads, height, width, head_dim
Answer = Callable[..., Tensor]


def near(most: int) -> Close:
    """How far an answer may be off when rows and columns go up to `most`."""
    return rotated("halves", most, parts=2)


close = near(16)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Frequencies = Callable[[Tensor, int, float], Tensor]  # (pair of one part, head_dim, base) → frequency
SCHEDULES: dict[str, Frequencies] = {
    "2j/(d/2)": lambda j, d, b: b ** (-4 * j / d),
    "2j/d": lambda j, d, b: b ** (-2 * j / d),
    "j/d": lambda j, d, b: b ** (-j / d),
    "4j/(d/2)": lambda j, d, b: b ** (-8 * j / d),
    "one": lambda j, d, b: torch.ones_like(j),
    "whole": lambda j, d, b: float(int(b)) ** (-4 * j / d),
    "10000": lambda j, d, b: 10000.0 ** (-4 * j / d),
}


def reference(
    x: Tensor,
    height: int,
    width: int,
    base: float = 10000.0,
    *,
    schedule: str = "2j/(d/2)",
    goes_on: bool = False,
    order: str = "lines",
    grid: str = "as given",
    places: str = "row, column",
    scale: str = "",
    begin: float = 0.0,
    pairs: str = "inside",
    sign: int = 1,
    second: int = 1,
    how: str = "turn",
) -> Tensor:
    """Each part as complex numbers, times e^(i·p·f), in float64: (batch, heads, height · width, head_dim)."""
    seq, d = x.shape[-2:]
    if d % 4:
        raise ValueError("head_dim must be a multiple of 4")
    if seq != height * width:
        raise ValueError("no such grid")
    one, two = _places(seq, height, width, order, grid, places, x.device)
    if scale == "grid":
        one, two = one / max(height, 1), two / max(width, 1)
    elif scale == "centred":
        one, two = one - (height - 1) / 2, two - (width - 1) / 2
    j = torch.arange(d // 4, dtype=torch.float64, device=x.device)
    make = SCHEDULES[schedule]
    if goes_on:  # one list over the whole head, the first half of it for rows
        angles = [one[:, None] * base ** (-2 * j / d), two[:, None] * base ** (-2 * (j + d // 4) / d)]
    else:
        angles = [(p[:, None] + begin) * make(j, d, base) for p in (one, two)]
    angles = [angles[0] * sign, angles[1] * sign * second]
    x = x.double()
    if pairs == "one axis":  # problem 29, which knows no grid
        flat = torch.arange(seq, dtype=torch.float64, device=x.device)[:, None]
        every = torch.arange(d // 2, dtype=torch.float64, device=x.device)
        return torch.cat(_turned(*x.chunk(2, -1), flat * base ** (-2 * every / d) * sign, how), -1)
    if pairs == "across":  # rows and columns share out the pairs (c, c + D/2)
        return torch.cat(_turned(*x.chunk(2, -1), torch.cat(angles, -1), how), -1)
    if pairs == "partners across":  # angles as asked, partners from the other part
        a, b = x.chunk(2, -1)
        row, column = (angle.repeat(1, 2) for angle in angles)
        return torch.cat([a * row.cos() - b * row.sin(), b * column.cos() + a * column.sin()], -1)
    if pairs == "angles for neighbours":
        return torch.cat([_unevenly(part, angle) for part, angle in zip(x.chunk(2, -1), angles, strict=True)], -1)
    parts = list(x.chunk(2, -1))
    for at, angle in enumerate(angles):
        if pairs == "written as neighbours":
            parts[at] = torch.stack(_turned(*parts[at].chunk(2, -1), angle, how), -1).flatten(-2)
        elif pairs == "neighbours":
            turned = _turned(parts[at][..., 0::2], parts[at][..., 1::2], angle, how)
            parts[at] = torch.stack(turned, -1).flatten(-2)
        else:
            parts[at] = torch.cat(_turned(*parts[at].chunk(2, -1), angle, how), -1)
    return torch.cat(parts, -1)


def _places(
    seq: int, height: int, width: int, order: str, grid: str, places: str, device: torch.device
) -> tuple[Tensor, Tensor]:
    """What is taken for the position of each token in the first part, and in the second."""
    t = torch.arange(seq, dtype=torch.float64, device=device)
    if not seq:
        return t, t
    if grid == "swapped":
        height, width = width, height
    row, column = t.div(width, rounding_mode="floor"), t % width
    if grid == "square":
        side = max(math.isqrt(seq), 1)
        row, column = t.div(side, rounding_mode="floor"), t % side
    if order == "columns":
        row, column = t % height, t.div(height, rounding_mode="floor")
    match places:
        case "column, row":
            return column, row
        case "row, row":
            return row, row
        case "column, column":
            return column, column
        case "flat":
            return t, t
        case "sum":
            return row + column, row + column
        case "row, none":
            return row, 0 * t
        case "none, column":
            return 0 * t, column
        case "row, flat":
            return row, t
        case "fraction, column":
            return t / width, column
    return row, column


def _unevenly(part: Tensor, angle: Tensor) -> Tensor:
    """Angles laid out twice in a row, partners half a part away."""
    a, b = part.chunk(2, -1)
    one, two = angle.repeat_interleave(2, -1).chunk(2, -1)
    return torch.cat([a * one.cos() - b * one.sin(), b * two.cos() + a * two.sin()], -1)


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


def drawn(draw: Draw, size: tuple[int, ...], dtype: torch.dtype = torch.float32) -> tuple[Tensor, int, int]:
    """Tokens of a grid, its height and its width."""
    b, h, height, width, d = size
    return draw.normal(b, h, height * width, d, dtype=dtype), height, width


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`."""
    for size in SIZES:
        x, height, width = drawn(draw, size)
        yield call(x, height, width, like=x)


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """No pair (j, j + D/4) of either part changes its length."""
    x, height, width = drawn(draw, SIZES[0])
    y = yield call(x, height, width, like=x)
    before, after = (t.double().unflatten(-1, (2, 2, -1)).norm(dim=-2) for t in (x, y))
    if at := apart(after, before, 1e-5 * before):
        b, h, t, part, j = at
        was, now = before[b, h, t, part, j], after[b, h, t, part, j]
        name = ("first", "second")[part]
        raise Failed(f"pair {j} in the {name} part of token {t} was {was:.6g} long and is {now:.6g}")


@check(points=1, explains=True)
def first_token(draw: Draw) -> Checking:
    """Token 0 stands in row 0 and column 0 and is not turned."""
    for size in SIZES:
        x, height, width = drawn(draw, size)
        y = yield call(x, height, width, like=x)
        if at := apart(y[:, :, 0], x[:, :, 0], 1e-6):
            b, h, c = at
            raise Failed(f"channel {c} of token 0 was {x[b, h, 0, c]:.6g} and is {y[b, h, 0, c]:.6g}")


@check(points=1, explains=True)
def along_a_line(draw: Draw) -> Checking:
    """Within a row of the grid the first part of all tokens turns alike, within a column the second part."""
    height, width = 3, 5
    x = draw.normal(1, 1, 1, 8).expand(1, 1, height * width, 8).clone()  # the same vector everywhere
    y = yield call(x, height, width, like=x)
    rows, columns = y[0, 0].double().unflatten(0, (height, width)).chunk(2, -1)  # each (height, width, 4)
    for part, name in ((rows - rows[:, :1], "row"), (columns - columns[:1], "column")):
        if at := first_true(~(part.abs() <= 1e-5)):
            r, c, _ = at
            first = "column 0" if name == "row" else "row 0"
            half = "first" if name == "row" else "second"
            text = f"all tokens hold one vector, yet the {half} part of the token in row {r} and column {c} turns"
            raise Failed(f"{text} otherwise than that of the token in the same {name} and {first}")


@check(points=1, explains=True)
def relative(draw: Draw) -> Checking:
    """The score of two tokens depends only on how many rows and how many columns lie between them."""
    height, width = 3, 4
    x = draw.normal(1, 2, 1, 8).expand(1, 2, height * width, 8).clone()  # one query and one key, everywhere
    y = yield call(x, height, width, like=x)
    q, k = y[0].double().unflatten(1, (height, width))
    scores = torch.einsum("rcd,sed->rcse", q, k)
    seen: dict[tuple[int, int], tuple[float, tuple[int, int, int, int]]] = {}
    room = 1e-5 * (1 + float(x[0, 0, 0].norm() * x[0, 1, 0].norm()))
    for r, c, s, e in torch.cartesian_prod(*map(torch.arange, scores.shape)).tolist():
        score = float(scores[r, c, s, e])
        other, at = seen.setdefault((s - r, e - c), (score, (r, c, s, e)))
        if not abs(score - other) <= room:
            text = f"(row {r}, column {c}) and (row {s}, column {e}) score {score:.6g}"
            text = f"{text}, (row {at[0]}, column {at[1]}) and (row {at[2]}, column {at[3]}) {other:.6g}"
            raise Failed(f"{text}, with equal vectors and equal distances")


@check(points=1, explains=True)
def input_untouched(draw: Draw) -> Checking:
    """`x` keeps its values: the result is a new tensor."""
    x, height, width = drawn(draw, SIZES[0])
    yield from inputs_kept(call(x, height, width, like=x), "x")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right on grids that are not square."""
    for size in (*SIZES, (2, 2, 7, 3, 8)):
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def square_grid(draw: Draw) -> Checking:
    """The values are right on square grids, also when all sizes are equal."""
    for size in ((2, 3, 4, 4, 8), (4, 4, 2, 2, 4), (1, 1, 3, 3, 12)):
        yield call(*drawn(draw, size), want=reference)


@check(points=1)
def single_lines(draw: Draw) -> Checking:
    """A single row turns the second part only, a single column the first."""
    yield call(*drawn(draw, (2, 3, 2, 3, 8)), want=reference)
    for size in ((2, 3, 1, 6, 8), (2, 3, 6, 1, 8), (1, 2, 1, 1, 4)):
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, below 1, not whole, or an int."""
    for base in (3.5, 500000.0, 123.5, 100, 0.5):
        yield call(*drawn(draw, (1, 2, 3, 5, 12)), base=base, want=reference)


@check(points=1)
def head_dims(draw: Draw) -> Checking:
    """Any multiple of 4 will do for head_dim."""
    for head_dim in (8, 4, 20, 64):
        yield call(*drawn(draw, (1, 2, 4, 3, head_dim)), want=reference)


@check(points=1)
def large_grids(draw: Draw) -> Checking:
    """Rows and columns may be many."""
    yield call(*drawn(draw, (1, 1, 3, 5, 8)), want=reference)
    for height, width in ((2, 300), (300, 2)):
        yield call(*drawn(draw, (1, 1, height, width, 8)), want=reference, within=near(300))


@check(points=1)
def edges(draw: Draw) -> Checking:
    """A grid without rows or columns and an empty batch are fine."""
    for size in ((2, 3, 3, 2, 8), (2, 3, 0, 5, 8), (2, 3, 5, 0, 8), (2, 3, 0, 0, 8), (0, 3, 2, 5, 8)):
        yield call(*drawn(draw, size), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` may be a transposed, sliced or expanded view."""
    yield call(draw.normal(2, 3, 6, 8), 2, 3, want=reference)
    yield call(draw.normal(2, 6, 3, 8).transpose(1, 2), 2, 3, want=reference)
    yield call(draw.normal(2, 3, 8, 6).transpose(2, 3), 2, 3, want=reference)
    yield call(draw.normal(2, 3, 12, 17)[:, :, 1::2, 1::2], 3, 2, want=reference)
    yield call(draw.normal(2, 1, 6, 8).expand(2, 3, 6, 8), 2, 3, want=reference)


@check(points=2)
def another_call_later(draw: Draw) -> Checking:
    """What a call does depends on its arguments alone: not on grids and bases of earlier ones."""
    for height, width, base in ((2, 6, 100.0), (6, 2, 100.0), (3, 4, 100.0), (3, 4, 7.0), (2, 6, 100.0)):
        yield call(*drawn(draw, (1, 2, height, width, 8)), base=base, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """The gradient flows back to `x`, and is right."""
    for b, h, height, width, d in SIZES[:2]:
        x, *grid = drawn(draw, (b, h, height, width, d))
        yield call(x, *grid, cotangent=draw.normal(*x.shape), want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def wrong_head_dim(draw: Draw) -> Checking:
    """A head_dim that is no multiple of 4 raises ValueError."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for head_dim in (6, 10, 2, 7):
        yield call(*drawn(draw, (1, 2, 2, 3, head_dim)), raises=ValueError)


@check(craft=True)
def wrong_grid(draw: Draw) -> Checking:
    """A number of tokens other than height · width raises ValueError."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for seq, height, width in ((5, 2, 3), (7, 2, 3), (1, 2, 3), (6, 2, 2), (6, 1, 3), (6, 4, 3), (4, 0, 4)):
        yield call(draw.normal(1, 2, seq, 8), height, width, raises=ValueError)


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x, height, width = drawn(draw, SIZES[0], dtype)
        yield call(x, height, width, like=x)


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """With bfloat16 and float16 the angles are as exact as in float32."""
    for dtype in (torch.bfloat16, torch.float16):
        for size in ((1, 2, 3, 5, 16), (1, 1, 2, 400, 16), (1, 1, 2100, 1, 8)):
            yield call(*drawn(draw, size, dtype), want=reference, within=near(max(size)))


@check(craft=True)
def float64_accuracy(draw: Draw) -> Checking:
    """A float64 `x` is turned with float64's accuracy."""
    for size in ((1, 2, 3, 5, 16), (1, 1, 2, 300, 16)):
        yield from exact_in_float64(call(*drawn(draw, size, torch.float64), want=reference), near(max(size)))


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    yield from settings_ignored(call(*drawn(draw, (1, 2, 3, 15, 12)), want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x, height, width = drawn(draw, SIZES[0])
    yield from on_one_device(draw, call(x, height, width, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(draw.normal(2, 2, 6, 8), height=2, width=3, want=reference)
    yield call(draw.normal(3, 2, 2, 6, 8), height=2, width=3, want=reference, under="vmap")


@check(craft=True)
def training_after_inference(draw: Draw) -> Checking:
    """A call in inference mode leaves nothing behind that a later backward pass can't use."""
    x, height, width = drawn(draw, SIZES[0])
    yield call(x, height, width, want=reference, under="inference_mode")
    yield call(x, height, width, cotangent=draw.normal(*x.shape), want=reference)


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over rows, columns or tokens."""
    calls = {f"{m} × {n}": call(*drawn(draw, (1, 2, m, n, 8)), want=reference) for m, n in ((3, 4), (12, 4), (3, 16))}
    yield from no_loop_over("rows and columns", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "columns_read_first",
        "Tokens are numbered down the columns: t % height is taken for the row. Images are read line by line, so the "
        "column changes from each token to the next.",
        order="columns",
    ),
    mistake(
        "height_and_width_exchanged",
        "Lines are taken to be `height` tokens long. A line has `width` tokens: that is what the number of a token is "
        "divided by. On square grids nobody notices.",
        grid="swapped",
    ),
    mistake(
        "square_grid_assumed",
        "Lines are taken to be √seq tokens long, as if every image were square. A line has `width` tokens.",
        grid="square",
    ),
    mistake(
        "parts_exchanged",
        "Rows and columns have changed parts: the first half of the head is turned by the column. Here it is the "
        "row's.",
        places="column, row",
    ),
    mistake(
        "row_twice",
        "Both parts are turned by the row, so columns are lost: tokens of one line can't be told apart. The second "
        "half of the head belongs to the column.",
        places="row, row",
    ),
    mistake(
        "column_twice",
        "Both parts are turned by the column, so rows are lost: a token and the one below it can't be told apart. The "
        "first half of the head belongs to the row.",
        places="column, column",
    ),
    mistake(
        "flat_index",
        "Both parts are turned by the token's number, as if the image were one long line. Take it apart into row and "
        "column.",
        places="flat",
    ),
    mistake(
        "token_number_for_the_column",
        "The second part is turned by the token's number, which grows on from line to line. The column starts anew "
        "with 0 in each.",
        places="row, flat",
    ),
    mistake(
        "row_with_a_fraction",
        "The row is t / width with its fraction, so it grows along a line. Round down: all tokens of a line stand in "
        "one row.",
        places="fraction, column",
    ),
    mistake(
        "row_and_column_added",
        "Both parts are turned by row + column: all tokens of a diagonal share one position. Each part has a position "
        "of its own.",
        places="sum",
    ),
    mistake(
        "second_part_left_alone",
        "Only the first half of the head is turned. The second is turned by the column.",
        places="row, none",
    ),
    mistake(
        "first_part_left_alone",
        "Only the second half of the head is turned. The first is turned by the row.",
        places="none, column",
    ),
    mistake(
        "grid_ignored",
        "This is problem 29: one position, the token's number, turns all pairs of the head. `height` and `width` are "
        "not used.",
        pairs="one axis",
    ),
    mistake(
        "pairs_across_the_head",
        "Channels c and c + D/2 are paired, and rows and columns share out these pairs. Some vision models do so. Here "
        "each half of the head is turned in itself: channel j belongs with j + D/4.",
        pairs="across",
    ),
    mistake(
        "partners_from_the_other_part",
        "The angles are laid out right, but rotate-half goes over the whole head: a channel that turns by the row gets "
        "its partner from those that turn by the column. That is no rotation. Turn each half of the head in itself.",
        pairs="partners across",
    ),
    mistake(
        "interleaved",
        "Neighbouring channels are paired: 0 with 1, 2 with 3. Here, inside each half of the head, channel j belongs "
        "with channel j + D/4.",
        pairs="neighbours",
    ),
    mistake(
        "reads_halves_writes_neighbours",
        "The right numbers are stored in another order: the two results of each pair stand side by side. In each half "
        "of the head come first all first members, then all second ones.",
        pairs="written as neighbours",
    ),
    mistake(
        "angles_repeated_for_neighbours",
        "Each angle is laid out twice in a row (repeat_interleave), while partners are a quarter of the head apart: "
        "the two members of a pair meet different angles. Lay the D/4 angles of a part side by side, twice.",
        pairs="angles for neighbours",
    ),
    mistake(
        "exponent_over_the_whole_head",
        "The exponent is −2j/D: the frequencies fall only half as fast, and end near 1/√base. Each part is a head of "
        "D/2 channels of its own, hence −2j/(D/2).",
        schedule="2j/d",
    ),
    mistake(
        "exponent_lacks_the_two",
        "The exponent is −j/D. Each part is a head of D/2 channels of its own, and a pair owns two of them: −2j/(D/2).",
        schedule="j/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should: −2j/(D/4). There are D/4 pairs in a part, but D/2 channels.",
        schedule="4j/(d/2)",
    ),
    mistake(
        "columns_get_the_slow_frequencies",
        "One list of D/2 frequencies is shared out, the fast ones to rows and the slow ones to columns. Both parts "
        "have the same D/4 frequencies, beginning with 1.",
        goes_on=True,
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs turn alike, by one radian a step. Each pair of a part has a frequency of its own.",
        schedule="one",
    ),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number: 3.5 becomes 3. Any positive number is allowed.",
        schedule="whole",
    ),
    mistake("base_ignored", "`base` is not used: 10000 stands in its place.", schedule="10000"),
    mistake(
        "scaled_to_the_grid",
        "Rows are divided by the height and columns by the width, so that they run from 0 to 1. Here a step to the "
        "next token is one step, however large the grid.",
        scale="grid",
    ),
    mistake(
        "centred",
        "Positions are counted from the middle of the grid. Scores don't mind, but vectors do: row 0 and column 0 are "
        "where counting begins.",
        scale="centred",
    ),
    mistake(
        "counted_from_one",
        "Rows and columns are counted from 1, so that even token 0 is turned. Scores don't mind, but vectors do.",
        begin=1.0,
    ),
    mistake(
        "turned_backwards",
        "Every pair turns the wrong way, clockwise. The minus belongs to the member that is written first.",
        sign=-1,
    ),
    mistake(
        "second_part_turned_backwards",
        "The first part turns the right way and the second clockwise. Rows and columns turn alike: the minus belongs "
        "to the member that is written first.",
        second=-1,
    ),
    mistake(
        "minus_missing",
        "The minus is lost: both members add up (a·cos + b·sin, b·cos + a·sin). A quarter turn takes (a, b) to (−b, "
        "a).",
        how="minus missing",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "Sine and cosine have changed places, so that token 0 is already turned by a right angle.",
        how="sine for cosine",
    ),
    mistake(
        "first_member_overwritten",
        "The second member is computed from the first as it is *after* turning. Both new members need both old ones.",
        how="first overwritten",
    ),
    mistake(
        "only_cosine",
        "x is multiplied by the cosines and that is all. Each member of a pair also receives its partner, times the "
        "sine.",
        how="cosine alone",
    ),
]


def tables(x: Tensor, height: int, width: int, base: float, dtype: torch.dtype | None = None) -> tuple[Tensor, Tensor]:
    """Cosines and sines, each (height · width, 2, D/4), as an answer makes them."""
    dtype = dtype or torch.promote_types(x.dtype, torch.float32)
    quarter = x.shape[-1] // 4
    frequency = base ** (-torch.arange(quarter, dtype=dtype, device=x.device) / max(quarter, 1))
    row = torch.arange(height, dtype=dtype, device=x.device).repeat_interleave(width)
    column = torch.arange(width, dtype=dtype, device=x.device).repeat(height)
    angle = torch.stack([row, column], -1)[..., None] * frequency
    return angle.cos(), angle.sin()


def turn(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Both parts turned, in whatever dtype comes of it."""
    a, b = x.reshape(*x.shape[:-1], 2, 2, x.shape[-1] // 4).unbind(-2)
    return torch.stack([a * cos - b * sin, b * cos + a * sin], -2).flatten(-3)


def valid(x: Tensor, height: int, width: int) -> None:
    """What every answer refuses."""
    if x.shape[-1] % 4 or x.shape[-2] != height * width:
        raise ValueError("head_dim must be a multiple of 4, and the tokens a grid")


def right_answer(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """What an answer does."""
    valid(x, height, width)
    return turn(x, *tables(x, height, width, base)).to(x.dtype)


@wrong(
    "A table made for an earlier call is used again although the grid or base has changed since: 2 by 6 and 6 by 2 "
    "have as many tokens. Everything that a table depends on belongs into the key of its cache.",
    fresh=True,
)
def kept_table_ignores_the_grid() -> Answer:
    """A cache by shape alone."""
    kept: dict[object, tuple[Tensor, Tensor]] = {}

    def answer(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
        valid(x, height, width)
        key = (*x.shape[-2:], base, x.dtype, x.device)
        if key not in kept:
            with torch.inference_mode(False):
                kept[key] = tables(x, height, width, base)
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "With a width of 0 the function divides by it: ZeroDivisionError. A grid without tokens is no error. `height` and "
    "`width` say how many lines and columns there are; or let the division be one of tensors, which may be empty."
)
def divides_by_a_width_of_zero(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Rows worked out from the number of tokens."""
    valid(x, height, width)
    return turn(x, *tables(x, x.shape[-2] // width, width, base)).to(x.dtype)


@wrong(
    "The turned values are written into `x` itself, which its owner still needs. Make a new tensor: no *=, no += "
    "and no assignment to slices of x."
)
def written_into_x(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Stored in x."""
    turned = right_answer(x, height, width, base)
    with torch.no_grad():
        x.copy_(turned.detach())
    return turned


@wrong("No gradient reaches `x`: detach, .data, torch.no_grad or a new tensor made of numbers has cut the result off.")
def graph_cut(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Detached."""
    return right_answer(x, height, width, base).detach()


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Half precision goes in and float32 comes out: float32 tables times a bfloat16 x give float32. Cast the result "
    "to the dtype of x.",
    craft=True,
)
def half_comes_back_as_float32(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """No cast at the end."""
    valid(x, height, width)
    return turn(x, *tables(x, height, width, base))


@wrong(
    "With half precision everything is computed in the dtype of x: positions, frequencies and angles are all "
    "rounded. Make the table in float32 and cast the result.",
    craft=True,
)
def half_all_the_way(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Tables in x.dtype."""
    valid(x, height, width)
    return turn(x, *tables(x, height, width, base, x.dtype))


@wrong(
    "With half precision rows and columns are cast to the dtype of x: bfloat16 holds whole numbers up to 256, float16 "
    "up to 2048. In large grids neighbours share an angle. Keep positions in float32.",
    craft=True,
)
def half_positions(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Positions in x.dtype."""
    valid(x, height, width)
    wide, quarter = torch.promote_types(x.dtype, torch.float32), x.shape[-1] // 4
    frequency = base ** (-torch.arange(quarter, dtype=wide, device=x.device) / quarter)
    row = torch.arange(height, device=x.device).to(x.dtype).to(wide).repeat_interleave(width)
    column = torch.arange(width, device=x.device).to(x.dtype).to(wide).repeat(height)
    angle = torch.stack([row, column], -1)[..., None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Under autocast the angles are rounded to bfloat16: they are made by a matrix product (@, matmul), which autocast "
    "lowers. Multiply by broadcasting.",
    craft=True,
)
def angles_by_matmul(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Positions @ frequencies."""
    valid(x, height, width)
    wide, quarter = torch.promote_types(x.dtype, torch.float32), x.shape[-1] // 4
    frequency = base ** (-torch.arange(quarter, dtype=wide, device=x.device) / quarter)
    row = torch.arange(height, dtype=wide, device=x.device).repeat_interleave(width)
    column = torch.arange(width, dtype=wide, device=x.device).repeat(height)
    angle = torch.stack([row[:, None] @ frequency[None], column[:, None] @ frequency[None]], -2)
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "For a float64 x the angles are computed in float32: the result says float64 and is right to seven digits at "
    "best. Let the dtype of the angles follow x, with float32 as the least.",
    craft=True,
)
def float64_with_float32_angles(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """float32 tables."""
    valid(x, height, width)
    return turn(x, *tables(x, height, width, base, torch.float32)).to(x.dtype)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that "
    "sets it to bfloat16 rounds them. Name the dtype.",
    craft=True,
)
def default_dtype_frequencies(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """arange / number, without a dtype."""
    valid(x, height, width)
    wide, part = torch.promote_types(x.dtype, torch.float32), x.shape[-1] // 2
    frequency = 1.0 / base ** (torch.arange(0, part, 2, device=x.device) / part)
    row = torch.arange(height, dtype=wide, device=x.device).repeat_interleave(width)
    column = torch.arange(width, dtype=wide, device=x.device).repeat(height)
    angle = torch.stack([row, column], -1)[..., None] * frequency
    return turn(x, angle.cos(), angle.sin()).to(x.dtype)


@wrong(
    "Tensors are made without saying where, on the CPU: on a GPU the product with x raises. Pass the device of x to "
    "every factory.",
    craft=True,
)
def made_without_device(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """arange without a device."""
    valid(x, height, width)
    wide, quarter = torch.promote_types(x.dtype, torch.float32), x.shape[-1] // 4
    frequency = base ** (-torch.arange(quarter, dtype=wide) / quarter)
    row = torch.arange(height, dtype=wide).repeat_interleave(width)
    column = torch.arange(width, dtype=wide).repeat(height)
    angle = torch.stack([row, column], -1)[..., None] * frequency
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

    def answer(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
        valid(x, height, width)
        key = (height, width, x.shape[-1], base, x.dtype, x.device)
        if key not in kept:
            kept[key] = tables(x, height, width, base)
        return turn(x, *kept[key]).to(x.dtype)

    return answer


@wrong(
    "A number of tokens other than height · width is not refused: rows and columns are worked out for as many tokens "
    "as there are, and `height` isn't looked at. Raise ValueError first.",
    craft=True,
)
def grid_not_checked(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Positions of x.shape[-2] tokens."""
    if x.shape[-1] % 4:
        raise ValueError("head_dim")
    seq = x.shape[-2]
    if not seq:
        return x.clone()
    cos, sin = tables(x, seq // width + 1, width, base)
    return turn(x, cos[:seq], sin[:seq]).to(x.dtype)


@wrong(
    "A number of tokens other than height · width runs into a size mismatch somewhere inside, or a single token is "
    "spread over the whole grid. Raise ValueError first, and say what doesn't fit.",
    craft=True,
)
def grid_refused_by_broadcasting(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Whatever happens with another grid."""
    if x.shape[-1] % 4:
        raise ValueError("head_dim")
    return turn(x, *tables(x, height, width, base)).to(x.dtype)


@wrong(
    "A head_dim that is even but no multiple of 4 is not refused: it runs into a size mismatch somewhere inside. Each "
    "of two parts needs pairs, so ask for a multiple of 4.",
    craft=True,
)
def head_dim_not_checked(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """Whatever happens with another width."""
    if x.shape[-2] != height * width:
        raise ValueError("grid")
    return turn(x, *tables(x, height, width, base)).to(x.dtype)


@wrong(
    "A head_dim that is even but no multiple of 4 is not refused: slices of D/4 leave some channels over, one angle is "
    "spread over them, and the result has another width. Ask for a multiple of 4.",
    craft=True,
)
def head_dim_silently_widened(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """The last slice takes what is left."""
    if x.shape[-1] % 2 or x.shape[-2] != height * width:
        raise ValueError("head_dim or grid")
    quarter = x.shape[-1] // 4
    if not quarter or x.shape[-1] % 4 == 0:
        return right_answer(x, height, width, base)
    (one, two, three), four = x[..., : 3 * quarter].chunk(3, -1), x[..., 3 * quarter :]
    cos, sin = tables(x[..., : 4 * quarter], height, width, base)
    (r, c), (rs, cs) = cos.unbind(-2), sin.unbind(-2)
    turned = [one * r - two * rs, two * r + one * rs, three * c - four * cs, four * c + three * cs]
    return torch.cat(turned, -1).to(x.dtype)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def refused_by_assert(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """assert instead of raise."""
    assert x.shape[-1] % 4 == 0
    assert x.shape[-2] == height * width
    return right_answer(x, height, width, base)


@wrong(
    "The result is written into a tensor made from x.shape alone. Under vmap x stands for many tensors and that one "
    "for a single one. empty_like is mapped along; cat needs no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """empty(shape) filled."""
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    out[:] = right_answer(x, height, width, base)
    return out


@wrong(
    "The result is right, but a Python loop runs over rows, columns or tokens. All angles can be made at once.",
    craft=True,
)
def loop_over_tokens(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """One token after the other."""
    valid(x, height, width)
    if not x.shape[-2]:
        return x.clone()
    cos, sin = tables(x, height, width, base)
    return torch.cat([turn(x[..., t : t + 1, :], cos[t], sin[t]) for t in range(x.shape[-2])], -2).to(x.dtype)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_complex_numbers(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """A product of complex numbers."""
    valid(x, height, width)
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    quarter = x.shape[-1] // 4
    frequency = torch.exp(torch.arange(quarter, dtype=wide.dtype, device=x.device) * (-math.log(base) / quarter))
    row = torch.arange(height, dtype=wide.dtype, device=x.device)[:, None].expand(height, width).reshape(-1, 1)
    column = torch.arange(width, dtype=wide.dtype, device=x.device).expand(height, width).reshape(-1, 1)
    turned = []
    for part, place in zip(wide.chunk(2, -1), (row, column), strict=True):
        angle = place * frequency
        z = torch.complex(*part.chunk(2, -1)) * torch.polar(torch.ones_like(angle), angle)
        turned += [z.real, z.imag]
    return torch.cat(turned, -1).to(x.dtype)


@accepted
def by_an_image(x: Tensor, height: int, width: int, base: float = 10000.0) -> Tensor:
    """x as a grid, its parts turned by problem 29's rotation along one axis each."""
    valid(x, height, width)
    wide, part = torch.promote_types(x.dtype, torch.float32), x.shape[-1] // 2
    frequency = 1.0 / base ** (torch.arange(0, part, 2, dtype=wide, device=x.device) / part)
    rows, columns = x.unflatten(-2, (height, width)).chunk(2, -1)

    def turned(y: Tensor, angle: Tensor) -> Tensor:
        a, b = y.chunk(2, -1)
        return y * torch.cat([angle, angle], -1).cos() + torch.cat([-b, a], -1) * torch.cat([angle, angle], -1).sin()

    down = torch.arange(height, dtype=wide, device=x.device)[:, None, None] * frequency
    along = torch.arange(width, dtype=wide, device=x.device)[:, None] * frequency
    return torch.cat([turned(rows, down), turned(columns, along)], -1).flatten(-3, -2).to(x.dtype)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint("Write down row and column of the tokens 0 … 5 in a grid of 2 by 3. What do you divide by, height or width?"),
    hint(
        "See the two halves of a head as two heads of D/2 channels. What does problem 29 do to each, and by which "
        "position?"
    ),
    hint(
        "Test with 3 by 5 tokens and 8 channels: square grids and heads of 4 channels hide most of what can go wrong."
    ),
    hint(
        "Let every token be [1, 0, 1, 0] on a grid of 2 by 3, and compare with the statement's table, line by line.",
        "columns_read_first",
        "height_and_width_exchanged",
        "square_grid_assumed",
        "parts_exchanged",
        "row_twice",
        "column_twice",
        "flat_index",
        "token_number_for_the_column",
        "row_with_a_fraction",
        "row_and_column_added",
        "grid_ignored",
        "counted_from_one",
        "centred",
        "scaled_to_the_grid",
    ),
    hint(
        "Let a token in row 1 and column 0 be 1 in channel 0 and 0 elsewhere, with D = 8. Which channels are not 0 "
        "afterwards, and which should be?",
        "pairs_across_the_head",
        "partners_from_the_other_part",
        "interleaved",
        "reads_halves_writes_neighbours",
        "angles_repeated_for_neighbours",
    ),
    hint(
        "Print the frequencies for D = 8 and base 10000, once for each part. The statement names them.",
        "exponent_over_the_whole_head",
        "exponent_lacks_the_two",
        "exponent_doubled",
        "columns_get_the_slow_frequencies",
        "one_frequency_for_all",
    ),
]

QUIZ = [
    question(
        "A model for text with rotary embeddings reads an image of 16 by 16 patches line by line. What does it get "
        "wrong?",
        right(
            "A patch and the one below it are 16 positions apart",
            "As far as two patches at both ends of a line. Distance on the grid is lost.",
        ),
        wrong_choice(
            "Nothing: the order of tokens says it all", "It can be learned from, but distance is not the grid's."
        ),
        wrong_choice("256 positions are too many", "There is no longest text for a rotation."),
        wrong_choice("Patches of one column can't be told apart", "All 256 positions differ."),
    ),
    question(
        "Two queries and keys are equal. The keys stand 2 rows below and 1 column right of their queries. What "
        "follows?",
        right(
            "They score the same, wherever they stand", "Only the difference of rows and of columns is left in a score."
        ),
        wrong_choice("The score falls with the distance from the corner", "Common shifts cancel."),
        wrong_choice("They score the same only in one line", "Rows cancel like columns."),
        wrong_choice(
            "Only the distance √5 counts", "Rows and columns have channels of their own; nothing knows lengths."
        ),
    ),
    question(
        "Your function passes all tests on images of 14 by 14. Which mistake may be left?",
        right("Height and width exchanged", "On square grids both are the same number."),
        wrong_choice("Rows and columns exchange parts", "That shows on any grid with more than one token."),
        wrong_choice("Columns are never used", "Tokens of a line would be turned alike."),
        wrong_choice("The sine lacks its minus", "The lengths of pairs would change."),
    ),
    question(
        "D is 64. How many different frequencies are there, and how many pairs?",
        right("16 frequencies, 32 pairs", "Each part has 32 channels and 16 pairs; both parts use the same 16."),
        wrong_choice("32 frequencies, 32 pairs", "That is a head of problem 29."),
        wrong_choice("64 frequencies, one for each channel", "Members of a pair turn together."),
        wrong_choice("16 frequencies, 16 pairs", "That is one part; there are two."),
    ),
    question(
        "The image has a single line. What does the function do?",
        right(
            "It leaves the first half of each head alone, and turns the second by the column",
            "All tokens stand in row 0.",
        ),
        wrong_choice("The same as problem 29", "Half of the channels don't turn, and there are fewer frequencies."),
        wrong_choice("It raises ValueError", "A line is a grid like any other."),
        wrong_choice("It turns both halves by the column", "The row's half has the row for its position, which is 0."),
    ),
]
