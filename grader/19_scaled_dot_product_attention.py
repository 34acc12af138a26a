"""How scaled_dot_product_attention is graded: float64 exponentials of visible scores over their sum."""

SECTION = "Attention"
LEVEL = 2
AFTER = (5, 7)
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
    first_true,
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
SIZES = (  # batch, heads, q_len, k_len, head_dim, v_dim
    (2, 3, 5, 7, 4, 6),
    (3, 2, 7, 4, 6, 5),
    (1, 5, 1, 9, 8, 2),
    (2, 1, 6, 3, 7, 1),
)
SQUARE = (4, 4, 4, 4, 4, 4)  # comes first: what fails elsewhere gives numbers here, and numbers can be recognised

# A score is a sum of head_dim ≤ 8 products and one factor: for draws of unit variance it is off by some 8·u, which
# moves a weight by twice that; summing k_len ≤ 9 weighted values adds as many u. Eight times the 24·u that this comes
# to leaves room for rare draws and every order of summing, and 10⁵ · u is still far below the weakest mistake. Half
# precision is rounded once, after float32: ½ of its spacing.
close = within(
    {torch.float64: 192 * 2.0**-53, torch.float32: 192 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)

ROUGH = within(0.02)  # a logsumexp of 10⁴ is rounded to 2⁻¹⁰ and its exp with it; what goes wrong there goes far wrong


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Factor = Callable[[Tensor, Tensor], float]  # (q, v) → what scores are multiplied by when no scale is given
FACTORS: dict[str, Factor] = {
    "1/√head_dim": lambda q, v: q.shape[-1] ** -0.5,
    "1/head_dim": lambda q, v: 1 / q.shape[-1],
    "1": lambda q, v: 1.0,
    "√head_dim": lambda q, v: q.shape[-1] ** 0.5,
    "1/√v_dim": lambda q, v: v.shape[-1] ** -0.5,
    "1/√k_len": lambda q, v: max(v.shape[-2], 1) ** -0.5,
    "1/√width": lambda q, v: max(q.shape[1] * q.shape[-1], 1) ** -0.5,
}


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    scale: float | None = None,
    *,
    checked: bool = True,
    sequence: int = 2,
    exchanged: bool = False,
    keys: str = "transposed",
    normalised: bool = False,
    factor: str = "1/√head_dim",
    given: str = "used",
    polarity: bool = True,
    masking: str = "before",
    fill: float | None = None,
    causal: bool = False,
    over: int = -1,
    form: str = "softmax",
    nothing: str = "zeros",
    detached: bool = False,
    result: str = "values",
    precision: str = "",
) -> Tensor | tuple[Tensor, Tensor]:
    """Σ exp(score) · value over Σ exp(score), both over visible keys alone: (batch, heads, q_len, v_dim) of float64."""
    if checked and (q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]):
        raise ValueError("sizes don't fit")
    dtype = q.dtype
    q, k, v = (t.double().transpose(sequence, 2) for t in (q, *((v, k) if exchanged else (k, v))))
    k = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]).mT if keys == "reshaped" else k
    q, k = (t / t.norm(dim=-1, keepdim=True) for t in (q, k)) if normalised else (q, k)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores.to(dtype).double() if precision == "half scores" else scores
    multiplier = _multiplier(FACTORS[factor](q, v), scale, given)
    if form != "scaled after" or scale is not None:
        scores = scores / scale if given == "divides" and scale is not None else scores * multiplier
    visible = torch.ones((), dtype=torch.bool, device=q.device) if mask is None else mask == polarity
    visible = visible.broadcast_to(scores.shape)
    visible = visible.tril() if causal else visible.mT if masking == "transposed" else visible
    weights = _weights(scores, visible, masking, fill, over, form, nothing)
    weights = weights * multiplier if form == "scaled after" and scale is None else weights
    weights = weights.detach() if detached else weights
    return _result(result, precision, dtype, weights, k, v, nothing).transpose(sequence, 2)


def _multiplier(default: float, scale: float | None, given: str) -> float:
    if scale is None or given == "ignored" or (given == "unless 0" and scale == 0):
        return default
    return scale * default if given == "on top" else scale


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
        case "shared again":
            left = _shares(scores, everything, over, form, nothing).float() * visible
            return (left / left.sum(-1, keepdim=True)).double()
        case "zero hides":
            visible = scores * visible != 0
        case "largest of all" if scores.numel():
            each = (scores - scores.detach().amax(-1, keepdim=True)).float().exp().double() * visible
            total = each.sum(-1, keepdim=True)
            return each / torch.where(total > 0, total, 1.0)
        case "added":
            scores, visible = scores + visible.double(), everything
        case "lowered":  # in float32, where little of a score is left beside 10⁴
            scores, visible = (scores - 1e4 * (~visible).double()).float().double(), everything
        case "0 × −inf":
            scores, visible = scores + (~visible).double() * -INF, everything
    if fill is not None:
        scores, visible = torch.where(visible, scores, fill), everything
    return _shares(scores, visible, over, form, nothing)


def _shares(scores: Tensor, visible: Tensor, over: int, form: str, nothing: str) -> Tensor:
    """The softmax over the visible scores along one axis, with no help of torch.softmax."""
    scores, visible = scores.movedim(over, -1), visible.movedim(over, -1)
    seen = scores.detach().masked_fill(~visible, -INF)
    top = torch.cat([seen, torch.full_like(seen[..., :0].sum(-1, keepdim=True), -1e300)], -1).amax(-1, keepdim=True)
    match form:
        case "none":
            return torch.where(visible, scores, 0.0).movedim(-1, over)
        case "unshifted":
            top = torch.zeros_like(top)
        case "one shift":
            top = torch.full_like(top, float(top.max())) if top.numel() else top
    below = scores - top + torch.where(visible, 0.0, -INF) if nothing == "bias" else scores - top
    below = below if nothing == "bias" else torch.where(visible, below, -INF)
    each = below.float().exp().double() if form in ("unshifted", "one shift") else below.exp()
    total = each.sum(-1, keepdim=True)
    shares = each / (torch.where(total > 0, total, 1.0) if nothing == "zeros" else total)
    shares = shares.nan_to_num(nan=0.0) if nothing == "bias" else shares
    shares = torch.softmax(shares, -1) if form == "twice" else shares.log() if form == "log" else shares
    return shares.movedim(-1, over)


def _result(
    result: str, precision: str, dtype: torch.dtype, weights: Tensor, k: Tensor, v: Tensor, nothing: str
) -> Tensor:
    mixed = torch.einsum("bhqk,bhkv->bhqv", weights, k if result == "keys" else v)
    mixed = mixed.nan_to_num(nan=0.0) if nothing == "result" else mixed
    mixed = mixed.float() if precision == "float32" else mixed
    mixed = mixed.float().to(dtype) if precision == "through float32" else mixed
    return {"weights": weights, "heads behind": mixed.transpose(1, 2)}.get(result, mixed)


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> tuple[Tensor, ...]:
    """Queries, keys and values of one size."""
    b, h, q_len, k_len, d, v_dim = size
    shapes = (b, h, q_len, d), (b, h, k_len, d), (b, h, k_len, v_dim)
    return tuple(draw.normal(*shape, dtype=dtype) for shape in shapes)


def some_visible(draw: Draw, *shape: int) -> Tensor:
    """A mask that hides about half, and leaves every row something to see."""
    mask = draw.mask(*shape)
    seen = draw.integers(0, shape[-1], (*shape[:-1], 1))
    return mask.scatter(-1, seen, True)


def whole(draw: Draw, n: int) -> Tensor:
    """Vectors of whole numbers: their scores are exact in float32, in whatever order they are added up."""
    return draw.integers(-3, 4, (2, 3, n, 4)).float()


def empty(q: Tensor, v: Tensor) -> Tensor:
    """A tensor of the shape that must come back."""
    return q.new_zeros(*q.shape[:-1], v.shape[-1])


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has a row for each query, as wide as the values."""
    for size in SIZES[:2]:
        q, k, v = drawn(draw, size)
        yield call(q, k, v, like=empty(q, v))


@check(points=1, explains=True)
def between_the_values(draw: Draw) -> Checking:
    """An average lies between the smallest and the largest of the values that it is made of."""
    for size in (SIZES[0], SQUARE):
        q, k, v = drawn(draw, size)
        mask = some_visible(draw, *q.shape[:3], k.shape[2])
        came = yield call(q, k, v, mask=mask, like=empty(q, v))
        spread = torch.where(mask[..., None], v[:, :, None], torch.nan)  # (batch, heads, q_len, k_len, v_dim)
        low, high = spread.nan_to_num(nan=INF).amin(3), spread.nan_to_num(nan=-INF).amax(3)
        if at := first_true(~((came >= low - 1e-4) & (came <= high + 1e-4))):
            b, h, i, c = at
            lie = f"{low[b, h, i, c]:.4g} and {high[b, h, i, c]:.4g}"
            raise Failed(f"{came[b, h, i, c]:.4g} for query {i} of head {h}, whose visible values lie between {lie}")


@check(points=1, explains=True)
def order_of_keys(draw: Draw) -> Checking:
    """Keys have no order: when keys, values and mask columns are shuffled together, nothing changes."""
    q, k, v = drawn(draw)
    mask = some_visible(draw, 5, 7)
    first = yield call(q, k, v, mask=mask, like=empty(q, v))
    order = draw.permutation(7)
    again = yield call(q, k[:, :, order], v[:, :, order], mask=mask[:, order], like=empty(q, v))
    if at := apart(first, again, 1e-4):
        one, other = first[at], again[at]
        raise Failed(f"the result at {list(at)} is {one:.6g}, and {other:.6g} with the keys in another order")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    q, k, v = drawn(draw)
    asked = call(q, k, v, mask=draw.mask(5, 7), like=empty(q, v))
    yield from inputs_kept(asked, "q", "k", "v")
    yield from settings_kept(asked)


@check(points=4)
def values(draw: Draw) -> Checking:
    """Without a mask the values are right, for sizes that all differ and for some that are equal."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), want=reference)


@check(points=3)
def masks(draw: Draw) -> Checking:
    """Hidden keys get no weight, with masks of every shape that broadcasts."""
    for size in (SQUARE, *SIZES):
        b, h, q_len, k_len = size[:4]
        shapes = (b, h, q_len, k_len), (q_len, k_len), (b, 1, 1, k_len), (h, 1, k_len), (k_len,)
        for shape in shapes if size == SIZES[0] else shapes[:2]:
            yield call(*drawn(draw, size), mask=some_visible(draw, *shape), want=reference)


@check(points=1)
def query_of_zeros(draw: Draw) -> Checking:
    """A query of zeros, as padding often is, scores 0 with every key, and shares its attention evenly."""
    q, k, v = drawn(draw)
    q[:, :, 1] = 0.0
    yield call(q, k, v, mask=some_visible(draw, 5, 7), want=reference)


@check(points=2)
def queries_that_see_nothing(draw: Draw) -> Checking:
    """A query without a visible key gives zeros, and the others are not disturbed."""
    q, k, v = drawn(draw)
    mask = some_visible(draw, 2, 1, 5, 7)
    mask[0, :, 1] = mask[1, :, 3:] = False
    yield call(q, k, v, mask=mask, want=reference)
    yield call(q, k, v, mask=draw.permutation(5)[:, None] < 3, want=reference)  # (q_len, 1)
    yield call(q, k, v, mask=torch.zeros(1, dtype=torch.bool), want=reference)
    yield call(q, k[:, :, :0], v[:, :, :0], want=reference)
    yield call(q, k[:, :, :0], v[:, :, :0], mask=mask[..., :0], want=reference)


@check(points=2)
def scales(draw: Draw) -> Checking:
    """A given `scale` replaces 1/√head_dim, whatever it is."""
    for scale in (0.7, -1.5, 0.0, 0, 2):
        yield call(*drawn(draw), scale=scale, want=reference)
    yield call(*drawn(draw), mask=some_visible(draw, 5, 7), scale=0.3, want=reference)


@check(points=1)
def large_scores(draw: Draw) -> Checking:
    """Scores in the ten thousands give finite results, beside rows of small ones."""
    q, k = whole(draw, 5), whole(draw, 7)
    v, mask = draw.normal(2, 3, 7, 6), some_visible(draw, 5, 7)
    rows = torch.tensor([1024.0, 1.0, 256.0, 4.0, 1024.0])[:, None]
    for hidden in (None, mask):
        yield call(q * rows, k, v, mask=hidden, want=reference, within=ROUGH)


@check(points=1)
def low_scores(draw: Draw) -> Checking:
    """Among visible scores of −10⁵ a hidden key stays hidden."""
    q, k = -4096 * (1 + whole(draw, 5).abs()), 4 + whole(draw, 7).abs()
    mask = some_visible(draw, 5, 7)
    mask[0] = torch.arange(7) != 2
    yield call(q, k, draw.normal(2, 3, 7, 6), mask=mask, want=reference, within=ROUGH)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach q, k and v, with and without a mask."""
    for size, mask in ((SIZES[0], None), (SIZES[1], some_visible(draw, 7, 4)), (SIZES[2], draw.permutation(9) < 5)):
        q, k, v = drawn(draw, size)
        yield call(q, k, v, mask=mask, cotangent=draw.normal(*empty(q, v).shape), want=reference)


@check(points=1)
def gradient_of_nothing(draw: Draw) -> Checking:
    """A query without a visible key sends back zeros, never NaN."""
    q, k, v = drawn(draw)
    mask = some_visible(draw, 2, 1, 5, 7)
    mask[0, :, 1] = False
    yield call(q, k, v, mask=mask, cotangent=draw.normal(2, 3, 5, 6), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    q, k, v = draw.normal(2, 5, 3, 4), draw.normal(2, 3, 4, 7), draw.normal(2, 1, 7, 6)
    mask = some_visible(draw, 1, 1, 5, 7)
    for hidden in (None, mask.expand(2, 3, 5, 7)):
        yield call(q.transpose(1, 2), k.mT, v.expand(2, 3, 7, 6), mask=hidden, want=reference)
    q, k, v = drawn(draw, (2, 3, 10, 14, 8, 12))
    yield call(q[:, :, ::2, 3:7], k[:, :, 1::2, 4:], v[:, :, 7:, ::2], mask=mask[..., :1, :], want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and scores don't overflow on the way."""
    for dtype in (torch.float16, torch.bfloat16):
        for size in SIZES[:2]:
            q, k, v = drawn(draw, size, dtype)
            yield call(q, k, v, mask=draw.mask(q.shape[2], k.shape[2]), want=reference)
    q, k = ((draw.normal(1, 2, n, 4) * 4096).half() for n in (5, 7))  # scores beyond float16, and far apart
    yield call(q, k, draw.normal(1, 2, 7, 3, dtype=torch.float16), want=reference)


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size in SIZES[:3]:
        asked = call(*drawn(draw, size, torch.float64), mask=draw.mask(*size[2:4]), want=reference)
        yield from exact_in_float64(asked, close)


@check(craft=True)
def impossible_sizes(draw: Draw) -> Checking:
    """Queries and keys of different widths, or keys and values of different number, raise ValueError."""
    q, k, v = drawn(draw)
    yield call(q, k, v, want=reference)
    yield call(q[..., :3], k, v, raises=ValueError)
    yield call(q, k, v[:, :, :5], raises=ValueError)


@check(craft=True)
def empty_sizes(draw: Draw) -> Checking:
    """No batch row, no head and no query give empty results of the right shape."""
    for b, h, q_len in ((0, 3, 5), (2, 0, 5), (2, 3, 0)):
        yield call(*drawn(draw, (b, h, q_len, 7, 4, 6)), mask=draw.mask(q_len, 7), want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    q, k, v = drawn(draw)
    yield from on_one_device(draw, call(q, k, v, mask=draw.mask(5, 7), want=reference), empty(q, v))


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    q, k, v = (torch.stack(pair) for pair in zip(drawn(draw), drawn(draw), strict=True))
    for mask in (None, draw.mask(5, 7)):
        yield call(q, k, v, mask=mask, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over queries or keys."""
    calls = {
        f"{m} × {n}": call(*drawn(draw, (2, 2, m, n, 4, 3)), mask=draw.mask(m, n), want=reference)
        for m, n in ((3, 4), (9, 4), (3, 12))
    }
    yield from no_loop_over("queries and keys", calls)


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # the scale
    mistake(
        "root_forgotten",
        "Scores are divided by head_dim and not by its square root, so the weights are too even. Dot products of "
        "random vectors grow like √head_dim, and that growth is what the scale takes back.",
        factor="1/head_dim",
    ),
    mistake(
        "not_scaled",
        "Scores are not scaled at all, so the weights are too peaked. Without a `scale`, each dot product is "
        "multiplied by 1/√head_dim.",
        factor="1",
    ),
    mistake(
        "scale_upside_down",
        "Scores are multiplied by √head_dim where they should be divided by it, so nearly all weight lands on one key.",
        factor="√head_dim",
    ),
    mistake(
        "scaled_by_v_dim",
        "The scale is taken from the width of the values. It belongs to the dot product of queries and keys, and so "
        "to *their* width; the two are equal in most models, and need not be.",
        factor="1/√v_dim",
    ),
    mistake(
        "scaled_by_k_len",
        "The scale is taken from the number of keys. It has nothing to do with how many keys there are, only with "
        "how many products each score adds up: look at which axis of the shape is read.",
        factor="1/√k_len",
    ),
    mistake(
        "scaled_by_model_width",
        "The scale is taken from heads × head_dim, the width of the whole model. A score adds up head_dim products, "
        "those of one head.",
        factor="1/√width",
    ),
    mistake(
        "given_scale_ignored",
        "A `scale` that is given makes no difference: 1/√head_dim is used all the same. It should take its place.",
        given="ignored",
    ),
    mistake(
        "given_scale_divides",
        "Scores are divided by the given `scale`. It is a factor: the default is 1/√head_dim, not √head_dim.",
        given="divides",
    ),
    mistake(
        "given_scale_on_top",
        "A given `scale` multiplies scores that were scaled by 1/√head_dim already. It replaces that factor.",
        given="on top",
    ),
    mistake(
        "zero_scale_taken_for_none",
        "A `scale` of 0 is taken for none: `or`, or a plain `if scale`, can't tell 0 from None. With 0 all visible "
        "keys weigh the same.",
        given="unless 0",
    ),
    # the softmax
    mistake(
        "softmax_over_queries",
        "The softmax runs over the queries: the weights that one key gets from all queries sum to 1. Each query "
        "shares *its* attention among the keys; look at the dimension that the softmax is given.",
        over=-2,
    ),
    mistake(
        "softmax_over_heads",
        "The softmax runs over the heads (dimension 1). Each head and each query shares its attention among the "
        "keys, along the last axis.",
        over=1,
    ),
    mistake(
        "softmax_over_batch",
        "The softmax runs over the batch (dimension 0), so examples leak into each other. It belongs to the last "
        "axis, the keys.",
        over=0,
    ),
    mistake(
        "no_softmax",
        "The scores themselves are used as weights. They may be negative and don't sum to 1; the softmax over the "
        "keys is missing.",
        form="none",
    ),
    mistake(
        "softmax_twice",
        "A softmax is taken of the weights, which are the result of one already. They lie between 0 and 1, so the "
        "second softmax makes them almost even.",
        form="twice",
    ),
    mistake(
        "log_softmax",
        "The values are averaged with the *logarithms* of the weights, which are negative. The weights themselves "
        "are asked for.",
        form="log",
    ),
    mistake(
        "scaled_after_softmax",
        "The scale multiplies the weights, after the softmax. They no longer sum to 1, and were taken from scores "
        "that are too large. It belongs to the scores, before the softmax.",
        form="scaled after",
    ),
    mistake(
        "largest_of_all_scores",
        "The largest of *all* scores of a row is taken off before exp, hidden ones included. Where one of them "
        "towers above what is visible, exp of each visible score is 0, and nothing is left to share. Take the largest "
        "of what is visible.",
        masking="largest of all",
    ),
    mistake(
        "exponentials_overflow",
        "exp is taken of the scores as they are: above 88 it is infinite in float32, and infinity over infinity is "
        "NaN. A softmax stays the same when one number is taken off a whole row, so take off its maximum "
        "(torch.softmax does).",
        form="unshifted",
    ),
    mistake(
        "one_maximum_for_all",
        "The maximum of the *whole* table is taken off before exp. A row far below it loses all of its weights to "
        "underflow; each row has a maximum of its own.",
        form="one shift",
    ),
    # the mask
    mistake(
        "mask_inverted",
        "The mask is read the other way round: keys marked True are hidden. Here True means *may attend*; "
        "nn.MultiheadAttention's masks say the opposite.",
        polarity=False,
    ),
    mistake("mask_ignored", "The mask makes no difference: hidden keys get weight like all others.", masking="ignored"),
    mistake(
        "mask_after_softmax",
        "Weights of hidden keys are set to 0 after the softmax, so what is left sums to less than 1. Hide the keys "
        "before it, so that the visible ones share the whole.",
        masking="after",
    ),
    mistake(
        "shared_again_after_softmax",
        "Hidden keys are taken out after the softmax, and the rest is divided by its sum. On paper that is the same. "
        "But a hidden key with a large score has taken all of the weight by then: what is left is 0, and 0/0 is NaN.",
        masking="shared again",
    ),
    mistake(
        "scores_of_zero_hidden",
        "Whatever scores exactly 0 is hidden, as if only a masked key could (`scores == 0` after a product with the "
        "mask). A query of zeros scores 0 with every key. Hide by the mask, never by value.",
        masking="zero hides",
    ),
    mistake(
        "mask_added",
        "The bool mask is added to the scores: True counts as +1, which only favours the visible keys a little. A "
        "hidden key needs a score of −inf.",
        masking="added",
    ),
    mistake(
        "zero_times_infinity",
        "The result is NaN wherever a mask is given: a mask of 0 and 1 is multiplied by −inf, and 0 · inf is NaN. "
        "Choose between two values (`masked_fill`, `where`) where a product can't.",
        masking="0 × −inf",
    ),
    mistake(
        "mask_transposed",
        "The mask's last two axes are exchanged, which only shows (or fails) when they differ. Its rows are queries "
        "and its columns keys, as those of the scores.",
        masking="transposed",
    ),
    mistake(
        "hidden_score_of_zero",
        "Hidden keys get the score 0 (by multiplying scores with the mask, or with a filling of 0 or 1e-9). 0 is a "
        "score like any other, exp(0) is 1, and it may even be the largest. Only −inf has the weight 0.",
        fill=0.0,
    ),
    mistake(
        "average_of_hidden_values",
        "A query that sees no key gets the average of *all* values. Filling with a very low number (−1e9, finfo.min) "
        "makes all scores of such a row equal, and equal scores give even weights. The result for it should be zeros.",
        fill=-1e9,
    ),
    mistake(
        "hidden_score_not_low_enough",
        "Hidden keys get a score that is low, but not lower than scores may be: among visible scores of −10⁵ a −10⁴ "
        "takes all of the weight. −inf is below every number.",
        fill=-1e4,
    ),
    mistake(
        "hidden_score_lowered",
        "A fixed amount is taken off the scores of hidden keys (−10⁴ is added). A key whose score lies as much above "
        "the others is seen all the same, and where all are lowered alike, none is hidden. A hidden score has to "
        "*become* −inf (`masked_fill`, `where`).",
        masking="lowered",
    ),
    mistake(
        "nan_without_keys",
        "A query that sees no key gives NaN: the softmax of nothing but −inf is 0/0. Its weights should be zeros.",
        nothing="nan",
    ),
    mistake(
        "nan_repaired_in_result",
        "The result is right, but NaN is left in the gradient of v. The NaN weights of a query that sees nothing "
        "were allowed to meet the values, and the repair came after. Backwards, 0 · NaN is NaN: put the weights "
        "right before they are used.",
        nothing="result",
    ),
    mistake(
        "nan_in_score_gradient",
        "The result is right, but NaN is left in the gradients of q and k. −inf was *added* to the scores, so what "
        "comes back through the softmax of a row that sees nothing (NaN) flows on. Filling (`masked_fill`, `where`) "
        "lets no gradient through.",
        nothing="bias",
    ),
    mistake(
        "weights_without_gradient",
        "The gradient reaches v alone: the weights were computed under no_grad, or detached, so that q and k can't "
        "learn.",
        detached=True,
    ),
    mistake(
        "causal_uninvited",
        "Queries don't see the keys that stand after them. No causal mask was asked for: `mask` alone says what is "
        "visible.",
        causal=True,
    ),
    # which tensor, which axis
    mistake(
        "keys_reshaped",
        "The keys are reshaped to (head_dim, k_len) where their last two axes should be exchanged. A reshape keeps "
        "the numbers in memory order, so each “key” is made of pieces of several.",
        keys="reshaped",
    ),
    mistake(
        "keys_and_values_exchanged",
        "Queries are compared with the values, and the keys are averaged. It fails where the widths differ and goes "
        "unnoticed where they don't.",
        exchanged=True,
    ),
    mistake(
        "vectors_normalised",
        "Queries and keys are brought to length 1 before they are compared (cosine attention, QK-norm). Here their "
        "lengths count.",
        normalised=True,
    ),
    mistake("keys_averaged", "The weights average the keys. They are to average the values.", result="keys"),
    mistake(
        "heads_attend_to_heads",
        "The axes are taken to be (batch, seq, heads, head_dim), so that heads attend to heads at each position. "
        "Here heads come second and positions third.",
        sequence=1,
    ),
    mistake(
        "heads_moved_behind",
        "The result is (batch, q_len, heads, v_dim). That is what a model does next, when it joins its heads; here "
        "the axes stay as they are.",
        result="heads behind",
    ),
    mistake("weights_returned", "The weights are returned. They are still to average the values.", result="weights"),
    # craft
    mistake(
        "sizes_not_checked",
        "Sizes that don't fit end in torch's own RuntimeError, deep inside. The caller is better served by a "
        "ValueError that names them.",
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
        "float64 is computed in float32 and cast back, so half of the digits are made up. Widen half precision, "
        "leave float64 alone.",
        craft=True,
        precision="through float32",
    ),
    mistake(
        "scores_in_half_precision",
        "float16 scores overflow: above 65504 they are infinite, and the softmax of infinities is NaN. Cast q and k "
        "to float32 before they are multiplied.",
        craft=True,
        precision="half scores",
    ),
]


@wrong("A tuple of result and weights is returned. The result alone is asked for.")
def weights_returned_too(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> object:
    """As modules of libraries do."""
    return tuple(attended(q, k, v, mask, scale, result=result) for result in ("values", "weights"))


@wrong(
    "q is scaled in place, so the caller's queries are changed after the call. Make a new tensor: q * scale, not q "
    "*= scale."
)
def query_scaled_in_place(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """Saves one tensor."""
    q *= q.shape[-1] ** -0.5 if scale is None else scale
    return attended(q, k, v, mask, 1)


@wrong("The mask is inverted in place, so the caller's mask is changed after the call. `~mask` makes a new one.")
def mask_inverted_in_place(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """Saves one tensor."""
    return attended(q, k, v, None if mask is None else mask.logical_not_() == False, scale)  # noqa: E712


@wrong(
    "The mask is taken to be (batch, k_len) and gets two axes in between. It may have any shape that broadcasts to "
    "(batch, heads, q_len, k_len), so it needs no new axes: broadcasting aligns at the right."
)
def mask_taken_for_padding(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """Reads a mask as that of padding."""
    if mask is None:
        return attended(q, k, v, None, scale)
    mask = mask[:, None, None, :]
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    return scores.masked_fill(~mask, -INF).softmax(-1).masked_fill(~mask, 0.0) @ v


@wrong(
    "The default scale of the first call is kept for all later ones, whatever their head_dim. It belongs to the "
    "queries of this call.",
    fresh=True,
)
def scale_of_first_call() -> Callable[..., Tensor]:
    """A module-level cache."""
    kept: list[float] = []

    def function(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Tensor:
        kept.extend([] if kept else [q.shape[-1] ** -0.5])
        return attended(q, k, v, mask, kept[0] if scale is None else scale)

    return function


@wrong(
    "Without any key the call ends in an error: there is no largest of no scores (`amax`, `max`). The result is zeros "
    "there; torch.softmax has no trouble with an empty axis."
)
def largest_of_nothing(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """A softmax by hand."""
    if not k.shape[2]:
        raise IndexError("amax(): Expected reduction dim -1 to have non-zero size.")
    return attended(q, k, v, mask, scale)


@wrong(
    "The mask is asked whether it is true (`if mask:`), which a tensor of several entries refuses to say. `if mask "
    "is not None:` asks whether one was given."
)
def mask_asked_for_truth(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """if mask:"""
    return attended(q, k, v, mask if mask else None, scale)  # type: ignore[truthy-bool]


@wrong(
    "Python walks over the queries. That is right, and as slow as there are many; one matrix product compares all "
    "queries with all keys.",
    craft=True,
)
def query_by_query(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Tensor:
    """One query at a time."""
    shape = (*q.shape[:-1], k.shape[-2])
    rows = [None] * q.shape[2] if mask is None else [m[:, :, None] for m in mask.expand(shape).unbind(2)]
    each = [attended(one[:, :, None], k, v, row, scale) for one, row in zip(q.unbind(2), rows, strict=True)]
    return torch.cat(each, 2) if each else attended(q, k, v, mask, scale)


@wrong(
    "The code asks a tensor for its values and decides in Python (`if mask.all()`, `if weights.isnan().any()`). On a "
    "GPU that waits for all work to finish, and torch.func.vmap refuses it. A `where` decides for each entry.",
    craft=True,
)
def branches_on_values(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """Repairs only where there is something to repair."""
    if mask is not None and bool((~mask).any()):
        return attended(q, k, v, mask, scale)
    return attended(q, k, v, None, scale)


@wrong(
    "A table of zeros is made without `device=`, so it lies on the CPU wherever the arguments are. "
    "`torch.zeros_like` and `new_zeros` follow a tensor.",
    craft=True,
)
def bias_made_on_the_cpu(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """An additive table."""
    bias = torch.zeros(q.shape[-2], k.shape[-2])
    return attended(q, k, v, mask, scale) + bias.sum()


attended = answering(reference)


# ── Other right answers ─────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def matrices_in_one_batch(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """baddbmm over batch · heads, with a bias of 0 and −inf, and zeros chosen with where."""
    b, h, q_len, d = q.shape
    k_len = k.shape[2]
    if k.shape[3] != d or v.shape[2] != k_len:
        raise ValueError(f"q {tuple(q.shape)}, k {tuple(k.shape)} and v {tuple(v.shape)} don't fit")
    wide = torch.float64 if q.dtype == torch.float64 else torch.float32
    seen = torch.ones((), dtype=torch.bool, device=q.device) if mask is None else mask
    seen = seen.expand(b, h, q_len, k_len).reshape(b * h, q_len, k_len)
    bias = torch.zeros_like(seen, dtype=wide).masked_fill(~seen, -INF)
    bias = torch.where(seen.any(-1, keepdim=True), bias, 0.0)  # an even row, which is dropped again below
    flat = [t.to(wide).reshape(b * h, t.shape[2], t.shape[3]) for t in (q, k, v)]
    weights = torch.baddbmm(bias, flat[0], flat[1].mT, alpha=1 / math.sqrt(d) if scale is None else float(scale))
    weights = torch.where(seen, weights.softmax(-1), 0.0)
    return (weights @ flat[2]).reshape(b, h, q_len, v.shape[3]).to(q.dtype)


@accepted
def finite_fill(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Tensor:
    """The lowest finite number hides, and what is hidden gets weight 0 afterwards."""
    if q.size(-1) != k.size(-1) or k.size(-2) != v.size(-2):
        raise ValueError("sizes")
    x = torch.promote_types(q.dtype, torch.float32)
    scores = (q.to(x) * (q.size(-1) ** -0.5 if scale is None else scale)) @ k.to(x).transpose(-2, -1)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(x).min)
    weights = torch.softmax(scores, dim=-1)
    return torch.matmul(weights if mask is None else weights * mask, v.to(x)).to(q.dtype)


@accepted
def no_softmax_function(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    """exp of what lies below the row's logsumexp."""
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise ValueError("sizes")
    x = torch.promote_types(q.dtype, torch.float32)
    s = torch.einsum("bhid,bhjd->bhij", q.to(x), k.to(x)) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), torch.finfo(x).min)
    p = (s - s.logsumexp(-1, keepdim=True)).exp()
    if mask is not None:
        p = p.masked_fill(mask.logical_not(), 0.0)
    return torch.einsum("bhij,bhjv->bhiv", p, v.to(x)).to(q.dtype)


HINTS = [
    hint("Write down the shapes first: what is (q_len, head_dim) times what, to give a table (q_len, k_len)?"),
    hint("Three lines carry it: scores, weights, result. The mask belongs between the first and the second."),
    hint("Give each query of a tiny example its weights by hand. In which direction do they sum to 1?"),
    hint(
        "Print the variance of the scores for random q and k with head_dim 4, 64 and 256. Which factor makes all "
        "three about 1?",
        "root_forgotten",
        "not_scaled",
        "scale_upside_down",
        "scaled_by_v_dim",
        "scaled_by_k_len",
        "scaled_by_model_width",
        "scaled_after_softmax",
    ),
    hint(
        "Sum the weights along each axis and see where the ones are.",
        "softmax_over_queries",
        "softmax_over_heads",
        "softmax_over_batch",
    ),
    hint(
        "Which score has the weight exp(score) = 0? And what do the weights of the visible keys sum to, once the "
        "others are hidden?",
        "mask_after_softmax",
        "mask_added",
        "hidden_score_of_zero",
        "hidden_score_not_low_enough",
        "zero_times_infinity",
    ),
    hint(
        "Try one query whose mask row is all False. What are its scores, and what does a softmax make of equal "
        "scores, or of nothing but −inf?",
        "average_of_hidden_values",
        "nan_without_keys",
    ),
    hint(
        "Call backward on a result that has one query without keys, and print the three gradients. Which line lets "
        "NaN through on the way back?",
        "nan_repaired_in_result",
        "nan_in_score_gradient",
    ),
    hint(
        "Try scale=0.0 and scale=2. What should each do to the weights?",
        "zero_scale_taken_for_none",
        "given_scale_ignored",
        "given_scale_divides",
        "given_scale_on_top",
    ),
]

QUIZ = [
    question(
        "Entries of q and k are independent, with mean 0 and variance 1; head_dim is 64. What is the standard "
        "deviation of q · k?",
        right("8", "64 products of variance 1 add up to a variance of 64. Divided by √64 the scores are back at 1."),
        wrong_choice("64", "That is the variance; its root is the standard deviation."),
        wrong_choice("1", "That is what the scale achieves. The bare dot product grows with the width."),
        wrong_choice("⅛", "Adding more independent terms makes the spread larger, not smaller."),
    ),
    question(
        "A query's three scores are 0, 0 and 0, and the second key is hidden. Its weights are …",
        right("½, 0, ½", "The hidden score becomes −inf, and the two others share the whole."),
        wrong_choice("⅓, 0, ⅓", "That is a mask after the softmax: what is left sums to ⅔."),
        wrong_choice("⅓, ⅓, ⅓", "That is a mask that multiplies the score: 0 stays 0, and 0 is no hiding place."),
        wrong_choice("0, 1, 0", "That is the mask read the other way round."),
    ),
    question(
        "The same large number is added to all scores of one query. What happens to its result?",
        right(
            "Nothing",
            "exp(s + c) = exp(s) · exp(c), and exp(c) cancels in the softmax. That is why the maximum may be taken "
            "off.",
        ),
        wrong_choice(
            "It grows by that number", "The weights still sum to 1; the values are what is averaged, not the scores."
        ),
        wrong_choice("The largest weight grows", "Only differences of scores matter, and they are as before."),
        wrong_choice(
            "It becomes uniform", "Multiplying by a small number would do that; adding changes no difference."
        ),
    ),
    question(
        "Why fill with −inf and not with −1e9, when both give weight 0?",
        right(
            "They differ where a whole row is hidden",
            "With −1e9 such a row has equal scores and averages all that is hidden; with −inf it is NaN. Each needs "
            "a decision; neither gives zeros by itself.",
        ),
        wrong_choice("−1e9 overflows in float32", "float32 reaches 3.4e38; it is float16 that has no −1e9."),
        wrong_choice("−inf is faster", "Both cost the same."),
        wrong_choice(
            "−1e9 leaves the others summing to less than 1",
            "exp(−1e9) underflows to exactly 0, so they share the whole.",
        ),
    ),
    question(
        "q and k are multiplied by 1000 each. Which way does the result go?",
        right(
            "Towards the value of the best key alone",
            "Differences of scores grow a million times, so the softmax comes close to choosing, and its gradient to "
            "0.",
        ),
        wrong_choice("Towards the average of all values", "That is the limit of *small* scores."),
        wrong_choice("It grows a million times", "The result is an average of values and stays between them."),
        wrong_choice("Nothing changes, softmax has no scale", "It ignores a shift of all scores, not a factor."),
    ),
]
