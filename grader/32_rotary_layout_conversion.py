"""How rotary_layout_conversion is graded: a list that says for each new row which old one it is, is the reference."""

SECTION = "Positions"
LEVEL = 4
AFTER = (29, 30)
VERSION = 1
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

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
    first_true,
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

BOTH = ("half", "interleaved")
# num_heads, D, what stands behind. D ≥ 6: with 4 the order is its own inverse. The square one comes first.
SIZES = ((4, 6, (24,)), (2, 8, (5,)), (3, 10, (7,)), (1, 6, (4,)))

# Rows are moved and nothing is computed, so an honest error is 0. What remains is far below one rounding in each dtype.
close = within(
    {torch.float64: 2.0**-60, torch.float32: 2.0**-32, torch.float16: 2.0**-20, torch.bfloat16: 2.0**-20},
)


# ── The reference, with a knob for everything that can be done the wrong way ────────────────────────────────────────


def reference(
    weight: Tensor,
    num_heads: int,
    to: str,
    *,
    way: str = "as asked",
    other: str = "refused",
    heads: str = "blocks",
    members: str = "in order",
    axis: str = "rows",
) -> Tensor:
    """Row after row, by a list of where each comes from, in float64."""
    if to not in BOTH:
        if other == "refused":
            raise ValueError("to is unknown")
        if other == "unchanged":
            return weight.double()
        if other == "lookup":
            raise KeyError(to)
        if other == "assert":
            raise AssertionError(to)
        to = other
    if way in BOTH:
        to = way
    if num_heads < 1 or weight.shape[0] % (2 * num_heads):
        raise ValueError("no whole, even heads")
    if way == "none":
        return weight.double()
    if way == "swapped":
        to = BOTH[to == "half"]
    moved = weight.double()
    if axis != "columns":
        moved = _moved(moved, num_heads, to, heads, members)
    if axis != "rows":
        moved = _moved(moved.movedim(-1, 0), num_heads, to, heads, members).movedim(0, -1)
    return moved


def _moved(weight: Tensor, num_heads: int, to: str, heads: str, members: str) -> Tensor:
    rows = weight.shape[0]
    count = {"one": 1, "width": rows // num_heads}.get(heads, num_heads)
    if rows % max(2 * count, 1):
        raise RuntimeError("the sizes don't fit")
    width = rows // max(count, 1)
    inner = [2 * j for j in range(width // 2)] + [2 * j + 1 for j in range(width // 2)]
    if to == "interleaved":
        inner = [place for j in range(width // 2) for place in (j, width // 2 + j)]
    if members == "odd first" and to == "half":
        inner = inner[width // 2 :] + inner[: width // 2]
    elif members == "odd first":
        inner = [inner[j ^ 1] for j in range(width)]
    if members == "mirrored" and to == "half":
        inner = inner[: width // 2] + inner[width // 2 :][::-1]
    elif members == "mirrored":
        inner = [width + width // 2 - 1 - place if place >= width // 2 else place for place in inner]
    if heads == "strided":
        order = [j * count + i for j in inner for i in range(count)]
    else:
        order = [i * width + j for i in range(count) for j in inner]
    if heads == "first alone":
        order[width:] = range(width, rows)
    return weight[torch.tensor(order, dtype=torch.int64, device=weight.device)]


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `weight`."""
    for h, d, rest in SIZES:
        weight = draw.normal(h * d, *rest)
        for to in BOTH:
            yield call(weight, h, to, like=weight)


@check(points=1, explains=True)
def rows_stay_whole(draw: Draw) -> Checking:
    """Every row of the result is a row of `weight`, of the same head, and each is used once."""
    for h, d, rest in SIZES:
        weight = draw.normal(h * d, *rest)
        for to in BOTH:
            new = yield call(weight, h, to, like=weight)
            same = (new[:, None] == weight[None]).flatten(2).all(-1)  # (new row, old row)
            if not bool((same.sum(1) == 1).all()) or not bool((same.sum(0) == 1).all()):
                row = int(((same.sum(1) != 1) | (same.sum(0) != 1)).nonzero()[0])
                raise Failed(f'with to="{to}" row {row} of the result or of weight has no counterpart in the other')
            old = same.int().argmax(1)
            if at := first_true(old // d != torch.arange(h * d) // d):
                row = at[0]
                text = f"row {row} belongs to head {row // d} and is old row {int(old[row])}, of head"
                raise Failed(f'with to="{to}", num_heads={h} and D={d} {text} {int(old[row]) // d}')


@check(points=1, explains=True)
def there_and_back(draw: Draw) -> Checking:
    """Converting to one layout and then to the other gives the same weight again."""
    for h, d, rest in SIZES:
        weight = draw.normal(h * d, *rest)
        for there, back in (BOTH, BOTH[::-1]):
            new = yield call(weight, h, there, like=weight)
            again = yield call(new, h, back, like=weight)
            if not torch.equal(again, weight):
                row = int((again != weight).flatten(1).any(-1).nonzero()[0])
                raise Failed(f'to="{there}" and then to="{back}" changes row {row} (num_heads={h}, D={d})')


def turned(x: Tensor, layout: str) -> Tensor:
    """Tokens (seq, heads, D) turned by their positions, in float64."""
    seq, _, d = x.shape
    angle = torch.arange(seq).double()[:, None, None] * 10000.0 ** (-torch.arange(d // 2).double() * 2 / d)
    a, b = (x[..., 0::2], x[..., 1::2]) if layout == "interleaved" else x.chunk(2, -1)
    c, s = angle.cos(), angle.sin()
    new = a * c - b * s, b * c + a * s
    return torch.stack(new, -1).flatten(-2) if layout == "interleaved" else torch.cat(new, -1)


@check(points=1, explains=True)
def scores(draw: Draw) -> Checking:
    """A converted model scores every pair of tokens as the original did: with its own rotation each."""
    h, d, wide, seq = 2, 6, 5, 6
    x, w_q, w_k = draw.normal(seq, wide).double(), draw.normal(h * d, wide), draw.normal(h * d, wide)

    def scored(q: Tensor, k: Tensor, layout: str) -> Tensor:
        one, two = (turned((x @ w.double().T).unflatten(-1, (h, d)), layout) for w in (q, k))
        return torch.einsum("mhd,nhd->hmn", one, two)

    for there, old in (BOTH, BOTH[::-1]):
        new_q = yield call(w_q, h, there, like=w_q)
        new_k = yield call(w_k, h, there, like=w_k)
        before, after = scored(w_q, w_k, old), scored(new_q, new_k, there)
        if at := apart(after, before, 1e-9 * (1 + before.abs())):
            i, m, n = at
            text = f"query {m} and key {n} of head {i} scored {before[i, m, n]:.6g} in the layout «{old}»"
            raise Failed(f"{text}, and score {after[i, m, n]:.6g} after both weights were converted to «{there}»")


@check(points=1, explains=True)
def weight_untouched(draw: Draw) -> Checking:
    """`weight` keeps its values."""
    for to in BOTH:
        weight = draw.normal(24, 24)
        yield from inputs_kept(call(weight, 4, to, like=weight), "weight")


@check(points=3)
def to_half(draw: Draw) -> Checking:
    """To "half": the even rows of each head first, then the odd ones."""
    for h, d, rest in SIZES:
        yield call(draw.normal(h * d, *rest), h, "half", want=reference)


@check(points=3)
def to_interleaved(draw: Draw) -> Checking:
    """To "interleaved": the rows of both halves of each head take turns."""
    for h, d, rest in SIZES:
        yield call(draw.normal(h * d, *rest), h, "interleaved", want=reference)


@check(points=2)
def bias(draw: Draw) -> Checking:
    """A bias, with one axis, is converted like a matrix and keeps its one axis."""
    for h, d in ((4, 6), (3, 8), (1, 10)):
        for to in BOTH:
            yield call(draw.normal(h * d), h, to, want=reference)


@check(points=1)
def more_axes(draw: Draw) -> Checking:
    """What stands behind the first axis moves along, however many axes it has."""
    for to in BOTH:
        yield call(draw.normal(12, 3, 5), 2, to, want=reference)
        yield call(draw.normal(12, 12, 2, 1), 2, to, want=reference)


@check(points=1)
def head_counts(draw: Draw) -> Checking:
    """Any number of heads and any even width will do: the same rows divide differently."""
    for to in BOTH:
        for h in (4, 2, 1, 8):
            yield call(draw.normal(48, 3), h, to, want=reference)
        yield call(draw.normal(384, 2), 3, to, want=reference)


@check(points=1)
def pairs_alone(draw: Draw) -> Checking:
    """With D = 2 nothing moves, and with D = 4 two rows of each head change places."""
    for to in BOTH:
        yield call(draw.normal(12, 12), 2, to, want=reference)
        for h, d in ((2, 4), (6, 2), (1, 2)):
            yield call(draw.normal(h * d, 5), h, to, want=reference)


@check(points=1)
def unknown_to(draw: Draw) -> Checking:
    """Any other `to` raises ValueError."""
    for to in ("halves", "", "HALF", "interleave"):  # first, so that a wrong order of rows can't hide it
        yield call(draw.normal(12, 5), 2, to, raises=ValueError)
    for to in BOTH:
        yield call(draw.normal(12, 5), 2, to, want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """`weight` may be a transposed, sliced or expanded view."""
    for to in BOTH:
        yield call(draw.normal(12, 12), 2, to, want=reference)
        yield call(draw.normal(5, 12).T, 2, to, want=reference)
        yield call(draw.normal(24, 7)[::2, 1::2], 2, to, want=reference)
        yield call(draw.normal(36, 4)[12:24], 2, to, want=reference)
        yield call(draw.normal(12, 1).expand(12, 5), 2, to, want=reference)


@check(points=1)
def gradient(draw: Draw) -> Checking:
    """The gradient flows back to `weight`, each row's to the row it came from."""
    for h, d, rest in SIZES[:2]:
        for to in BOTH:
            yield call(draw.normal(h * d, *rest), h, to, cotangent=draw.normal(h * d, *rest), want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def impossible_sizes(draw: Draw) -> Checking:
    """Rows that are not `num_heads` whole heads of an even width raise ValueError."""
    yield call(draw.normal(12, 5), 2, "half", want=reference)
    for to in BOTH:
        for rows, h in ((12, 5), (12, 4), (9, 3), (6, 12), (7, 1), (12, 0), (12, -2)):
            yield call(draw.normal(rows, 5), h, to, raises=ValueError)


@check(craft=True)
def empty(draw: Draw) -> Checking:
    """No columns and no rows are fine."""
    for to in BOTH:
        yield call(draw.normal(12, 5), 2, to, want=reference)
        for size in ((12, 0), (0, 5), (0,), (12, 0, 3)):
            yield call(draw.normal(*size), 2, to, want=reference)


@check(craft=True)
def dtypes(draw: Draw) -> Checking:
    """The result has the dtype of `weight`, and not a digit is lost."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        for to in BOTH:
            weight = draw.normal(12, 5, dtype=dtype)
            yield call(weight, 2, to, like=weight)
            yield call(weight, 2, to, want=reference)


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Every tensor is made on the device of `weight`, and no number leaves it."""
    for to in BOTH:
        weight = draw.normal(12, 5)
        yield from on_one_device(draw, call(weight, 2, to, want=reference), weight)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap: over the layers of a model."""
    for to in BOTH:
        yield call(draw.normal(12, 5), num_heads=2, to=to, want=reference)
        yield call(draw.normal(3, 12, 5), num_heads=2, to=to, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over heads or rows."""
    for to in BOTH:
        calls = {f"{h} × {d}": call(draw.normal(h * d, 3), h, to, want=reference) for h, d in ((2, 6), (6, 6), (2, 18))}
        yield from no_loop_over("heads and their rows", calls)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "directions_swapped",
        "The two directions have changed places: what is asked for as `half` is the way to `interleaved`, and the "
        "other way round. Converting there and back doesn't show it, nor do heads of 4 rows. Ask where old row 1 has "
        "to go: to `half`, it is the second member of the first pair, hence row D/2.",
        way="swapped",
    ),
    mistake(
        "always_to_half",
        "`to` is not used: every weight is converted to `half`. The way back is another order of rows.",
        way="half",
    ),
    mistake(
        "always_to_interleaved",
        "`to` is not used: every weight is converted to `interleaved`. The way to `half` is another order of rows.",
        way="interleaved",
    ),
    mistake(
        "nothing_moves",
        "The rows come back in the order they had. Reshaping alone moves nothing: between two reshapes two axes must "
        "change places.",
        way="none",
    ),
    mistake(
        "num_heads_ignored",
        "`num_heads` is not used: all rows are reordered as if they were one wide head, so rows wander from head to "
        "head. The order applies inside each head.",
        heads="one",
    ),
    mistake(
        "num_heads_taken_for_the_width",
        "The rows are cut into heads of num_heads rows. `num_heads` says how many heads there are; the width of one is "
        "what comes of dividing the rows by it.",
        heads="width",
    ),
    mistake(
        "heads_strided",
        "The rows of a head are looked for num_heads apart, as if the heads took turns. A head owns D rows that follow "
        "each other: of the axes (head, row of the head), the head moves slowest.",
        heads="strided",
    ),
    mistake(
        "first_head_only",
        "Only the rows of the first head are moved. Every head is turned in the model, so every head has to be "
        "converted.",
        heads="first alone",
    ),
    mistake(
        "second_members_first",
        "The members of each pair have changed places: odd rows come first. Then the model turns every pair the other "
        "way. Old row 0 stays where it is.",
        members="odd first",
    ),
    mistake(
        "columns_moved",
        "The last axis is reordered, the input side of the matrix. A channel of the queries is a *row* of the weight, "
        "which torch keeps as (out_features, in_features).",
        axis="columns",
    ),
    mistake(
        "columns_moved_as_well",
        "Rows and columns are reordered. The columns meet the hidden state, whose channels nobody has moved: only the "
        "rows, which make the queries, may change places.",
        axis="both",
    ),
    mistake(
        "unknown_is_taken_for_interleaved",
        "Whatever is not `half` is taken for `interleaved`. A misspelt `to` would give a wrong model without a word; "
        "raise ValueError.",
        other="interleaved",
    ),
    mistake(
        "unknown_is_taken_for_half",
        "Whatever is not `interleaved` is taken for `half`. A misspelt `to` would give a wrong model without a word; "
        "raise ValueError.",
        other="half",
    ),
    mistake(
        "unknown_changes_nothing",
        "With an unknown `to` the weight comes back as it was, and the caller takes it for converted. Raise "
        "ValueError.",
        other="unchanged",
    ),
    mistake(
        "unknown_refused_by_lookup",
        "An unknown `to` raises KeyError, since it is looked up in a dictionary without asking first. ValueError is "
        "asked for, with a message that says what is allowed.",
        other="lookup",
    ),
    mistake(
        "unknown_refused_by_assert",
        "An unknown `to` is refused by assert. That raises AssertionError, and with python -O it is not checked at "
        "all. ValueError is asked for.",
        other="assert",
    ),
    mistake(
        "halves_mirrored",
        "The second half runs backwards: the pairs of a head are numbered alike in both halves, j with D/2 + j, and "
        "not from the outside in.",
        members="mirrored",
    ),
]


def valid(weight: Tensor, num_heads: int, to: str) -> None:
    """What every answer refuses."""
    known(to)
    if num_heads < 1 or weight.shape[0] % (2 * num_heads):
        raise ValueError("no whole, even heads")


def known(to: str) -> None:
    """The part of it that is required."""
    if to not in BOTH:
        raise ValueError("to is unknown")


def inner(weight: Tensor, num_heads: int, to: str) -> tuple[int, int, int]:
    """The first axis in three: heads, and pairs and members in the order of the old layout."""
    pairs = weight.shape[0] // num_heads // 2
    return (num_heads, pairs, 2) if to == "half" else (num_heads, 2, pairs)


def right_answer(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """What an answer does."""
    valid(weight, num_heads, to)
    return weight.unflatten(0, inner(weight, num_heads, to)).transpose(1, 2).flatten(0, 2)


@wrong(
    "Exactly two axes are expected: a bias, or a weight with more axes, can't be taken apart into rows and columns and "
    "raises. Only the first axis matters; leave open what stands behind."
)
def two_axes_only(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """rows, columns = weight.shape."""
    rows, columns = weight.shape
    valid(weight, num_heads, to)
    return weight.reshape(*inner(weight, num_heads, to), columns).transpose(1, 2).reshape(rows, columns)


@wrong(
    "All axes behind the first are laid into one: a bias comes back as a matrix with one column, and a weight with "
    "three axes has two afterwards. Give the result the shape of `weight`."
)
def comes_back_as_a_matrix(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """reshape(rows, -1) at the end."""
    valid(weight, num_heads, to)
    rows = weight.shape[0]
    columns = weight.numel() // max(rows, 1)
    return weight.reshape(*inner(weight, num_heads, to), columns).transpose(1, 2).reshape(rows, columns)


@wrong(
    "A transposed or sliced weight raises: .view can't cut the rows of a tensor whose memory lies differently. reshape "
    "and unflatten copy where they must."
)
def refuses_views(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Two views where one would need a copy."""
    valid(weight, num_heads, to)
    flat = weight.view(-1).view(*inner(weight, num_heads, to), *weight.shape[1:])
    return flat.transpose(1, 2).reshape(weight.shape)


@wrong("The new order is written into `weight` itself, which its owner still needs. Make a new tensor.")
def written_into_weight(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Stored in weight."""
    new = right_answer(weight, num_heads, to)
    with torch.no_grad():
        weight.copy_(new.detach().clone())
    return new


@wrong(
    "The width of a head is taken from the columns. That fits while the matrix is square; keys of grouped queries have "
    "fewer rows than columns. Divide the number of *rows* by `num_heads`."
)
def width_from_the_columns(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """weight.shape[-1] // num_heads."""
    valid(weight, num_heads, to)
    pairs = weight.shape[-1] // num_heads // 2
    sizes = (pairs, 2) if to == "half" else (2, pairs)
    return weight.reshape(num_heads, *sizes, *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)


@wrong(
    "A bias comes back as it was. It is added to the channels that the rows of the matrix make, so it has to move as "
    "they do."
)
def bias_left_alone(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Only matrices are moved."""
    return right_answer(weight, num_heads, to) if weight.dim() > 1 else weight.clone()


@wrong("No gradient reaches `weight`: .data, detach or torch.no_grad has cut the result off.")
def graph_cut(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Detached."""
    return right_answer(weight, num_heads, to).detach()


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "Sizes that can't be right are left to reshape, which raises RuntimeError about a shape that the caller never "
    "wrote, or to a division by zero. Raise ValueError first, and say what doesn't fit.",
    craft=True,
)
def sizes_refused_by_reshape(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """No look at the sizes."""
    known(to)
    return weight.reshape(*inner(weight, num_heads, to), *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)


@wrong(
    "A `num_heads` of 0 or below isn't refused: it ends in a division by zero, or in a shape with a negative size. "
    "Raise ValueError before dividing.",
    craft=True,
)
def number_of_heads_not_checked(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Divides first."""
    known(to)
    if weight.shape[0] % num_heads or weight.shape[0] // num_heads % 2:
        raise ValueError("no whole, even heads")
    return weight.reshape(*inner(weight, num_heads, to), *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)


@wrong(
    "Rows that are left over after dividing by `num_heads` are dropped, and a smaller weight comes back. Rows that "
    "don't divide are a caller's mistake: raise ValueError.",
    craft=True,
)
def rows_left_over_are_dropped(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Cut to what fits."""
    known(to)
    width = weight.shape[0] // num_heads // 2 * 2
    kept = weight[: num_heads * width]
    return kept.reshape(*inner(kept, num_heads, to), *weight.shape[1:]).transpose(1, 2).flatten(0, 2)


@wrong(
    "An odd D is accepted: the rows are sorted into even and odd ones, and one of them has no partner. Raise "
    "ValueError.",
    craft=True,
)
def odd_width_accepted(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Only the division by num_heads is looked at."""
    known(to)
    if num_heads < 1 or weight.shape[0] % num_heads:
        raise ValueError("no whole heads")
    width = weight.shape[0] // num_heads
    order = torch.cat(
        [torch.arange(0, width, 2, device=weight.device), torch.arange(1, width, 2, device=weight.device)]
    )
    order = order if to == "half" else order.argsort()
    return weight.unflatten(0, (num_heads, width)).index_select(1, order).flatten(0, 1)


@wrong(
    "What can't be right is refused by assert. That raises AssertionError, and with python -O it is not checked at "
    "all. ValueError is asked for.",
    craft=True,
)
def sizes_refused_by_assert(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """assert instead of raise."""
    known(to)
    assert num_heads > 0
    assert weight.shape[0] % (2 * num_heads) == 0
    return right_answer(weight, num_heads, to)


@wrong(
    "Empty weights raise: a −1 in a shape can't be worked out when there are no elements. Every size is known, so "
    "write it.",
    craft=True,
)
def minus_one_in_an_empty_shape(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """reshape with −1."""
    valid(weight, num_heads, to)
    sizes = (num_heads, -1, 2) if to == "half" else (num_heads, 2, -1)
    return weight.reshape(*sizes, *weight.shape[1:]).transpose(1, 2).reshape(weight.shape)


@wrong(
    "Whatever goes in, float32 comes out: a buffer was made without a dtype, or the weight was cast. A conversion "
    "keeps the dtype of `weight`.",
    craft=True,
)
def always_float32(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Cast to float32."""
    return right_answer(weight, num_heads, to).float()


@wrong(
    "A float64 weight passes through float32 and loses half of its digits. Moving rows needs no arithmetic, and no "
    "cast.",
    craft=True,
)
def float64_cut_to_float32(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """weight.float() and back."""
    return right_answer(weight.float(), num_heads, to).to(weight.dtype)


@wrong(
    "The order of rows is made without saying where, on the CPU. Pass the device of `weight` to every factory; a "
    "transposition needs none.",
    craft=True,
)
def made_without_device(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """arange without a device."""
    valid(weight, num_heads, to)
    order = torch.arange(weight.shape[0]).reshape(inner(weight, num_heads, to)).transpose(1, 2).flatten()
    return weight.index_select(0, order)


@wrong(
    "The weight is brought to the CPU, or numbers are taken out of it (.cpu(), .tolist(), .numpy()). Rows can be moved "
    "where they are.",
    craft=True,
)
def brought_to_the_cpu(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """.cpu() and back."""
    return right_answer(weight.cpu(), num_heads, to).to(weight.device)


@wrong(
    "The result is written into a tensor made from a shape alone. Under vmap `weight` stands for many tensors and that "
    "one for a single one. empty_like is mapped along; moving axes needs no buffer.",
    craft=True,
)
def buffer_unknown_to_vmap(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """empty(shape) filled."""
    out = torch.empty(weight.shape, dtype=weight.dtype, device=weight.device)
    out[:] = right_answer(weight, num_heads, to)
    return out


@wrong(
    "The result is right, but a Python loop runs over the heads. Cut the first axis and all heads move at once.",
    craft=True,
)
def loop_over_heads(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """One head after the other."""
    valid(weight, num_heads, to)
    return torch.cat([right_answer(head, 1, to) for head in weight.chunk(num_heads)] if weight.shape[0] else [weight])


@wrong(
    "The result is right, but a Python loop runs over the rows of a head. Pairs and members are two axes: let them "
    "change places.",
    craft=True,
)
def loop_over_rows(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """One row of all heads after the other."""
    valid(weight, num_heads, to)
    width = weight.shape[0] // num_heads
    if not width:
        return weight.clone()
    cut = weight.unflatten(0, (num_heads, width))
    order = [*range(0, width, 2), *range(1, width, 2)]
    if to == "interleaved":
        order = [place for j in range(width // 2) for place in (j, width // 2 + j)]
    return torch.stack([cut[:, j] for j in order], 1).flatten(0, 1)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_slices(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """Even and odd rows joined, or both halves stacked."""
    valid(weight, num_heads, to)
    heads = weight.unflatten(0, (num_heads, weight.shape[0] // num_heads))
    if to == "half":
        return torch.cat([heads[:, 0::2], heads[:, 1::2]], 1).flatten(0, 1)
    return torch.stack(heads.chunk(2, 1), 2).flatten(0, 2)


@accepted
def by_an_order(weight: Tensor, num_heads: int, to: str) -> Tensor:
    """An index of rows, inverted by argsort."""
    valid(weight, num_heads, to)
    places = torch.arange(weight.shape[0], device=weight.device)
    order = places.reshape(inner(weight, num_heads, "half")).transpose(1, 2).flatten()
    return weight[order if to == "half" else order.argsort()]


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Write 0 … 5 as a table of pairs, one pair a line. Read it by columns: what order is that, and what undoes it?"
    ),
    hint(
        "Which axes would you need besides the head, to say «pair» and «member»? Which of them moves faster in each "
        "layout?"
    ),
    hint(
        "Test with a bias that holds its own row numbers, two heads, and six rows each. With four rows you can't see "
        "the way."
    ),
    hint(
        "Take D = 6 and a bias 0 … 5. To `half`, where does row 1 go? Where does it go to `interleaved`?",
        "directions_swapped",
        "always_to_half",
        "always_to_interleaved",
        "nothing_moves",
        "second_members_first",
    ),
    hint(
        "Take 12 rows and 2 heads. Which rows may ever stand in the first six places?",
        "num_heads_ignored",
        "num_heads_taken_for_the_width",
        "heads_strided",
        "first_head_only",
    ),
    hint(
        "q = x @ weight.T. Which axis of weight becomes the channels of q, and which meets the channels of x?",
        "columns_moved",
        "columns_moved_as_well",
    ),
    hint(
        "Run your function on a bias, on a matrix and on a weight with three axes, and print the shapes.",
        "two_axes_only",
        "comes_back_as_a_matrix",
    ),
]

QUIZ = [
    question(
        "Why does reordering rows of the query and key weights leave all scores as they are?",
        right(
            "A dot product doesn't mind an order that both vectors share",
            "And the other rotation finds its pairs where the order puts them, so it turns the same numbers.",
        ),
        wrong_choice("Because the rotation is skipped afterwards", "It is applied as before, in the other layout."),
        wrong_choice(
            "Because softmax is invariant to permutations", "The scores themselves stay; softmax sees no change."
        ),
        wrong_choice("They do change, but training has made it robust", "They are equal up to rounding."),
    ),
    question(
        "Which weights of an attention layer have to be converted?",
        right("Those of queries and keys, with their biases", "Only queries and keys are turned."),
        wrong_choice("All four", "Values are never turned; moving them would scramble the output projection's input."),
        wrong_choice("Only the queries", "Then query channels no longer meet their key channels."),
        wrong_choice("Only the output projection", "It comes after the rotation, and never sees the layout."),
    ),
    question(
        "A model has 32 query heads and 8 key heads of width 128. What is num_heads for the key weight?",
        right("8", "Its 1024 rows are 8 heads of 128."),
        wrong_choice("32", "1024 rows would be cut into heads of 32, across the real ones."),
        wrong_choice("4", "That is how many query heads share a key head."),
        wrong_choice("128", "That is the width of a head."),
    ),
    question(
        "A test converts a weight with heads of 4 rows, and both directions give the same. Is the code wrong?",
        right(
            "Not necessarily: with four rows the order is its own inverse",
            "0 2 1 3 twice is 0 1 2 3. From six rows on the directions differ.",
        ),
        wrong_choice("Yes, `to` is ignored", "It may be, but this test can't tell."),
        wrong_choice("Yes, two directions never agree", "They agree for 2 and 4 rows."),
        wrong_choice("No, directions are always the same", "With six rows they are 0 2 4 1 3 5 and 0 3 1 4 2 5."),
    ),
    question(
        "A checkpoint was converted by mistake although it had been in the right layout. What shows it?",
        right(
            "Nothing but bad text: shapes, norms and single-token scores all fit",
            "The position 0 isn't turned at all, so even a one-token test passes.",
        ),
        wrong_choice("A size mismatch on loading", "A reordering keeps every shape."),
        wrong_choice("NaN in the scores", "All numbers are as large as before."),
        wrong_choice("Weights of another mean", "The same rows are there, in another order."),
    ),
]
