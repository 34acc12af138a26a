"""How learned_positional_embedding is graded: row by row, one position at a time, is the reference."""

SECTION = "Positions"
LEVEL = 1
AFTER = (18,)
VERSION = 2
FORBIDS = (
    "torch.nn.functional.embedding",
    "torch.nn.functional.embedding_bag",
    "torch.nn.Embedding",
    "torch.embedding",
)
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

SIZES = ((2, 5, 3, 9), (4, 2, 6, 7), (3, 7, 5, 12))  # batch, seq, d_model, max_len

# A sum of two numbers is rounded once, by u of itself. A row's gradient is a sum over the batch, at most 8 terms here:
# 16u of 1 + |sum|, and the same for the reference in float64.
close = within(
    {torch.float64: 32 * 2.0**-53, torch.float32: 16 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)


# ── The reference, with a knob for everything that can be done the wrong way ────────────────────────────────────────


def reference(
    x: Tensor,
    table: Tensor,
    start: int = 0,
    *,
    below: bool = True,
    beyond: bool = True,
    rows: str = "from start",
    axis: str = "seq",
    how: str = "added",
    gain: float = 1.0,
    result: str = "x",
) -> Tensor:
    """Token after token, with its own row: (batch, seq, d_model) of float64."""
    batch, seq, width = x.shape
    if (below and start < 0) or (beyond and start + seq > table.shape[0]):
        raise ValueError("no such rows")
    x, table = x.double(), table.double() * gain
    n = batch if axis == "batch" else seq
    used = _rows(table, start, n, rows)
    used = used[:, None] if axis == "batch" else used
    if how == "added" and rows == "from start" and axis == "seq" and used.shape[0] == seq and seq:
        summed = torch.stack([x[:, i] + table[start + i] for i in range(seq)], 1)
    else:
        summed = {
            "added": lambda: x + used,
            "subtracted": lambda: x - used,
            "multiplied": lambda: x * used,
            "replaced": lambda: used.expand(x.shape) + 0 * x,
            "twice": lambda: x + 2 * used,
            "scaled": lambda: x * width**0.5 + used,
            "joined": lambda: torch.cat([x, used.expand(x.shape)], -1),
        }[how]()
    return summed.flatten(0, 1) if result == "merged" else summed


def _rows(table: Tensor, start: int, n: int, rows: str) -> Tensor:
    match rows:
        case "from 0":
            return table[:n]
        case "one further":
            return table[start + 1 : start + 1 + n]
        case "one behind":
            return table[max(start - 1, 0) : max(start - 1, 0) + n]
        case "start alone":
            return table[start : start + 1]
        case "last alone":
            return table[start + n - 1 : start + n]
        case "the last ones":
            return table[table.shape[0] - n :]
        case "to the end":
            return table[start:]
        case "up to seq":
            return table[start:n]
        case "backwards":
            return table[start : start + n].flip(0)
        case "in circles":
            return table[(torch.arange(n, device=table.device) + start) % max(table.shape[0], 1)]
        case "held at the end":
            return table[(torch.arange(n, device=table.device) + start).clamp(0, table.shape[0] - 1)]
        case "counted in calls":
            return table[start * n : start * n + n]
    return table[start : start + n]


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(draw: Draw, size: tuple[int, ...], dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    """Tokens and a table."""
    b, s, d, n = size
    return draw.normal(b, s, d, dtype=dtype), draw.normal(n, d, dtype=dtype)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`."""
    for size in SIZES:
        x, table = drawn(draw, size)
        yield call(x, table, like=x)


@check(points=1, explains=True)
def same_for_every_text(draw: Draw) -> Checking:
    """What is added depends on the position alone: it is the same for every text, and a row of the table."""
    x, table = drawn(draw, (3, 4, 5, 9))
    y = yield call(x, table, start=2, like=x)
    added = y.double() - x.double()
    if at := apart(added, added[:1], 1e-5):
        b, i, c = at
        raise Failed(
            f"at token {i} text {b} gets {added[b, i, c]:.6g} added in channel {c}, text 0 {added[0, i, c]:.6g}"
        )
    for i in range(4):
        near = (table.double() - added[0, i]).abs().amax(-1)
        if not bool((near <= 1e-5).any()):
            raise Failed(f"what is added to token {i} is no row of the table")
        if int(near.argmin()) != 2 + i:
            raise Failed(f"with start 2, token {i} gets row {int(near.argmin())} of the table, and not row {2 + i}")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """`x` and `table` keep their values."""
    x, table = drawn(draw, SIZES[0])
    yield from inputs_kept(call(x, table, start=1, like=x), "x", "table")


@check(points=4)
def values(draw: Draw) -> Checking:
    """From position 0 on the right rows are added, for sizes that all differ."""
    for size in SIZES:
        yield call(*drawn(draw, size), want=reference)
        yield call(*drawn(draw, size), start=0, want=reference)


@check(points=3)
def starts(draw: Draw) -> Checking:
    """With a `start` the rows begin there, up to the very end of the table."""
    for b, s, d, n in SIZES:
        for start in (1, 2, n - s):
            yield call(*drawn(draw, (b, s, d, n)), start=start, want=reference)


@check(points=1)
def all_sizes_equal(draw: Draw) -> Checking:
    """Rows belong to positions, also when batch, seq and d_model are equal and any axis would fit."""
    yield call(*drawn(draw, (4, 4, 4, 4)), want=reference)
    yield call(*drawn(draw, (4, 4, 4, 9)), start=3, want=reference)


@check(points=1)
def one_token(draw: Draw) -> Checking:
    """A single new token gets the row at `start`, the last one included."""
    for start in (0, 3, 8):
        yield call(*drawn(draw, (2, 1, 5, 9)), start=start, want=reference)


@check(points=1)
def empty(draw: Draw) -> Checking:
    """No token and no text are fine, also with `start` at the end of the table."""
    yield call(*drawn(draw, SIZES[0]), want=reference)
    for size, start in (((2, 0, 3, 6), 0), ((2, 0, 3, 6), 4), ((2, 0, 3, 6), 6), ((0, 4, 3, 6), 1), ((2, 0, 3, 0), 0)):
        yield call(*drawn(draw, size), start=start, want=reference)


@check(points=2)
def beyond_the_table(draw: Draw) -> Checking:
    """A token without a row raises ValueError, also when a single row is left."""
    yield call(*drawn(draw, (2, 4, 3, 9)), start=5, want=reference)
    for size, start in (((2, 4, 3, 9), 6), ((2, 4, 3, 9), 8), ((2, 4, 3, 9), 9), ((2, 10, 3, 9), 0), ((2, 1, 3, 9), 9)):
        yield call(*drawn(draw, size), start=start, raises=ValueError)
    yield call(*drawn(draw, (2, 0, 3, 9)), start=10, raises=ValueError)


@check(points=1)
def below_the_table(draw: Draw) -> Checking:
    """A negative `start` raises ValueError: rows are not counted from the end."""
    yield call(*drawn(draw, (2, 4, 3, 9)), start=0, want=reference)
    for start in (-1, -4, -6):
        yield call(*drawn(draw, (2, 4, 3, 9)), start=start, raises=ValueError)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`x` and `table` may be transposed, sliced or expanded views."""
    x, table = drawn(draw, SIZES[0])
    yield call(x, table, start=2, want=reference)
    yield call(draw.normal(5, 2, 3).transpose(0, 1), draw.normal(3, 9).T, start=2, want=reference)
    yield call(draw.normal(2, 10, 7)[:, ::2, 1::2], draw.normal(18, 3)[1::2], start=2, want=reference)
    yield call(draw.normal(1, 5, 3).expand(2, 5, 3), draw.normal(1, 3).expand(9, 3), start=2, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach `x` and the table: used rows get the sum over the batch, unused ones zeros."""
    for size, start in ((SIZES[0], 2), (SIZES[1], 0), (SIZES[2], 5)):
        yield call(*drawn(draw, size), start=start, cotangent=draw.normal(*size[:3]), want=reference)


@check(points=1)
def another_call_later(draw: Draw) -> Checking:
    """What a call does depends on its arguments alone."""
    x, table = drawn(draw, (2, 3, 4, 9))
    for given, start in ((table, 0), (table, 3), (draw.normal(9, 4), 3), (table, 3), (table, 0)):
        yield call(x, given, start=start, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The result has the dtype of `x`, whatever the table's is."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        x, table = drawn(draw, SIZES[0], dtype)
        yield call(x, table, start=1, like=x)
        yield call(x, table.float(), start=1, like=x)
        yield call(x, table.double(), start=1, like=x)


@check(craft=True)
def precision(draw: Draw) -> Checking:
    """Sums are right to the last digits in every dtype, and made in the wider one where the two differ."""
    for dtype in (torch.float64, torch.bfloat16, torch.float16):
        yield call(*drawn(draw, SIZES[2], dtype), start=3, want=reference)
    for one, other in ((torch.float64, torch.float32), (torch.float32, torch.bfloat16), (torch.float32, torch.float64)):
        x, table = draw.normal(2, 5, 3, dtype=one), draw.normal(9, 3, dtype=other)
        yield call(x, table, start=1, want=reference)
    for dtype, size in ((torch.bfloat16, 64), (torch.float16, 1024)):  # sums of what a cast would have rounded away
        b, s, d, n = SIZES[0]
        table = size * draw.normal(n, d)
        yield call(-table[1 : 1 + s].to(dtype).expand(b, s, d), table, start=1, want=reference)


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `x`, and no number leaves it."""
    x, table = drawn(draw, SIZES[0])
    yield from on_one_device(draw, call(x, table, start=1, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    yield call(*drawn(draw, SIZES[0]), start=1, want=reference)
    yield call(draw.normal(3, 2, 4, 5), draw.normal(3, 7, 5), start=2, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(*drawn(draw, (2, n, 3, 30)), start=2, want=reference) for n in (8, 24)}
    yield from no_loop_over("positions", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "start_ignored",
        "`start` is not used: the rows always begin with row 0. While a model writes, every new token would claim "
        "to be the first.",
        rows="from 0",
    ),
    mistake(
        "one_row_too_far",
        "Every token gets the row behind its own, as if positions were counted from 1. Token 0 with `start` 0 gets "
        "row 0.",
        rows="one further",
    ),
    mistake(
        "one_row_behind",
        "Every token gets the row before its own. `start` is the number of tokens already read, and counting begins "
        "with 0: the next token gets row `start`.",
        rows="one behind",
    ),
    mistake(
        "one_row_for_all",
        "All tokens of a call get the row at `start`: their order among themselves is lost. Look for an index where "
        "a slice belongs.",
        rows="start alone",
    ),
    mistake(
        "last_row_for_all",
        "All tokens of a call get the row of the last one. Each has a row of its own.",
        rows="last alone",
    ),
    mistake(
        "last_rows_of_the_table",
        "The last rows of the table are added, whatever `start` is. Token i gets row start + i.",
        rows="the last ones",
    ),
    mistake(
        "table_not_cut",
        "All rows from `start` to the end of the table are added. That fits only when the text ends where the table "
        "ends; a single token is even spread over all of them. Take as many rows as there are tokens.",
        rows="to the end",
    ),
    mistake(
        "slice_ends_at_seq",
        "The slice runs from `start` to seq, but its second number is an *end*, not a length: too few rows are "
        "left, or none. It ends at start + seq.",
        rows="up to seq",
    ),
    mistake(
        "rows_backwards",
        "The rows are added in reverse: the last token gets row `start`. The first one does.",
        rows="backwards",
    ),
    mistake(
        "rows_in_circles",
        "Beyond the end the table is read again from its beginning, so tokens without a row get that of another "
        "position silently. The caller has made a mistake: raise ValueError.",
        rows="in circles",
        beyond=False,
        below=False,
    ),
    mistake(
        "rows_held_at_the_end",
        "Positions outside of the table get its first or last row silently. The caller has made a mistake: raise "
        "ValueError.",
        rows="held at the end",
        beyond=False,
        below=False,
    ),
    mistake(
        "start_counts_calls",
        "`start` is multiplied by seq, as if it counted calls or chunks. It counts tokens.",
        rows="counted in calls",
    ),
    mistake(
        "rows_along_the_batch",
        "The rows run along the batch: each text gets one row, and all its tokens the same. Rows belong to "
        "positions, the second axis of `x`.",
        axis="batch",
    ),
    mistake("subtracted", "The rows are subtracted. They are added.", how="subtracted"),
    mistake(
        "multiplied",
        "Tokens are multiplied by their rows. They are added: a row near 0 would otherwise wipe its token out.",
        how="multiplied",
    ),
    mistake(
        "tokens_left_out",
        "What comes back are the rows alone, for every text. They are added *to the tokens*.",
        how="replaced",
    ),
    mistake("added_twice", "The rows are added twice.", how="twice"),
    mistake(
        "tokens_scaled",
        "Tokens are multiplied by √d_model before the rows are added. Some models do that (the first Transformer); "
        "here it is not asked for.",
        how="scaled",
    ),
    mistake(
        "joined_instead_of_added",
        "The rows stand behind the tokens' channels, which makes the result twice as wide. They are added, channel "
        "by channel.",
        how="joined",
    ),
    mistake(
        "batch_and_seq_merged",
        "Batch and positions are merged to one axis in the result. It has the shape of `x`.",
        result="merged",
    ),
    mistake(
        "end_not_checked",
        "Positions beyond the table are not refused. A slice is silently shorter there: mostly the sum fails with "
        "another error, and where a single row is left it is spread over all tokens. Compare start + seq with the "
        "table's length first.",
        beyond=False,
    ),
    mistake(
        "negative_start_accepted",
        "A negative `start` is taken as it comes, and Python counts it from the end of the table: rows of other "
        "positions are added, or none are left. Raise ValueError.",
        below=False,
    ),
]


def valid(x: Tensor, table: Tensor, start: int) -> None:
    """What every answer refuses."""
    if start < 0 or start + x.shape[1] > table.shape[0]:
        raise ValueError("no such rows")


def right_answer(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """What an answer does."""
    valid(x, table, start)
    return (x + table[start : start + x.shape[1]]).to(x.dtype)


@wrong(
    "Nothing is refused: neither a start below 0 nor an end beyond the table. Slices never complain; they become "
    "shorter, count from the end, or leave a single row that is spread over all tokens. Compare first, and raise "
    "ValueError."
)
def nothing_refused(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """Whatever the slice gives."""
    return (x + table[start : start + x.shape[1]]).to(x.dtype)


@wrong(
    "Positions beyond the table raise IndexError, which indexing does by itself, and negative ones are counted from "
    "the end. ValueError is asked for, for both: compare first."
)
def refused_by_indexing(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """table[positions], unchecked."""
    return (x + table[torch.arange(start, start + x.shape[1], device=x.device)]).to(x.dtype)


@wrong(
    "A negative `start` is counted from the end of the table, as an index is, and tokens get rows of other positions "
    "silently. The caller has made a mistake: raise ValueError."
)
def negative_start_indexed(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """table[positions], with a check of the end alone."""
    if start + x.shape[1] > table.shape[0]:
        raise ValueError("no such rows")
    return (x + table[torch.arange(start, start + x.shape[1], device=x.device)]).to(x.dtype)


@wrong(
    "An empty text is not checked at all: it comes back even where `start` lies beyond the table. The caller has made "
    "a mistake there, too."
)
def empty_text_not_checked(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """An early return."""
    return right_answer(x, table, start) if x.numel() else x.clone()


@wrong(
    "x is rounded to the dtype of the table before anything is added. The sum is made in the wider of the two.",
    craft=True,
)
def tokens_rounded_first(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """x.to(table.dtype)."""
    return right_answer(x.to(table.dtype), table, start).to(x.dtype)


@wrong(
    "The table is rounded to the dtype of x before anything is added. The sum is made in the wider of the two and "
    "rounded once, at the end.",
    craft=True,
)
def table_rounded_first(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """table.to(x.dtype)."""
    return right_answer(x, table.to(x.dtype), start)


@wrong(
    "Positions beyond the table raise IndexError, which indexing does by itself. ValueError is asked for: compare "
    "start + seq with the table's length first."
)
def end_refused_by_indexing(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """table[positions], with a check of the start alone."""
    if start < 0:
        raise ValueError("start")
    if start + x.shape[1] > table.shape[0] and not x.shape[1]:
        return x.clone()
    return (x + table[torch.arange(start, start + x.shape[1], device=x.device)]).to(x.dtype)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O nothing is checked at "
    "all. ValueError is asked for."
)
def refused_by_assert(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """assert instead of raise."""
    assert start >= 0
    assert start + x.shape[1] <= table.shape[0]
    return right_answer(x, table, start)


@wrong(
    "The last row of the table can't be reached: start + seq equal to max_len is refused, although every token has "
    "a row. The end of a slice is not part of it."
)
def last_row_refused(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """>= in place of >."""
    if start < 0 or start + x.shape[1] >= table.shape[0]:
        raise ValueError("no such rows")
    return right_answer(x, table, start)


@wrong(
    "An empty text at the end of the table is refused. With seq 0 no row is needed, so `start` may be equal to "
    "max_len: it is start + seq that must not be larger."
)
def empty_text_at_the_end_refused(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """start >= max_len is refused."""
    if start >= table.shape[0]:
        raise ValueError("no such rows")
    return right_answer(x, table, start)


@wrong(
    "`x` itself is changed: += (or add_) writes into it, and the caller still needs the tokens as they were. Make a "
    "new tensor."
)
def added_into_x(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """The sum stored in x."""
    summed = right_answer(x, table, start)
    with torch.no_grad():
        x.copy_(summed.detach())
    return summed


@wrong(
    "No gradient reaches the table: .data, detach, torch.no_grad or a copy made of numbers has cut it off, so its "
    "rows would never be trained."
)
def table_cut_off(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """table.detach()."""
    return right_answer(x, table.detach(), start)


@wrong("No gradient reaches `x` or the table: .data, detach or torch.no_grad has cut the result off from both.")
def graph_cut(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """Detached."""
    return right_answer(x, table, start).detach()


@wrong(
    "A negative `start` is silently taken for 0. No text begins before its first token: the caller has made a "
    "mistake, and a ValueError is asked for."
)
def negative_start_taken_for_zero(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """max(start, 0)."""
    return right_answer(x, table, max(start, 0))


@wrong(
    "A text that is too long for the table is cut short, and fewer tokens come back than went in. The caller would "
    "lose them without noticing: raise ValueError."
)
def text_cut_to_the_table(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """x cut to what has rows."""
    if start < 0:
        raise ValueError("start")
    rows = table[start : start + x.shape[1]]
    return (x[:, : rows.shape[0]] + rows).to(x.dtype)


@wrong(
    "Only the last token of a call gets its row, as if the others had got theirs before. All tokens of a call are new."
)
def last_token_only(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """The others as they were."""
    return torch.cat([x[:, :-1], right_answer(x, table, start)[:, -1:]], 1)


@wrong(
    "Rows taken in an earlier call are kept and added again, although another table was handed over (as after a "
    "training step). There is nothing to keep: a slice costs nothing.",
    fresh=True,
)
def rows_of_an_earlier_call() -> Callable[..., Tensor]:
    """A cache by start and length."""
    kept: dict[tuple[int, int], Tensor] = {}

    def answer(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
        valid(x, table, start)
        end = start + x.shape[1]
        return (x + kept.setdefault((start, end), table[start:end])).to(x.dtype)

    return answer


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "A bfloat16 x and a float32 table give float32. The next layer gets another dtype than it expects. Cast the sum "
    "to the dtype of x.",
    craft=True,
)
def comes_back_wide(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """No cast at the end."""
    valid(x, table, start)
    return x + table[start : start + x.shape[1]]


@wrong("Whatever goes in, float32 comes out. Cast back to the dtype of x, not to a fixed one.", craft=True)
def always_float32(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """Cast to float32."""
    return right_answer(x, table, start).float()


@wrong(
    "float64 inputs are added in float32 and lose half of their digits. float32 is not the widest dtype.", craft=True
)
def float64_cut_to_float32(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """x.float()."""
    return right_answer(x.float(), table.float(), start).to(x.dtype)


@wrong(
    "x or the table is brought to the CPU, or numbers are taken out of them (.cpu(), .tolist(), .item()). On a GPU "
    "that stops everything. The sum can be made where x is.",
    craft=True,
)
def brought_to_the_cpu(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """.cpu() and back."""
    return right_answer(x.cpu(), table.cpu(), start).to(x.device)


@wrong(
    "Positions (or a buffer) are made without saying where, on the CPU. Pass the device of x to every factory; a "
    "slice needs none.",
    craft=True,
)
def made_without_device(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """arange without a device."""
    valid(x, table, start)
    return (x + table[torch.arange(start, start + x.shape[1])]).to(x.dtype)


@wrong(
    "The result is written into a tensor made from a shape alone. Under vmap x stands for many tensors and that one "
    "for a single one. empty_like is mapped along; a sum needs no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """zeros(shape) filled."""
    out = torch.zeros(x.shape, dtype=x.dtype, device=x.device)
    out[:] = right_answer(x, table, start)
    return out


@wrong(
    "The result is right, but a Python loop runs over the positions. One sum with a slice does it at once.", craft=True
)
def loop_over_positions(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """One token after the other."""
    valid(x, table, start)
    if not x.shape[1]:
        return x.clone()
    return torch.stack([x[:, i] + table[start + i] for i in range(x.shape[1])], 1).to(x.dtype)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_index(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """Rows by a tensor of positions, expanded for the batch."""
    valid(x, table, start)
    positions = torch.arange(x.shape[1], device=x.device) + start
    return (x + table.index_select(0, positions).unsqueeze(0).expand_as(x)).to(x.dtype)


@accepted
def by_one_hot(x: Tensor, table: Tensor, start: int = 0) -> Tensor:
    """A product with one-hot rows, exact since only ones and zeros are multiplied in."""
    valid(x, table, start)
    positions = torch.arange(start, start + x.shape[1], device=x.device)
    chosen = (positions[:, None] == torch.arange(table.shape[0], device=x.device)).to(table.dtype)
    return (x + chosen @ table).to(x.dtype)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Write down which rows of the table three tokens get with start 4. That is a slice; what are its two numbers?"
    ),
    hint(
        "x is (batch, seq, d_model), the rows are (seq, d_model). Does broadcasting do the right thing, or is an "
        "axis missing?"
    ),
    hint(
        "What does a slice give that reaches beyond the end of the table, or starts below 0? Try it: slices never "
        "complain."
    ),
    hint(
        "Let x be zeros and look at what comes back: it should be rows of the table. Which ones are they?",
        "start_ignored",
        "one_row_too_far",
        "one_row_behind",
        "one_row_for_all",
        "last_row_for_all",
        "last_rows_of_the_table",
        "rows_backwards",
        "rows_along_the_batch",
        "start_counts_calls",
    ),
    hint(
        "A slice's second number is where it ends. With start 4 and three tokens, where is that?",
        "slice_ends_at_seq",
        "table_not_cut",
    ),
    hint(
        "Take a table of 9 rows and 4 tokens. Which values of start are allowed? Try -1, 5, 6 and 8, and with no "
        "token 9 and 10.",
        "end_not_checked",
        "negative_start_accepted",
        "nothing_refused",
        "refused_by_indexing",
        "end_refused_by_indexing",
        "refused_by_assert",
        "last_row_refused",
        "empty_text_at_the_end_refused",
        "rows_in_circles",
        "rows_held_at_the_end",
    ),
]

QUIZ = [
    question(
        "A table has 512 rows, and a text of 600 tokens comes. What is right?",
        right(
            "An error: 88 tokens have no vector", "Nothing was ever learned for them, and any vector would be made up."
        ),
        wrong_choice("The last row is used for the rest", "88 tokens would all claim to be the 512th."),
        wrong_choice("The table is read again from its beginning", "Token 513 would look like the first one."),
        wrong_choice("It works, only less well", "That is so for sinusoids, which have a value everywhere."),
    ),
    question(
        "32 texts of 10 tokens are trained on. What gradient does row 3 of the table get?",
        right(
            "The sum of what arrives at position 3 in all 32 texts",
            "The row was added 32 times, so 32 gradients add up.",
        ),
        wrong_choice("The mean of the 32", "Averaging, if any, is the loss's business."),
        wrong_choice("That of the first text", "All texts used the row."),
        wrong_choice("None: an index can't be differentiated", "The index can't, but the row that it picks can."),
    ),
    question(
        "x + table[start : start + seq] with max_len 9, start 8 and seq 4 gives no error. Why?",
        right(
            "The slice has one row, and one row broadcasts over four tokens",
            "All four get row 8, silently. That is why the end is to be checked first.",
        ),
        wrong_choice("The slice is filled up with zeros", "Slices are never filled up; they become shorter."),
        wrong_choice("Slices begin again at the front", "They don't; the modulo of an index would."),
        wrong_choice("It does give an error", "It would for two or three rows left, but not for one."),
    ),
    question(
        "Compared with sinusoids, what does a learned table cost and give?",
        right(
            "max_len · d_model parameters and a fixed longest text, for vectors that fit the data",
            "Measured on texts within the trained length the two are about as good.",
        ),
        wrong_choice("Nothing; it is better in every way", "It costs parameters and has an end."),
        wrong_choice(
            "More time: looking up is slower than sine and cosine", "Both are tables, made or read once a call."
        ),
        wrong_choice("It makes attention relative", "Scores depend on both rows; nothing ties them to the offset."),
    ),
    question(
        "Most training texts have 100 tokens, a few have 2000. What about row 1900?",
        right(
            "It was trained rarely and is close to its first random values",
            "Each row learns only from texts that reach it.",
        ),
        wrong_choice("It was trained as well as all others", "Unused rows get a gradient of zeros."),
        wrong_choice("It is a continuation of the rows before", "Nothing ties neighbouring rows together."),
        wrong_choice("It is zero", "It keeps what it was initialised with, unless weight decay shrinks it."),
    ),
]
