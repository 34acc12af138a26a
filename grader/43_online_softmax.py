"""How online_softmax is graded: the whole row, with Python's exp and an exact sum, is the reference."""

SECTION = "Efficient inference"
LEVEL = 3
AFTER = (7, 8)
VERSION = 2
FORBIDS = (
    "torch.logsumexp",
    "torch.logaddexp",
    "torch.logcumsumexp",
    "torch.softmax",
    "torch.log_softmax",
    "torch.special",
    "Tensor.logsumexp",
    "Tensor.logaddexp",
    "Tensor.logcumsumexp",
    "Tensor.softmax",
    "Tensor.log_softmax",
)
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Iterable

import torch
from torch import Tensor

from kata.author import (
    Blocks,
    Checking,
    Draw,
    Failed,
    accepted,
    call,
    check,
    hint,
    mistake,
    no_loop_over,
    nothing_noted,
    on_one_device,
    question,
    right,
    within,
    wrong,
    wrong_choice,
)

Pair = tuple[Tensor, Tensor]
INF = math.inf
SIZES = (((2, 3), (4, 1, 5)), ((), (3, 2)), ((5,), (1, 1, 1, 1)), ((3, 2), (7,)), ((4,), (2, 6, 3, 1, 5)))
TERMS = 64  # no row of a check with float32 or float64 blocks is longer, nor has more blocks
STALL = 256  # where a bfloat16 sum stands still: 256 + 1 is 256 there

# Every term is positive, so an honest sum of n terms over K blocks is off by at most (n + K + 8) · u relative
# to itself: n for the additions, K for the factors, 8 for exp and for rounding x − m (an error of u · d meets a
# weight exp(−d), and d · exp(−d) < 1). Half precision is rounded once, after a float32 sum: u; twice that is
# allowed.
ROUNDINGS = 2 * TERMS + 8
close = within(
    {
        torch.float64: ROUNDINGS * 2.0**-53,
        torch.float32: ROUNDINGS * 2.0**-24,
        torch.float16: 2 * 2.0**-11,
        torch.bfloat16: 2 * 2.0**-8,
    }
)


def reference(
    blocks: Iterable[Tensor],
    *,
    factor: str = "",
    subtract: str = "",
    start: float = -INF,
    guard: bool = True,
    total: str = "",
    results: str = "",
    nothing: str = "",
    empty: str = "",
    dtype: str = "",
) -> Pair:
    """Maximum and exactly rounded sum of each whole row; with a knob turned, the one-pass form gone wrong."""
    if factor or subtract or start == 0.0 or not guard or total or results or nothing or empty or dtype:
        return streamed(blocks, factor, subtract, start, guard, total, results, nothing, empty, dtype)
    rows = [block.double().clone() for block in blocks]  # cloned: the iterator spoils them
    if not rows:
        raise ValueError("no block")
    row = torch.cat(rows, -1)
    m, sums = [], []
    for entries in row.reshape(row.shape[:-1].numel(), row.shape[-1]).tolist():
        m.append(max(entries, default=-INF))
        sums.append(math.fsum(math.exp(x - m[-1]) for x in entries if x > -INF))
    return tuple(torch.tensor(part, dtype=torch.float64).reshape(row.shape[:-1]) for part in (m, sums))  # type: ignore[return-value]


def streamed(
    blocks: Iterable[Tensor],
    factor: str,
    subtract: str,
    start: float,
    guard: bool,
    total: str,
    results: str,
    nothing: str,
    empty: str,
    dtype: str,
) -> Pair:
    """Block by block, as the mistakes are made."""
    m = sums = None
    kept = torch.float32
    for block in blocks:
        kept = block.dtype
        block = block.double() if not dtype or (dtype == "blocks" and kept == torch.float64) else block
        block = block.float() if dtype in ("float32", "through float32") else block
        if m is None or sums is None:
            m, sums = block.new_full(block.shape[:-1], start), block.new_zeros(block.shape[:-1])
        seeable = block.shape[-1] or empty == "refused"
        top = block.amax(-1) if seeable else block.new_full(block.shape[:-1], -INF)
        top = torch.full_like(top, top.max()) if subtract == "one for all rows" and top.numel() else top
        new = torch.maximum(m, top)
        seen = {"block": top, "nothing": torch.zeros_like(new)}.get(subtract, new)
        sums = sums * _factor(factor, m, new, guard) if subtract != "nothing" else sums
        added = (block - (seen.masked_fill(seen == -INF, 0.0) if guard else seen)[..., None]).exp().sum(-1)
        sums = added if total == "last block" else sums + added
        m = new
    if m is None or sums is None:
        return _nothing(nothing)
    sums = sums * (-m).exp() if total == "shifted at the end" else sums
    m, sums = (m, m + sums.log()) if results == "logsumexp" else (sums, m) if results == "swapped" else (m, sums)
    return (m.to(kept), sums.to(kept)) if dtype == "through float32" else (m, sums)


def _factor(factor: str, old: Tensor, new: Tensor, guard: bool) -> Tensor:
    """What the old sum is multiplied by."""
    if factor == "missing":
        return torch.ones_like(new)
    moved = {"late": new - new, "inverted": new - old, "inverted from -inf": new - old}.get(factor, old - new)
    if factor == "inverted from -inf":
        return moved.exp().masked_fill(new == -INF, 1.0) if guard else moved.exp()
    safe = moved.masked_fill(old == -INF, 0.0) if factor == "inverted" or guard else moved
    return safe.exp()


def _nothing(nothing: str) -> Pair:
    if nothing == "none":
        return None, None  # type: ignore[return-value]
    if nothing == "stop":
        raise StopIteration
    if nothing == "scalars":
        return torch.tensor(-INF, dtype=torch.float64), torch.tensor(0.0, dtype=torch.float64)
    raise ValueError("no block")


def blocks_of(draw: Draw, lead: tuple[int, ...], widths: tuple[int, ...], spread: float = 2.0) -> Blocks:
    """Blocks whose rows lie at different levels and whose maximum rises and falls from block to block."""
    level = draw.normal(*lead, 1) * spread
    return telling(tuple(level + draw.normal(*lead, 1) + draw.normal(*lead, n) for n in widths))


def telling(blocks: tuple[Tensor, ...]) -> Blocks:
    """The blocks, changed so that no mistake about maxima is right by chance, whatever was drawn: every second row has
    its largest entry in the last block and the others in the first, by 1, and the first row is below 0 throughout."""
    full = [block for block in blocks if block.shape[-1]]
    if full:
        peak = torch.cat(full, -1).amax(-1) + 1  # lead
        falls = torch.arange(peak.numel()).reshape(peak.shape) % 2 == 1
        full[0][..., 0] = torch.where(falls, peak, full[0][..., 0])
        full[-1][..., -1] = torch.where(falls, full[-1][..., -1], peak)
        for block in full:
            block.view(-1, block.shape[-1])[0] -= peak.flatten()[0] + 0.5
    return Blocks(blocks)


def pair(lead: tuple[int, ...], dtype: torch.dtype = torch.float32) -> Pair:
    """Two tensors of the shape that must come back."""
    return torch.zeros(lead, dtype=dtype), torch.zeros(lead, dtype=dtype)


@check(points=1, explains=True)
def two_numbers_a_row(draw: Draw) -> Checking:
    """The result is a tuple (m, l) of two tensors without the last axis."""
    for lead, widths in (((2, 3), (4, 5)), ((), (3, 1)), ((4,), (2, 2, 2))):
        yield call(blocks_of(draw, lead, widths), like=pair(lead))


@check(points=1, explains=True)
def adds_up_to_the_logsumexp(draw: Draw) -> Checking:
    """m + ln l is the logarithm of the sum of exp over the whole row."""
    for lead, widths in (((3,), (4, 2, 5)), ((2, 4), (1, 6))):
        blocks = blocks_of(draw, lead, widths)
        m, total = yield call(blocks, like=pair(lead))
        want = torch.cat(blocks.blocks, -1).double().logsumexp(-1)
        came = m.double() + total.double().log()
        off = (came - want).abs().nan_to_num(INF)
        if off.max() > 1e-4:
            index = (off == off.max()).nonzero()[0].tolist()
            text = f"m + ln l is {came[tuple(index)]:.6g} at {index} where the logsumexp is {want[tuple(index)]:.6g}"
            raise Failed(text, index=index)


@check(points=1, explains=True)
def split_does_not_matter(draw: Draw) -> Checking:
    """The same rows give the same result however they are cut, and in whatever order the blocks come."""
    row = draw.normal(3, 12) * 3
    whole = yield call(Blocks((row,)), like=pair((3,)))
    for widths in ((4, 8), (1, 5, 2, 4), (1,) * 12):
        parts = tuple(part.clone() for part in row.split(widths, -1))
        for order, blocks in (("in order", parts), ("backwards", parts[::-1])):
            came = yield call(Blocks(blocks), like=pair((3,)))
            for name, one, other in zip(("m", "l"), came, whole, strict=True):
                if not torch.allclose(one.double(), other.double(), rtol=2e-5, atol=2e-5):
                    text = f"widths {widths} {order} give another {name} than one block of 12"
                    raise Failed(text, got=one[0].item(), want=other[0].item())


@check(points=4)
def values(draw: Draw) -> Checking:
    """Maximum and sum are right for several sizes, widths and numbers of blocks."""
    for lead, widths in SIZES:
        yield call(blocks_of(draw, lead, widths), want=reference)
    widths = tuple(draw.integer(1, 6) for _ in range(draw.integer(3, 7)))
    yield call(blocks_of(draw, (2, draw.integer(2, 5)), widths), want=reference)


@check(points=2)
def far_from_zero(draw: Draw) -> Checking:
    """Rows at −1000 and at +1000 neither vanish nor overflow, and neither do jumps between blocks."""
    level = torch.tensor([-1000.0, 1000.0, -90.0, 90.0])[:, None]
    yield call(Blocks(tuple(level + draw.normal(4, n) for n in (3, 1, 4))), want=reference)
    jumps = torch.tensor([[0.0, 500.0, -500.0], [3.0, 2.0, 1.0], [-300.0, 0.0, 0.5]])
    yield call(
        Blocks(tuple(jump[:, None] + draw.normal(3, n) for jump, n in zip(jumps.T, (2, 3, 2), strict=True))),
        want=reference,
    )


@check(points=2)
def masked_entries(draw: Draw) -> Checking:
    """Entries of −inf add nothing: in a row, in whole leading blocks, and in rows that have nothing else."""
    some = [draw.normal(4, n).masked_fill(draw.mask(4, n, share=0.3), -INF) for n in (3, 5, 2)]
    some[1][0, 0] = 0.0  # so that the first row has a number
    yield call(telling(tuple(some)), want=reference)
    leading = [torch.full((2, 3), -INF), torch.full((2, 1), -INF), draw.normal(2, 4), draw.normal(2, 2)]
    yield call(Blocks(tuple(leading)), want=reference)
    trailing = [draw.normal(2, 4), torch.full((2, 3), -INF)]
    yield call(Blocks(tuple(trailing)), want=reference)
    rows = [
        draw.normal(3, n).index_fill(0, torch.tensor([1]), -INF) for n in (2, 4)
    ]  # the row in the middle is all −inf
    yield call(Blocks(tuple(rows)), want=reference)


@check(points=1)
def empty_blocks(draw: Draw) -> Checking:
    """A block of width 0 changes nothing, wherever it comes."""
    for widths in ((3, 0, 2), (0, 4, 1), (2, 3, 0), (0, 0, 3), (0,), (0, 0)):
        yield call(blocks_of(draw, (2, 3), widths), want=reference)


@check(points=1)
def reads_each_block_once(draw: Draw) -> Checking:
    """Every block is drawn once and no block is needed after the next one was drawn."""
    for number in (2, draw.integer(9, 14)):
        widths = tuple(draw.integer(1, 4) for _ in range(number))
        reply = yield call(blocks_of(draw, (3,), widths), want=reference, whole=True)
        drawn = sum(use.count for use in reply.used if use.name == "blocks")
        if drawn != number:
            raise Failed(f"{drawn} of {number} blocks were drawn")


@check(points=1)
def keeps_no_copies(draw: Draw) -> Checking:
    """What is kept between blocks does not grow with their number: no copies are gathered."""
    widths = tuple(draw.integer(1, 4) for _ in range(30))
    yield from nothing_noted(call(blocks_of(draw, (3,), widths), want=reference, under="hoard"))


@check(points=1)
def refuses_no_blocks(draw: Draw) -> Checking:
    """An iterator without a block raises ValueError."""
    yield call(Blocks(()), raises=ValueError)
    yield call(blocks_of(draw, (3,), (2, 4)), want=reference)


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and the sum runs in float32 on the way."""
    for dtype in (torch.float16, torch.bfloat16):
        blocks = tuple(draw.normal(2, 3, n, dtype=dtype) for n in (4, 1, 7))
        yield call(Blocks(blocks), want=reference)
    level = draw.normal(2, 1, dtype=torch.bfloat16)
    ones = tuple(level.repeat(1, n) for n in (STALL, *[1] * 40))  # every entry is the maximum and counts 1
    yield call(Blocks(ones), want=reference)


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 blocks give float64 results with all their digits."""
    for lead, widths in SIZES[:3]:
        blocks = blocks_of(draw, lead, widths).blocks
        yield call(
            Blocks(tuple(b.double() + draw.normal(*b.shape, dtype=torch.float64) for b in blocks)),
            want=reference,
        )


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """Python loops over blocks only; the entries of a block are worked on all at once."""
    calls = {
        f"{rows} × {width}": call(blocks_of(draw, (rows,), (width, width)), want=reference)
        for rows, width in ((2, 3), (7, 19))
    }
    yield from no_loop_over("rows and columns of a block", calls)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the blocks' device and numbers are not carried to Python and back."""
    yield from on_one_device(draw, call(blocks_of(draw, (2, 3), (4, 1, 5)), want=reference))


MISTAKES = [
    mistake(
        "not_rescaled",
        "When a later block raises the maximum, the sum that was gathered before stays as it is, so old "
        "terms count too much. They were taken relative to the old maximum and must be moved to the new "
        "one, all by one factor.",
        family="old_sum_not_moved",
        factor="missing",
    ),
    mistake(
        "max_updated_first",
        "The old sum is multiplied by a factor that is always 1: the maximum is replaced before the factor "
        "is worked out, so the difference of old and new is 0. Keep both until the sum has been moved.",
        family="old_sum_not_moved",
        factor="late",
    ),
    mistake(
        "factor_inverted",
        "The factor for the old sum is upside down: it grows when the maximum rises, where old terms must "
        "shrink. Write down exp(x − new) as exp(x − old) times something.",
        factor="inverted",
    ),
    mistake(
        "factor_inverted_from_nothing",
        "The sum is NaN from the first block on. The factor for the old sum is upside down, and with a "
        "maximum that starts at −inf it is infinite, times an old sum of 0. The right factor is exp(−inf) = "
        "0 there, and at most 1 everywhere.",
        factor="inverted from -inf",
    ),
    mistake(
        "block_max_used",
        "The terms of a block are taken relative to the block's own maximum, and added to a sum that is "
        "relative to the running one. Both must refer to the same maximum, the largest so far.",
        subtract="block",
    ),
    mistake(
        "one_max_for_all_rows",
        "All rows share one maximum, that of the whole block. Each row has its own; a row far below the "
        "others would lose all of its terms to underflow.",
        subtract="one for all rows",
    ),
    mistake(
        "starts_at_zero",
        "The maximum starts at 0, so rows that are negative throughout get m = 0, and far below it their "
        "sum is 0. Before anything was seen, the maximum is smaller than every number.",
        start=0.0,
    ),
    mistake(
        "minus_inf_minus_inf",
        "NaN appears where only −inf was seen so far: −inf minus −inf is not 0. Such a row has nothing to "
        "move and nothing to add, so subtract something harmless there.",
        guard=False,
    ),
    mistake(
        "never_shifted",
        "The sum is Σ exp(x), without the maximum taken off. It is asked for relative to m, and without "
        "that it overflows for entries above 88 and vanishes for entries below −104.",
        subtract="nothing",
    ),
    mistake(
        "shifted_at_the_end",
        "The sum Σ exp(x) is gathered as it is and divided by exp(m) at the end. On paper that is the same; "
        "in float32 exp(1000) is infinite and exp(−1000) is 0 long before the division. Take the maximum "
        "off inside exp.",
        subtract="nothing",
        total="shifted at the end",
    ),
    mistake(
        "only_the_last_block",
        "The sum is that of the last block alone: it is replaced with every block where it should be added "
        "to what was moved over.",
        total="last block",
    ),
    mistake(
        "logsumexp_returned",
        "The second result is m + ln l, the logsumexp. It is a fine thing to have, but l itself is asked for.",
        results="logsumexp",
    ),
    mistake(
        "results_swapped",
        "The two results are exchanged: the maximum comes first, then the sum.",
        results="swapped",
    ),
    mistake(
        "empty_block_refused",
        "A block of width 0 ends in an error: amax and max have no answer for an axis without entries. Such "
        "a block has nothing to say and can be passed over, but it still tells how many rows there are.",
        empty="refused",
    ),
    mistake(
        "no_block_gives_none",
        "Without any block the result is (None, None), the state before the loop. Nothing can be said about "
        "rows that nobody has seen; a ValueError is asked for.",
        nothing="none",
    ),
    mistake(
        "no_block_gives_numbers",
        "Without any block the result is a pair of single numbers, though the number of rows is unknown. A "
        "ValueError is asked for.",
        nothing="scalars",
    ),
    mistake(
        "no_block_stops_iteration",
        "Without any block a StopIteration escapes: next() found nothing for the first block. Inside a "
        "generator it would silently end the caller's loop. A ValueError is asked for.",
        nothing="stop",
    ),
    mistake(
        "half_accumulated",
        "The sum runs in half precision. It stands still once a term is smaller than half of its last "
        "digit: in bfloat16, 256 + 1 is 256. Gather in float32 and round once, at the end.",
        craft=True,
        dtype="blocks",
    ),
    mistake(
        "always_float32",
        "The results are float32 whatever came in. They should have the dtype of the blocks: float64 keeps "
        "its digits, half precision is widened inside and cast back at the end.",
        craft=True,
        dtype="float32",
    ),
    mistake(
        "float64_lost",
        "float64 blocks are worked on in float32 and cast back, so half of the digits are made up. Widen "
        "half precision, leave float64 alone.",
        craft=True,
        dtype="through float32",
    ),
]


@wrong(
    "The blocks are gathered in a list and looked at afterwards, when all but the last have been "
    "overwritten (here by NaN). Each block must be used up before the next one is drawn: that is the point "
    "of one pass."
)
def blocks_stored(blocks: Iterable[Tensor]) -> Pair:
    """Two passes over a list."""
    kept = list(blocks)
    if not kept:
        raise ValueError("no block")
    row = torch.cat(kept, -1)
    m = row.amax(-1) if row.shape[-1] else row.new_full(row.shape[:-1], -INF)
    return m, (row - m.masked_fill(m == -INF, 0.0)[..., None]).exp().sum(-1)


@wrong(
    "A copy of each block is gathered, and maximum and sum are taken at the end. The numbers are right, but then "
    "the whole row is in memory after all, and nothing was gained by cutting it. Keep m and l of what was seen."
)
def copies_gathered(blocks: Iterable[Tensor]) -> Pair:
    """Two passes over clones."""
    kept = [block.clone() for block in blocks]
    if not kept:
        raise ValueError("no block")
    wide = torch.cat(kept, -1).to(torch.promote_types(kept[0].dtype, torch.float32))
    m = wide.amax(-1) if wide.shape[-1] else wide.new_full(wide.shape[:-1], -INF)
    total = (wide - m.masked_fill(m == -INF, 0.0)[..., None]).exp().sum(-1)
    return m.to(kept[0].dtype), total.to(kept[0].dtype)


@wrong(
    "Python walks over the columns of each block. That is right, and as slow as the row is long; a block's "
    "maximum and sum take one call each.",
    craft=True,
)
def column_by_column(blocks: Iterable[Tensor]) -> Pair:
    """Every column is a block of its own."""
    m = sums = None
    for block in blocks:
        wide = block.float() if block.itemsize == 2 else block
        if m is None or sums is None:
            dtype, m, sums = (
                block.dtype,
                wide.new_full(wide.shape[:-1], -INF),
                wide.new_zeros(wide.shape[:-1]),
            )
        for column in wide.unbind(-1):
            new = torch.maximum(m, column)
            safe = new.masked_fill(new == -INF, 0.0)
            sums = sums * (m - safe).exp() + (column - safe).exp()
            m = new
    if m is None or sums is None:
        raise ValueError("no block")
    return m.to(dtype), sums.to(dtype)


@accepted
def merged_pairs(blocks: Iterable[Tensor]) -> Pair:
    """Each block gets a pair of its own, and two pairs are merged with a factor each."""
    state, dtype = None, torch.float32
    for block in blocks:
        dtype = block.dtype
        wide = block.to(torch.promote_types(dtype, torch.float32))
        top = wide.amax(-1) if wide.shape[-1] else wide.new_full(wide.shape[:-1], -INF)
        own = top, (wide - top.nan_to_num(neginf=0.0)[..., None]).exp().sum(-1)
        state = own if state is None else _merged(state, own)
    if state is None:
        raise ValueError("no block")
    return state[0].to(dtype), state[1].to(dtype)


def _merged(one: Pair, other: Pair) -> Pair:
    m = torch.maximum(one[0], other[0])
    safe = torch.where(m == -INF, 0.0, m)
    return m, one[1] * torch.exp(one[0] - safe) + other[1] * torch.exp(other[0] - safe)


@accepted
def finite_start(blocks: Iterable[Tensor]) -> Pair:
    """The maximum starts at the smallest finite number, so that no difference is ever NaN."""
    m = sums = torch.empty(0)
    count, dtype = 0, torch.float32
    for block in blocks:
        dtype = block.dtype
        x = block.float() if block.element_size() < 4 else block.clone()
        if not count:
            m, sums = (
                torch.full_like(x[..., :1].sum(-1), torch.finfo(x.dtype).min),
                torch.zeros_like(x.sum(-1)),
            )
        count += 1
        if x.shape[-1]:
            old, m = m, torch.maximum(m, x.max(-1).values)
            sums = sums * torch.exp(old - m) + torch.exp(x - m.unsqueeze(-1)).sum(-1)
    if not count:
        raise ValueError("no block")
    return torch.where(sums == 0, -INF, m).to(dtype), sums.to(dtype)


@accepted
def nan_repaired(blocks: Iterable[Tensor]) -> Pair:
    """The first block is drawn by hand, and NaN from −inf − −inf is put back to 0."""
    source = iter(blocks)
    first = next(source, None)
    if first is None:
        raise ValueError("no block")
    dtype = first.dtype
    wide = torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
    m = torch.full(first.shape[:-1], -INF, dtype=wide, device=first.device)
    sums = torch.zeros_like(m)
    block: Tensor | None = first
    while block is not None:
        if block.numel():
            new = m.maximum(block.to(wide).amax(dim=-1))
            moved = sums * (m - new).exp()
            sums = (moved + (block.to(wide) - new.unsqueeze(-1)).exp().sum(dim=-1)).nan_to_num(nan=0.0)
            m = new
        block = next(source, None)
    return m.to(dtype), sums.to(dtype)


HINTS = [
    hint(
        "Do it on paper for the row 1, 2 | 4 | 3, 4. What must happen to the sum 1.3679 when 4 turns out to "
        "be the maximum?"
    ),
    hint(
        "Keep two tensors between blocks. For each block: the new maximum first, then the old sum moved to "
        "it, then the new terms."
    ),
    hint(
        "exp(x − new) = exp(x − old) · exp(old − new). The second factor is the same for all terms of a "
        "row, and at most 1."
    ),
    hint(
        "Print the factor of the second block when its entries are larger than the first's. It should lie "
        "between 0 and 1.",
        "not_rescaled",
        "max_updated_first",
        "factor_inverted",
        "factor_inverted_from_nothing",
    ),
    hint(
        "Which maximum do the terms of this block refer to, and which one the sum they are added to?",
        "block_max_used",
    ),
    hint(
        "What is −inf − (−inf)? Which number could be subtracted instead, so that exp(−inf − it) is 0?",
        "minus_inf_minus_inf",
    ),
    hint(
        "Try one row of −1000, −1001. The answer is (−1000, 1.3679).",
        "starts_at_zero",
        "never_shifted",
        "shifted_at_the_end",
    ),
    hint("Look into the list after the loop: what do the first blocks hold by then?", "blocks_stored"),
    hint("Which tensors are alive after block 1000, and how large are they together?", "copies_gathered"),
]

QUIZ = [
    question(
        "So far m = 5 and l = 2. A block with the single entry 5 + ln 2 arrives. What is l now?",
        right(
            "2",
            "The old sum shrinks by exp(−ln 2) = ½ to 1, and the new entry, being the maximum, adds exp(0) = 1.",
        ),
        wrong_choice("3", "The old sum was not moved to the new maximum: it is 1 by now."),
        wrong_choice("4", "The new term counts relative to the new maximum, so it is 1, and the old sum shrinks."),
        wrong_choice("5", "The old sum was doubled where it must be halved: the factor is exp(old − new)."),
    ),
    question(
        "Which numbers can l have when the row has 10 finite entries?",
        right("1 to 10", "The maximum itself adds 1, and every other entry adds at most 1."),
        wrong_choice("0 to 1", "The maximum alone already adds exp(0) = 1."),
        wrong_choice("Any positive number", "Relative to the maximum no term is above 1."),
        wrong_choice("exp(−10) to exp(10)", "How many entries there are bounds the sum, not their size."),
    ),
    question(
        "Why is the maximum subtracted at all, when softmax is the same without?",
        right(
            "exp overflows float32 above 88",
            "On paper it cancels; in float32 infinity divided by infinity is NaN.",
        ),
        wrong_choice("It makes the weights sum to 1", "Dividing by the sum does that, with or without the maximum."),
        wrong_choice("It makes exp faster", "exp costs the same for every argument."),
        wrong_choice("It makes the gradient larger", "The gradient of softmax is the same."),
    ),
    question(
        "Two workers have seen different halves of a row and hold (m₁, l₁) and (m₂, l₂). How are they merged?",
        right(
            "m = max(m₁, m₂), l = l₁·exp(m₁ − m) + l₂·exp(m₂ − m)",
            "Each sum is moved to the common maximum. This is how split-K decoding joins its parts.",
        ),
        wrong_choice("m = max(m₁, m₂), l = l₁ + l₂", "The sums refer to different maxima and can't be added yet."),
        wrong_choice(
            "m = m₁ + m₂, l = l₁·l₂",
            "That would be right for the product of two exponentials, not for a sum.",
        ),
        wrong_choice(
            "They can't be; one must see the whole row",
            "The pair is all that is needed: the merge is even associative.",
        ),
    ),
    question(
        "A row starts with a block of −inf only. What should m and l be after it?",
        right(
            "m = −inf, l = 0",
            "Nothing has been seen that counts; the next finite block starts the row with factor exp(−inf) = 0.",
        ),
        wrong_choice("m = 0, l = 0", "Then a row at −1000 would keep m = 0, and all its terms would vanish."),
        wrong_choice(
            "m = −inf, l = the block's width",
            "exp(−inf) is 0, so masked entries add nothing; they don't count as the maximum.",
        ),
        wrong_choice("NaN for both", "That is what −inf − (−inf) gives unless it is guarded against."),
    ),
]
