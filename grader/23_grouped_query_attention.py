"""How grouped_query_attention is graded: every query head by itself, with the kv head it reads, in float64."""

SECTION = "Attention"
LEVEL = 3
AFTER = (19,)
VERSION = 1
FORBIDS = "attention"
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
    answering,
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
    settings_kept,
    within,
    wrong,
    wrong_choice,
)

INF = math.inf
SIZES = (  # batch, heads, kv_heads, q_len, k_len, head_dim
    (2, 6, 3, 5, 7, 4),
    (3, 6, 2, 7, 4, 5),
    (1, 8, 2, 1, 9, 8),
    (2, 4, 1, 6, 3, 7),
    (1, 3, 3, 2, 5, 6),
)
SQUARE = (6, 6, 3, 6, 6, 6)  # comes first: what fails elsewhere gives numbers here, and numbers can be recognised

# A score is a sum of head_dim ≤ 8 products and one factor: for draws of unit variance it is off by some 8·u, which
# moves a weight by twice that; summing k_len ≤ 9 weighted values adds as many u, and a gradient of a shared head sums
# up to 4 query heads. Eight times the 24·u that this comes to leaves room for rare draws and every order of summing.
# Half precision is rounded once, after float32: ½ of its spacing.
close = within(
    {torch.float64: 192 * 2.0**-53, torch.float32: 192 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)

ROUGH = within(0.02)  # a logsumexp of thousands is rounded to 2⁻¹² and its exp with it; what goes wrong goes far wrong


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Reads = Callable[[int, int, int], int]  # (query head, group, kv_heads) → the kv head that it reads
READS: dict[str, Reads] = {
    "by groups": lambda i, group, n: i // group,
    "in turn": lambda i, group, n: i % n,
    "head 0": lambda i, group, n: 0,
    "backwards": lambda i, group, n: n - 1 - i // group,
    "last for the rest": lambda i, group, n: min(i, n - 1),
    "by number": lambda i, group, n: i // n,
}
Factor = Callable[[int, int, int], float]  # (head_dim, heads, kv_heads) → what scores are multiplied by
FACTORS: dict[str, Factor] = {
    "1/√head_dim": lambda d, h, n: d**-0.5,
    "1/head_dim": lambda d, h, n: 1 / d,
    "1": lambda d, h, n: 1.0,
    "√head_dim": lambda d, h, n: d**0.5,
    "1/√width": lambda d, h, n: (h * d) ** -0.5,
    "1/√group width": lambda d, h, n: (h // n * d) ** -0.5,
    "1/√kv width": lambda d, h, n: (n * d) ** -0.5,
}


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    checked: bool = True,
    keys: str = "by groups",
    values: str = "by groups",
    factor: str = "1/√head_dim",
    polarity: bool = True,
    masking: str = "before",
    mask_heads: str = "own",
    fill: float | None = None,
    causal: bool = False,
    over: int = -1,
    form: str = "softmax",
    nothing: str = "zeros",
    queries: str = "own",
    detached: str = "",
    result: str = "heads",
    precision: str = "",
) -> Tensor:
    """Each query head with the keys and values of its group: (batch, heads, q_len, head_dim) of float64."""
    heads, kv_heads = q.shape[1], k.shape[1]
    if kv_heads < 1 or heads % kv_heads:
        raise (ValueError if checked else RuntimeError)("kv_heads must divide heads")
    dtype = q.dtype
    order = [i // kv_heads + i % kv_heads * (heads // kv_heads) for i in range(heads)]
    dealt = [i % (heads // kv_heads) * kv_heads + i // (heads // kv_heads) for i in range(heads)]
    q = q[:, dealt] if queries == "in turn" else q
    if queries == "mean":
        q = q.unflatten(1, (kv_heads, -1)).mean(2).repeat_interleave(heads // kv_heads, 1)
    k, v = (k.detach(), v.detach()) if detached == "keys and values" else (k, v)
    q, k, v = q.double(), _read(k.double(), heads, keys), _read(v.double(), heads, values)
    scores = torch.stack([q[:, i] @ k[:, i].mT for i in range(heads)], 1)
    scores = scores.to(dtype).double() if precision == "half scores" else scores
    scores = scores * FACTORS[factor](q.shape[-1], heads, kv_heads)
    visible = torch.ones((), dtype=torch.bool, device=q.device) if mask is None else mask == polarity
    visible = visible.broadcast_to(scores.shape)
    visible = visible.tril() if causal else visible
    visible = visible[:, dealt] if mask_heads == "in turn" else visible
    first = [i - i % (heads // kv_heads) for i in range(heads)] if mask_heads == "first of group" else []
    visible = visible[:, first] if first else visible
    weights = _weights(scores, visible, masking, fill, over, form, nothing)
    weights = weights.detach() if detached == "weights" else weights
    mixed = torch.stack([weights[:, i] @ v[:, i] for i in range(heads)], 1)
    mixed = mixed.nan_to_num(nan=0.0) if nothing == "result" else mixed
    mixed = mixed.float() if precision == "float32" else mixed
    mixed = mixed.float().to(dtype) if precision == "through float32" else mixed
    return _arranged(mixed, kv_heads, order, result)


def _read(t: Tensor, heads: int, reads: str) -> Tensor:
    """What each of the query heads reads: (batch, heads, k_len, head_dim)."""
    batch, kv_heads, length, width = t.shape
    if reads == "mean":
        return torch.stack([t.mean(1)] * heads, 1)
    if reads == "tokens repeated":
        return torch.stack([t] * (heads // kv_heads), 3).reshape(batch, heads, length, width)
    which = [READS[reads](i, max(heads // kv_heads, 1), kv_heads) for i in range(heads)]
    if max(which, default=0) >= kv_heads:
        raise IndexError("no such head of keys")
    return torch.stack([t[:, j] for j in which], 1)


def _weights(
    scores: Tensor, visible: Tensor, masking: str, fill: float | None, over: int, form: str, nothing: str
) -> Tensor:
    """(batch, heads, q_len, k_len) of float64."""
    everything = torch.ones_like(visible)
    match masking:
        case "ignored":
            visible = everything
        case "after":
            return _shares(scores, everything, over, form, nothing) * visible
        case "low and dropped":
            return _shares(torch.where(visible, scores, -1e4), everything, over, form, nothing) * visible
        case "lowered":  # in float32, where little of a score is left beside 10⁴
            scores, visible = (scores - 1e4 * (~visible).double()).float().double(), everything
        case "largest of all" if scores.numel():
            each = (scores - scores.detach().amax(-1, keepdim=True)).float().exp().double() * visible
            total = each.sum(-1, keepdim=True)
            return each / torch.where(total > 0, total, 1.0)
        case "added":
            scores, visible = scores + visible.double(), everything
    if fill is not None:
        scores, visible = torch.where(visible, scores, fill), everything
    return _shares(scores, visible, over, form, nothing)


def _shares(scores: Tensor, visible: Tensor, over: int, form: str, nothing: str) -> Tensor:
    """The softmax over the visible scores along one axis, with no help of torch.softmax."""
    scores, visible = scores.movedim(over, -1), visible.movedim(over, -1)
    if form == "none":
        return torch.where(visible, scores, 0.0).movedim(-1, over)
    seen = scores.detach().masked_fill(~visible, -INF)
    top = torch.cat([seen, torch.full_like(seen[..., :0].sum(-1, keepdim=True), -1e300)], -1).amax(-1, keepdim=True)
    top = top.amax() if form == "one shift" and top.numel() else top
    below = scores if form == "unshifted" else scores - top
    below = below + torch.where(visible, 0.0, -INF) if nothing == "bias" else torch.where(visible, below, -INF)
    each = below.float().exp().double() if form in ("unshifted", "one shift") else below.exp()
    total = each.sum(-1, keepdim=True)
    shares = each / (torch.where(total > 0, total, 1.0) if nothing == "zeros" else total)
    shares = shares.nan_to_num(nan=0.0) if nothing == "bias" else shares
    return shares.movedim(-1, over)


def _arranged(mixed: Tensor, kv_heads: int, order: list[int], result: str) -> Tensor:
    match result:
        case "in turn":
            return mixed[:, order]
        case "summed":
            return mixed.unflatten(1, (kv_heads, -1)).sum(2)
        case "averaged":
            return mixed.unflatten(1, (kv_heads, -1)).mean(2)
        case "heads behind":
            return mixed.transpose(1, 2)
        case "in groups":
            return mixed.unflatten(1, (kv_heads, -1))
    return mixed


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> tuple[Tensor, ...]:
    """Queries, keys and values of one size."""
    b, h, n, q_len, k_len, d = size
    return tuple(draw.normal(*shape, dtype=dtype) for shape in ((b, h, q_len, d), (b, n, k_len, d), (b, n, k_len, d)))


def some_visible(draw: Draw, *shape: int) -> Tensor:
    """A mask that hides about half, and leaves every row something to see."""
    mask = draw.mask(*shape)
    seen = draw.integers(0, shape[-1], (*shape[:-1], 1))
    return mask.scatter(-1, seen, True)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `q`, whatever the number of kv heads."""
    for size in (*SIZES[:2], SIZES[3]):
        q, k, v = drawn(draw, size)
        yield call(q, k, v, like=q)


@check(points=1, explains=True)
def groups(draw: Draw) -> Checking:
    """When one head of keys or values changes, its own group of query heads changes, and no other."""
    q, k, v = drawn(draw, SIZES[1])
    first = yield call(q, k, v, like=q)
    for name, j in (("keys", 1), ("values", 0)):
        other = torch.cat(
            [draw.normal(3, 1, 4, 5) if i == j else t for i, t in enumerate((k, v)[name == "values"].split(1, 1))], 1
        )
        again = yield call(q, *((other, v) if name == "keys" else (k, other)), like=q)
        moved = ((first - again).abs() > 1e-4).flatten(2).any(2).any(0).nonzero().flatten().tolist()
        if moved != [3 * j, 3 * j + 1, 3 * j + 2]:
            which = ", ".join(map(str, moved)) or "none"
            raise Failed(f"of 6 query heads and 2 kv heads: when the {name} of head {j} change, these move: {which}")


@check(points=1, explains=True)
def one_query_for_all(draw: Draw) -> Checking:
    """Query heads of one group that ask the same get the same answer."""
    q, k, v = drawn(draw, SIZES[1])
    q = q[:, :1].expand(3, 6, 7, 5).clone()
    came = yield call(q, k, v, like=q)
    for i in (1, 2, 4, 5):
        if apart(came[:, i], came[:, i - i % 3], 1e-4):
            raise Failed(f"query heads {i - i % 3} and {i} share keys and values and ask the same, and differ")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    q, k, v = drawn(draw)
    asked = call(q, k, v, mask=draw.mask(5, 7), like=q)
    yield from inputs_kept(asked, "q", "k", "v")
    yield from settings_kept(asked)


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right: some kv heads, one, and as many as query heads."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def masks(draw: Draw) -> Checking:
    """Hidden keys get no weight, with masks of every shape that broadcasts."""
    for size in (SQUARE, *SIZES):
        b, _, _, q_len, k_len = size[:5]
        for shape in ((q_len, k_len), (b, 1, 1, k_len), (1, q_len, k_len), (k_len,), (b, 1, q_len, k_len)):
            yield call(*drawn(draw, size), mask=some_visible(draw, *shape), want=reference)


@check(points=2)
def masks_of_query_heads(draw: Draw) -> Checking:
    """A mask may tell query heads apart, those that share their keys as well."""
    for size in (SQUARE, *SIZES):
        b, h, _, q_len, k_len = size[:5]
        for shape in ((b, h, q_len, k_len), (h, 1, k_len)):
            yield call(*drawn(draw, size), mask=some_visible(draw, *shape), want=reference)


@check(points=2)
def queries_that_see_nothing(draw: Draw) -> Checking:
    """A query without a visible key gives zeros, and the others are not disturbed."""
    q, k, v = drawn(draw)
    mask = some_visible(draw, 2, 6, 5, 7)
    mask[0, 1, 1] = mask[1, :, 3:] = False
    yield call(q, k, v, mask=mask, want=reference)
    yield call(q, k, v, mask=torch.zeros(1, dtype=torch.bool), want=reference)
    yield call(q, k[:, :, :0], v[:, :, :0], want=reference)
    yield call(q, k[:, :, :0], v[:, :, :0], mask=mask[..., :0], want=reference)


@check(points=1)
def large_scores(draw: Draw) -> Checking:
    """Scores in the thousands give finite results."""
    q, k, v = drawn(draw)
    q, k = (draw.integers(-3, 4, t.shape).float() for t in (q, k))  # whole: exact scores
    for mask in (None, some_visible(draw, 5, 7)):
        yield call(512 * q, k, v, mask=mask, want=reference, within=ROUGH)


@check(points=1)
def low_scores(draw: Draw) -> Checking:
    """Among visible scores of −10⁵ a hidden key stays hidden."""
    q, k = ((1 + draw.integers(0, 3, shape)).float() for shape in ((2, 6, 5, 4), (2, 3, 7, 4)))  # whole: exact scores
    yield call(-32768 * q, k, draw.normal(2, 3, 7, 4), mask=some_visible(draw, 5, 7), want=reference, within=ROUGH)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach q, k and v, and a shared head gets those of its whole group."""
    for size in SIZES[:3]:
        q, k, v = drawn(draw, size)
        mask = some_visible(draw, size[1], size[3], size[4]) if size == SIZES[1] else None
        yield call(q, k, v, mask=mask, cotangent=draw.normal(*q.shape), want=reference)


@check(points=1)
def gradient_of_nothing(draw: Draw) -> Checking:
    """A query without a visible key sends back zeros, never NaN."""
    q, k, v = drawn(draw)
    mask = some_visible(draw, 2, 1, 5, 7)
    mask[0, :, 1] = False
    yield call(q, k, v, mask=mask, cotangent=draw.normal(2, 6, 5, 4), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    q, k, v = draw.normal(2, 5, 6, 4), draw.normal(2, 3, 4, 7), draw.normal(2, 1, 7, 4)
    mask = some_visible(draw, 1, 1, 5, 7)
    for hidden in (None, mask.expand(2, 6, 5, 7)):
        yield call(q.transpose(1, 2), k.mT, v.expand(2, 3, 7, 4), mask=hidden, want=reference)
    yield call(draw.normal(2, 12, 5, 8)[:, ::2, :, 1::2], k.mT, draw.normal(2, 6, 14, 4)[:, 1::2, ::2], want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and scores don't overflow on the way."""
    for dtype in (torch.float16, torch.bfloat16):
        for size in SIZES[:2]:
            yield call(*drawn(draw, size, dtype), mask=draw.mask(size[3], size[4]), want=reference)
    q, k, v = drawn(draw, SIZES[0], torch.float16)
    yield call(q * 2048, k * 2048, v, want=reference)  # scores beyond float16, and far apart


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size in SIZES[:3]:
        asked = call(*drawn(draw, size, torch.float64), mask=draw.mask(*size[3:5]), want=reference)
        yield from exact_in_float64(asked, close)


@check(craft=True)
def impossible_groups(draw: Draw) -> Checking:
    """A number of query heads that is no multiple of the number of kv heads raises ValueError."""
    q, k, v = drawn(draw)
    yield call(q, k, v, want=reference)
    yield call(q[:, :5], k, v, raises=ValueError)
    yield call(q[:, :4], k, v, raises=ValueError)
    yield call(q[:, :2], k, v, raises=ValueError)


@check(craft=True)
def empty_sizes(draw: Draw) -> Checking:
    """No batch row and no query give empty results of the right shape."""
    for b, q_len in ((0, 5), (2, 0)):
        yield call(*drawn(draw, (b, 6, 3, q_len, 7, 4)), mask=draw.mask(q_len, 7), want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    q, k, v = drawn(draw)
    yield from on_one_device(draw, call(q, k, v, mask=draw.mask(6, 5, 7), want=reference), q)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    q, k, v = (torch.stack(pair) for pair in zip(drawn(draw), drawn(draw), strict=True))
    for mask in (None, draw.mask(6, 5, 7)):
        yield call(q, k, v, mask=mask, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over queries or keys."""
    calls = {
        f"{m} × {n}": call(*drawn(draw, (2, 4, 2, m, n, 4)), mask=draw.mask(m, n), want=reference)
        for m, n in ((3, 4), (9, 4), (3, 12))
    }
    yield from no_loop_over("queries and keys", calls)


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # who shares what
    mistake(
        "heads_taken_in_turn",
        "Query head i reads kv head i modulo kv_heads: the whole row of kv heads is laid down again and again (0 1 0 "
        "1). Neighbours are to share: each kv head is repeated in place (0 0 1 1). Compare `repeat` with "
        "`repeat_interleave`.",
        keys="in turn",
        values="in turn",
    ),
    mistake(
        "values_taken_in_turn",
        "Keys are shared by neighbours and values in turn (0 1 0 1), so a query head gets values that don't belong to "
        "the keys it compared with. Both are to be repeated in place.",
        values="in turn",
    ),
    mistake(
        "keys_taken_in_turn",
        "Values are shared by neighbours and keys in turn (0 1 0 1), so a query head gets values that don't belong to "
        "the keys it compared with. Both are to be repeated in place.",
        keys="in turn",
    ),
    mistake(
        "head_0_for_all",
        "All query heads read head 0 of keys and values, as if there were one. Each group has a head of its own.",
        keys="head 0",
        values="head 0",
    ),
    mistake(
        "kv_heads_averaged",
        "The kv heads are averaged and all query heads read the mean. (Averaging is how a trained model is *turned* "
        "into a grouped one, once.) Here each group reads a head of its own.",
        keys="mean",
        values="mean",
    ),
    mistake(
        "groups_backwards",
        "The first group of query heads reads the last kv head. The first reads head 0.",
        keys="backwards",
        values="backwards",
    ),
    mistake(
        "divided_by_the_number_of_heads",
        "Query head i reads kv head i // kv_heads, which runs past the end or leaves heads unread. How many query "
        "heads share one? That is what i is to be divided by.",
        keys="by number",
        values="by number",
    ),
    mistake(
        "last_head_for_the_rest",
        "Query head i reads kv head i as long as there is one, and the last one serves all others. Every kv head is to "
        "serve a group of the same size.",
        keys="last for the rest",
        values="last for the rest",
    ),
    mistake(
        "queries_averaged",
        "The queries of a group are averaged, so all of them ask the same. They share keys and values, and each asks "
        "for itself.",
        queries="mean",
    ),
    mistake(
        "queries_split_in_turn",
        "Keys and values are right, and the query heads are dealt out to them in turn: the heads of q were split as "
        "(group, kv_heads). Neighbours form a group, so the kv heads come first.",
        queries="in turn",
    ),
    mistake(
        "tokens_repeated",
        "Each token is repeated, and a reshape cuts the longer row into heads: the shape is right, and every “head” "
        "holds a piece of the sequence, several times. The new axis belongs right behind the kv heads.",
        keys="tokens repeated",
        values="tokens repeated",
    ),
    mistake(
        "results_in_turn",
        "The attention is right, and its heads come back in another order: (kv_heads, group) were exchanged when they "
        "were folded into one axis. Query head i belongs at place i.",
        result="in turn",
    ),
    mistake(
        "group_summed",
        "The results of a group are added up, to one head for each kv head. Query heads share what they read; each has "
        "a result of its own.",
        result="summed",
    ),
    mistake(
        "group_averaged",
        "The results (or queries) of a group are averaged to one head for each kv head. Query heads share what they "
        "read; each has a result of its own.",
        result="averaged",
    ),
    mistake(
        "heads_left_in_groups",
        "The result has five axes, (batch, kv_heads, group, q_len, head_dim). The two of the heads are to be folded "
        "into one again.",
        result="in groups",
    ),
    mistake(
        "heads_moved_behind",
        "The result is (batch, q_len, heads, head_dim). That is what a model does next; here the axes stay as they "
        "are.",
        result="heads behind",
    ),
    # the scale and the softmax
    mistake(
        "root_forgotten",
        "Scores are divided by head_dim and not by its square root.",
        factor="1/head_dim",
    ),
    mistake("not_scaled", "Scores are not scaled: the factor 1/√head_dim is missing.", factor="1"),
    mistake(
        "scale_upside_down",
        "Scores are multiplied by √head_dim where they should be divided by it.",
        factor="√head_dim",
    ),
    mistake(
        "scaled_by_model_width",
        "Scores are divided by √(heads · head_dim), the width of the model. A score adds up the head_dim products of "
        "one head.",
        factor="1/√width",
    ),
    mistake(
        "scaled_by_group_width",
        "Scores are divided by √(group · head_dim). A score adds up the head_dim products of one head, however many "
        "share it.",
        factor="1/√group width",
    ),
    mistake(
        "scaled_by_kv_width",
        "Scores are divided by √(kv_heads · head_dim), the width of the keys of all heads. A score adds up the "
        "head_dim products of one head.",
        factor="1/√kv width",
    ),
    mistake(
        "softmax_over_queries",
        "The softmax runs over the queries. Each query shares *its* attention among the keys, along the last axis.",
        over=-2,
    ),
    mistake(
        "softmax_over_heads",
        "The softmax runs over the heads. Each head and query shares its attention among the keys, along the last "
        "axis.",
        over=1,
    ),
    mistake(
        "no_softmax",
        "The scores themselves are used as weights; the softmax over the keys is missing.",
        form="none",
    ),
    mistake(
        "largest_of_all_scores",
        "The largest of *all* scores of a row is taken off before exp, hidden ones included. Where one of them "
        "towers above what is visible, exp of each visible score is 0, and nothing is left to share. Take the largest "
        "of what is visible.",
        masking="largest of all",
    ),
    mistake(
        "one_maximum_for_all",
        "The maximum of the *whole* table is taken off before exp. A row far below it loses all of its weights to "
        "underflow; each row has a maximum of its own.",
        form="one shift",
    ),
    mistake(
        "exponentials_overflow",
        "exp is taken of the scores as they are: above 88 it is infinite in float32, and infinity over infinity is "
        "NaN. Take each row's maximum off first (torch.softmax does).",
        form="unshifted",
    ),
    # the mask
    mistake(
        "mask_inverted",
        "The mask is read the other way round: keys marked True are hidden. Here True means *may attend*.",
        polarity=False,
    ),
    mistake("mask_ignored", "The mask makes no difference: hidden keys get weight like all others.", masking="ignored"),
    mistake(
        "mask_after_softmax",
        "Weights of hidden keys are set to 0 after the softmax, so what is left sums to less than 1. Hide them before.",
        masking="after",
    ),
    mistake(
        "mask_added",
        "The bool mask is added to the scores: True counts as +1, which only favours the visible keys a little. A "
        "hidden key needs a score of −inf.",
        masking="added",
    ),
    mistake(
        "mask_heads_in_turn",
        "Queries, keys and values are grouped the right way, and the mask is not: its heads are split as (group, "
        "kv_heads). They are query heads, in the same order as those of q.",
        mask_heads="in turn",
    ),
    mistake(
        "one_mask_for_a_group",
        "A whole group is masked as its first query head is. The mask's heads are query heads, and those that share "
        "their keys may see different ones.",
        mask_heads="first of group",
    ),
    mistake(
        "hidden_score_of_zero",
        "Hidden keys get the score 0, which is a score like any other: exp(0) is 1. Only −inf has the weight 0.",
        fill=0.0,
    ),
    mistake(
        "hidden_score_not_low_enough",
        "Hidden keys get a score that is low, but not lower than scores may be: among visible scores of −10⁵ a −10⁴ "
        "takes all of the weight. −inf is below every number. (And a query that sees no key averages all values.)",
        fill=-1e4,
    ),
    mistake(
        "hidden_score_takes_the_weight",
        "Hidden keys get a score that is low, but not lower than scores may be: among visible scores of −10⁵ a −10⁴ "
        "takes all of the weight, and little or nothing is left when it is dropped. −inf is below every number.",
        masking="low and dropped",
    ),
    mistake(
        "hidden_score_lowered",
        "A fixed amount is taken off the scores of hidden keys (−10⁴ is added). A key whose score lies as much above "
        "the others is seen all the same, and where all are lowered alike, none is hidden. A hidden score has to "
        "*become* −inf (`masked_fill`, `where`).",
        masking="lowered",
    ),
    mistake(
        "average_of_hidden_values",
        "A query that sees no key gets the average of *all* values: filling with a very low number (−1e9, finfo.min) "
        "makes all scores of such a row equal. The result for it should be zeros.",
        fill=-1e9,
    ),
    mistake(
        "nan_without_keys",
        "A query that sees no key gives NaN: the softmax of nothing but −inf is 0/0. Its weights should be zeros.",
        nothing="nan",
    ),
    mistake(
        "nan_repaired_in_result",
        "The result is right, but NaN is left in the gradient of v: NaN weights met the values, and the repair came "
        "after. Backwards, 0 · NaN is NaN: put the weights right before they are used.",
        nothing="result",
    ),
    mistake(
        "nan_in_score_gradient",
        "The result is right, but NaN is left in the gradients of q and k: −inf was *added* to the scores, so the NaN "
        "that comes back through the softmax of an empty row flows on. Filling (`masked_fill`, `where`) lets none "
        "through.",
        nothing="bias",
    ),
    mistake(
        "causal_uninvited",
        "Queries don't see the keys that stand after them. No causal mask was asked for: `mask` alone says what is "
        "visible.",
        causal=True,
    ),
    mistake(
        "weights_without_gradient",
        "The gradient reaches v alone: the weights were computed under no_grad, or detached.",
        detached="weights",
    ),
    mistake(
        "keys_and_values_without_gradient",
        "The gradient reaches q alone: keys and values were detached, or repeated under no_grad.",
        detached="keys and values",
    ),
    # craft
    mistake(
        "groups_not_checked",
        "A number of query heads that is no multiple of kv_heads ends in torch's own error, deep inside, or in no "
        "error at all. The caller is better served by a ValueError that names both.",
        craft=True,
        checked=False,
    ),
    mistake(
        "always_float32",
        "The result is float32 whatever came in. It should have the dtype of q: cast back at the end, and leave "
        "float64 as it is.",
        craft=True,
        precision="float32",
    ),
    mistake(
        "float64_lost",
        "float64 is computed in float32 and cast back, so half of the digits are made up. Widen half precision, leave "
        "float64 alone.",
        craft=True,
        precision="through float32",
    ),
    mistake(
        "scores_in_half_precision",
        "float16 scores overflow: above 65504 they are infinite, and the softmax of infinities is NaN. Cast q and k to "
        "float32 before they are multiplied.",
        craft=True,
        precision="half scores",
    ),
]


attended = answering(reference)


def _plain(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    """Attention of heads that are as many, or broadcast."""
    scores = q @ k.mT * q.shape[-1] ** -0.5
    scores = scores if mask is None else scores.masked_fill(~mask, -INF)
    weights = scores.softmax(-1)
    return (weights if mask is None else weights.masked_fill(~mask, 0.0)) @ v


@wrong(
    "Keys and values keep their kv_heads heads, which only fit the heads of q when there is one of them, or as many. "
    "Each is to serve a group of query heads: repeat it, or give the group an axis to broadcast over."
)
def heads_not_shared(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Plain attention."""
    return _plain(q, k, v, mask)


@wrong(
    "Keys and values are repeated along the batch and not along the heads, so they don't fit q. The heads are "
    "dimension 1; dimension 0 is the batch."
)
def batch_repeated(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """repeat_interleave(group, 0)."""
    k, v = (t.repeat_interleave(q.shape[1] // k.shape[1], 0) for t in (k, v))
    return _plain(q, k, v, mask)


@wrong(
    "Keys and values are repeated kv_heads times each, which only fits when a group happens to be as large. Each is to "
    "be repeated as often as query heads share it."
)
def repeated_kv_heads_times(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """The wrong one of two numbers."""
    k, v = (t.repeat_interleave(k.shape[1], 1) for t in (k, v))
    return _plain(q, k, v, mask)


@wrong(
    "q is scaled in place, so the caller's queries are changed after the call. Make a new tensor: q * scale, not q *= "
    "scale."
)
def query_scaled_in_place(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Saves one tensor."""
    q *= q.shape[-1] ** -0.5
    return attended(q, k, v, mask, factor="1")


@wrong(
    "The scores are split into groups and a mask of four axes is not: its batch then lies where the kv heads are. "
    "Split the mask's heads as well, or fold the scores' heads before masking."
)
def mask_misaligned(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """(batch, kv_heads, group, q_len, k_len) meets (batch, heads, q_len, k_len)."""
    return _plain(q.unflatten(1, (k.shape[1], -1)), k[:, :, None], v[:, :, None], mask).flatten(1, 2)


@wrong(
    "The mask is reshaped to (batch, kv_heads, group, q_len, k_len), which only works for one that comes in full size. "
    "It may be any that broadcasts: expand it to (batch, heads, q_len, k_len) first."
)
def mask_expected_in_full(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """mask.reshape(batch, kv_heads, group, q_len, k_len)."""
    shape = (*q.shape[:-1], k.shape[2])
    return attended(q, k, v, None if mask is None else mask.reshape(shape))


@wrong(
    "Without any key the call ends in an error: there is no largest of no scores (`amax`, `max`). The result is zeros "
    "there; torch.softmax has no trouble with an empty axis."
)
def largest_of_nothing(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """A softmax by hand."""
    if not k.shape[2]:
        raise IndexError("amax(): Expected reduction dim -1 to have non-zero size.")
    return attended(q, k, v, mask)


@wrong(
    "The mask is asked whether it is true (`if mask:`), which a tensor of several entries refuses to say. `if mask is "
    "not None:` asks whether one was given."
)
def mask_asked_for_truth(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """if mask:"""
    return attended(q, k, v, mask if mask else None)  # type: ignore[truthy-bool]


@wrong(
    "Python walks over the queries. That is right, and as slow as there are many; one matrix product compares all "
    "queries with all keys.",
    craft=True,
)
def query_by_query(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """One query at a time."""
    shape = (*q.shape[:-1], k.shape[-2])
    rows = [None] * q.shape[2] if mask is None else [m[:, :, None] for m in mask.expand(shape).unbind(2)]
    each = [attended(one[:, :, None], k, v, row) for one, row in zip(q.unbind(2), rows, strict=True)]
    return torch.cat(each, 2) if each else attended(q, k, v, mask)


@wrong(
    "The code asks a tensor for its values and decides in Python (`if mask.all()`, `if weights.isnan().any()`). On a "
    "GPU that waits for all work to finish, and torch.func.vmap refuses it. A `where` decides for each entry.",
    craft=True,
)
def branches_on_values(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Repairs only where there is something to repair."""
    return attended(q, k, v, mask if mask is not None and bool((~mask).any()) else None)


@wrong(
    "A tensor (which kv head each query head reads) is made without `device=`, so it lies on the CPU wherever the "
    "arguments are. `device=q.device` puts it where it is needed.",
    craft=True,
)
def index_made_on_the_cpu(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """An index tensor: no more than a note, since indices may lie on the CPU."""
    torch.arange(q.shape[1])
    return attended(q, k, v, mask)


# ── Other right answers ─────────────────────────────────────────────────────────────────────────────────────────────


def group_of(q: Tensor, k: Tensor) -> int:
    """How many query heads share a kv head."""
    if k.shape[1] < 1 or q.shape[1] % k.shape[1]:
        raise ValueError("heads must be a multiple of kv_heads")
    return q.shape[1] // k.shape[1]


@accepted
def five_axes(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Nothing is repeated: the group has an axis of its own, and the mask's heads are split with it."""
    group, x = group_of(q, k), torch.promote_types(q.dtype, torch.float32)
    asked = q.to(x).unflatten(1, (k.shape[1], group))
    scores = torch.einsum("bngqd,bnkd->bngqk", asked, k.to(x)) / math.sqrt(q.shape[-1])
    if mask is None:
        return torch.einsum("bngqk,bnkd->bngqd", scores.softmax(-1), v.to(x)).flatten(1, 2).to(q.dtype)
    full = mask.expand(*q.shape[:-1], k.shape[2]).unflatten(1, (k.shape[1], group))
    weights = scores.masked_fill(~full, torch.finfo(x).min).softmax(-1) * full
    return torch.einsum("bngqk,bnkd->bngqd", weights, v.to(x)).flatten(1, 2).to(q.dtype)


@accepted
def queries_stacked(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """The queries of a group are one longer row of queries."""
    group, x = group_of(q, k), torch.promote_types(q.dtype, torch.float32)
    b, h, q_len, d = q.shape
    scores = (q.to(x).reshape(b, k.shape[1], group * q_len, d) @ k.to(x).mT).reshape(b, h, q_len, k.shape[2])
    bias = torch.zeros_like(scores)
    if mask is not None:
        bias = bias.masked_fill(~mask, -INF)
        bias = torch.where(mask.any(-1, keepdim=True), bias, 0.0)
    weights = (scores * d**-0.5 + bias).softmax(-1)
    weights = weights if mask is None else torch.where(mask, weights, 0.0)
    return (weights.reshape(b, k.shape[1], group * q_len, k.shape[2]) @ v.to(x)).reshape(q.shape).to(q.dtype)


HINTS = [
    hint("Write down, for 6 query heads and 3 kv heads, which kv head each query head reads."),
    hint("Give every query head its own keys and values first. What is left is attention as in problem 19."),
    hint("Test with 1 < kv_heads < heads: with one kv head, or as many, every order of sharing looks right."),
    hint(
        "What does torch.tensor([0, 1]).repeat(3) give, and what does .repeat_interleave(3)?",
        "heads_taken_in_turn",
        "values_taken_in_turn",
        "keys_taken_in_turn",
        "divided_by_the_number_of_heads",
        "groups_backwards",
        "last_head_for_the_rest",
        "queries_split_in_turn",
        "repeated_kv_heads_times",
        "tokens_repeated",
        "batch_repeated",
    ),
    hint(
        "Number the heads of a tiny result 0 … heads − 1 and follow one of them through your reshapes.",
        "results_in_turn",
        "group_summed",
        "group_averaged",
        "heads_left_in_groups",
        "heads_moved_behind",
    ),
    hint(
        "If your scores have an axis for the group, which axis of a mask (batch, heads, q_len, k_len) meets which?",
        "mask_misaligned",
        "mask_heads_in_turn",
        "one_mask_for_a_group",
    ),
    hint(
        "Take a row in which nothing is visible through your code by hand: which 0/0 arises, and what does it meet "
        "next?",
        "nan_without_keys",
        "nan_repaired_in_result",
        "nan_in_score_gradient",
        "average_of_hidden_values",
    ),
    hint(
        "How many products does one score add up?",
        "root_forgotten",
        "not_scaled",
        "scale_upside_down",
        "scaled_by_model_width",
        "scaled_by_kv_width",
        "scaled_by_group_width",
    ),
]

QUIZ = [
    question(
        "There are 32 query heads and 8 kv heads. Which kv head does query head 13 read?",
        right("3", "Groups are of 4, and 13 // 4 = 3."),
        wrong_choice("5", "13 modulo 8 takes the kv heads in turn; neighbours are to share."),
        wrong_choice("1", "13 // 8 divides by the number of kv heads; it is the size of a group that counts."),
        wrong_choice("13", "There is no kv head 13: only 8 exist."),
    ),
    question(
        "What becomes smaller with fewer kv heads?",
        right(
            "The cache of keys and values",
            "It holds kv_heads · head_dim numbers a token, for keys and again for values.",
        ),
        wrong_choice("The table of scores", "Every query head still compares all its queries with all keys."),
        wrong_choice("The result", "It has as many heads as q."),
        wrong_choice("head_dim", "Heads keep their width; there are just fewer of them on one side."),
    ),
    question(
        "Why don't tests with kv_heads = 1 or kv_heads = heads find heads that are taken in turn?",
        right(
            "Both orders are the same there",
            "With one head everything reads head 0; with as many, i // 1 and i % heads are both i.",
        ),
        wrong_choice("The scores are too small", "Their size plays no part in who reads what."),
        wrong_choice("The softmax hides it", "Different keys give different weights, softmax or not."),
        wrong_choice("repeat is not called then", "It is called, and repeats in an order that can't be wrong."),
    ),
    question(
        "A kv head serves a group of 4 query heads. What gradient does it get?",
        right("The sum of what the four send back", "It was used four times, and uses add up."),
        wrong_choice("The mean of the four", "A mean would need a division that no step of the forward pass has."),
        wrong_choice("That of the first of them", "The others used it too."),
        wrong_choice("None, since it was repeated", "A repetition passes gradients on like any other operation."),
    ),
    question(
        "Which way of sharing needs no copy of the keys?",
        right(
            "An axis for the group in q, and an axis of 1 in k",
            "Broadcasting reads the same numbers again; nothing is laid down twice.",
        ),
        wrong_choice(
            "repeat_interleave along the heads", "It is right, and makes a tensor that is `group` times as large."
        ),
        wrong_choice("repeat along the heads", "That copies as well, and in the wrong order."),
        wrong_choice("torch.cat of the same head", "Every cat copies what it is given."),
    ),
]
