"""How cross_attention is graded: heads cut out by slices, visible context alone, in float64."""

SECTION = "Attention"
LEVEL = 2
AFTER = (21,)
VERSION = 2
FORBIDS = "attention"
LIMITS = {"cpu_seconds": 4}

import math
from collections.abc import Callable
from typing import Any

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

SIZES = (  # batch, q_len, k_len, d_model, d_context, heads, head_dim
    (2, 5, 7, 6, 10, 3, 4),
    (3, 6, 4, 9, 5, 2, 7),
    (1, 1, 6, 5, 7, 2, 3),
    (2, 4, 3, 7, 4, 1, 6),
)
SQUARE = (4, 8, 8, 8, 8, 4, 2)  # comes first: what fails elsewhere gives numbers here, and numbers can be recognised
ROUGH = within(
    0.02
)  # for scores in the thousands, whose logsumexp is rounded to 2⁻¹²; what goes wrong there goes far wrong

# Three sums of at most 14 terms lie one behind the other, and a score doubles what its query and its key are off: for
# tokens of unit variance and weights that keep it some 50·u. Eight times that leaves room for rare draws and for
# gradients, which add up batch · length ≤ 32 of it. Half precision is rounded once, after float32: ½ of its spacing.
close = within(
    {torch.float64: 400 * 2.0**-53, torch.float32: 400 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Factor = Callable[[int, int, int], float]  # (head_dim, heads, d_model) → what scores are multiplied by
FACTORS: dict[str, Factor] = {
    "1/√head_dim": lambda d, h, m: d**-0.5,
    "1/√width": lambda d, h, m: (h * d) ** -0.5,
    "1/√d_model": lambda d, h, m: m**-0.5,
    "1/√(d_model/h)": lambda d, h, m: (h / m) ** 0.5,
    "1/head_dim": lambda d, h, m: 1 / d,
    "1": lambda d, h, m: 1.0,
    "1/√heads": lambda d, h, m: h**-0.5,
}


def reference(
    x: Tensor,
    context: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    context_mask: Tensor | None = None,
    *,
    checked: bool = True,
    sources: str = "xcc",
    roles: str = "qkv",
    turned: str = "",
    cut: str = "slices",
    sequence: int = 2,
    factor: str = "1/√head_dim",
    polarity: bool = True,
    masking: str = "before",
    causal: str = "",
    over: int = -1,
    form: str = "softmax",
    nothing: str = "zeros",
    join: str = "side by side",
    output: str = "projected",
    precision: str = "",
) -> Tensor:
    """Every head's slice of the channels, visible context alone: (batch, q_len, d_model) of float64."""
    if checked and (num_heads < 1 or w_q.shape[0] % num_heads):
        raise ValueError("num_heads must divide the width of the heads")
    dtype, heads = x.dtype, 1 if cut == "one" else num_heads
    x, context, w_q, w_k, w_v, w_o = (t.double() for t in (x, context, w_q, w_k, w_v, w_o))
    context = context * context_mask[..., None] if masking == "tokens" and context_mask is not None else context
    given = dict(zip(roles, (w_q, w_k, w_v), strict=True))
    flat = [
        _through({"x": x, "c": context}[source], given[role], turned in ("all", "inputs"))
        for source, role in zip(sources, "qkv", strict=True)
    ]
    flat = [t.to(dtype).double() for t in flat] if precision == "half" else flat
    q, k, v = (_cut(t, heads, cut).transpose(sequence, 2) for t in flat)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores.to(dtype).double() if precision == "half" else scores
    scores = scores * FACTORS[factor](q.shape[-1], heads, x.shape[-1])
    visible = _visible(scores, context_mask, polarity, masking, causal)
    mixed = torch.einsum("bhqk,bhkd->bhqd", _weights(scores, visible, masking, over, form, nothing), v)
    mixed = mixed.nan_to_num(nan=0.0) if nothing == "heads" else mixed
    joined = _joined(mixed.transpose(sequence, 2), join)
    result = joined if output == "bare" else _through(joined, w_o, turned in ("all", "output"))
    result = result.nan_to_num(nan=0.0) if nothing == "result" else result
    result = result + x if output == "residual" else result.detach() if output == "detached" else result
    result = result.float() if precision == "float32" else result
    return result.float().to(dtype) if precision == "through float32" else result


def _through(x: Tensor, w: Tensor, turned: bool) -> Tensor:
    """x through a weight that is stored (out, in), or taken for (in, out)."""
    return torch.einsum("bsi,io->bso" if turned else "bsi,oi->bso", x, w)


def _cut(flat: Tensor, heads: int, cut: str) -> Tensor:
    """(batch, heads, seq, head_dim) of (batch, seq, d_model)."""
    batch, seq, width = flat.shape
    size = width // heads
    match cut:
        case "strided":
            return torch.stack([flat[..., i::heads] for i in range(heads)], 1)
        case "reshaped":
            return flat.reshape(batch, heads, seq, size)
    return torch.stack([flat[..., i * size : (i + 1) * size] for i in range(heads)], 1)


def _joined(mixed: Tensor, join: str) -> Tensor:
    """(batch, seq, d_model) of (batch, heads, seq, head_dim)."""
    batch, heads, seq, size = mixed.shape
    match join:
        case "reshaped":
            return mixed.reshape(batch, seq, heads * size)
        case "strided":
            return torch.stack(mixed.unbind(1), -1).flatten(2)
        case "mean":
            return mixed.mean(1).repeat(1, 1, heads)
    return torch.cat(mixed.unbind(1), -1)


def _visible(scores: Tensor, mask: Tensor | None, polarity: bool, masking: str, causal: str) -> Tensor:
    """Which key each query sees, in the shape of the scores."""
    if mask is None:
        visible = torch.ones_like(scores, dtype=torch.bool)
    elif masking == "queries":
        visible = (mask == polarity)[:, None, :, None].broadcast_to(scores.shape)
    elif masking == "heads":
        visible = (mask == polarity)[:, None].broadcast_to(scores.shape)
    elif masking == "tiled":
        visible = (mask == polarity).repeat(scores.shape[1], 1).reshape(*scores.shape[:2], 1, -1)
        visible = visible.broadcast_to(scores.shape)
    else:
        visible = (mask[:1] if masking == "first sample" else mask) == polarity
        visible = visible[:, None, None].broadcast_to(scores.shape)
    if causal:
        behind = scores.shape[-1] - scores.shape[-2] if causal == "last" else 0
        return visible.tril(behind)
    return visible


def _weights(scores: Tensor, visible: Tensor, masking: str, over: int, form: str, nothing: str) -> Tensor:
    """(batch, heads, q_len, k_len) of float64."""
    everything = torch.ones_like(visible)
    match masking:
        case "ignored" | "tokens":
            visible = everything
        case "zeroed":
            scores, visible = scores * visible, everything
        case "zero hides":
            visible = scores * visible != 0
        case "after":
            return _shares(scores, everything, over, form, nothing) * visible
        case "shared again":
            left = _shares(scores, everything, over, form, nothing).float() * visible
            return (left / left.sum(-1, keepdim=True)).double()
        case "largest of all" if scores.numel():
            each = (scores - scores.detach().amax(-1, keepdim=True)).float().exp().double() * visible
            total = each.sum(-1, keepdim=True)
            return each / torch.where(total > 0, total, 1.0)
        case "added":
            scores, visible = scores + visible.double(), everything
        case "lowered":  # in float32, where little of a score is left beside 10⁴
            scores, visible = (scores - 1e4 * (~visible).double()).float().double(), everything
        case "0 × −inf":
            scores = scores + (~visible).double() * -math.inf
        case "filled low":
            scores, visible = torch.where(visible, scores, -1e9), everything
    return _shares(scores, visible, over, form, nothing)


def _shares(scores: Tensor, visible: Tensor, over: int, form: str, nothing: str) -> Tensor:
    """The softmax over the visible scores along one axis, with no help of torch.softmax."""
    if not scores.numel() or form == "none":
        return torch.where(visible, scores, 0.0)
    top = scores.detach().masked_fill(~visible, -math.inf).amax(over, keepdim=True).clamp_min(-1e300)
    top = top.amax() if form == "one shift" and top.numel() else top
    below = scores if form == "unshifted" else scores - top
    below = below + torch.zeros_like(below).masked_fill(~visible, -math.inf) if nothing == "bias" else below
    below = below if nothing == "bias" else torch.where(visible, below, -math.inf)
    each = below.float().exp().double() if form in ("unshifted", "one shift") else below.exp()
    total = each.sum(over, keepdim=True)
    shares = each / (torch.where(total > 0, total, 1.0) if nothing == "zeros" else total)
    return shares.nan_to_num(nan=0.0) if nothing == "bias" else shares


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

Arguments = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, int]


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> Arguments:
    """Tokens, context, four weights and the number of heads."""
    batch, q_len, k_len, d, d_context, heads, head_dim = size
    width = heads * head_dim
    x, context = draw.normal(batch, q_len, d, dtype=dtype), draw.normal(batch, k_len, d_context, dtype=dtype)
    shapes = (width, d), (width, d_context), (width, d_context), (d, width)
    q, k, v, o = ((draw.normal(*shape) * shape[1] ** -0.5).to(dtype) for shape in shapes)
    return x, context, q, k, v, o, heads


def some_visible(draw: Draw, batch: int, k_len: int) -> Tensor:
    """A mask that hides about half of the context, and leaves every sample something to see."""
    return draw.mask(batch, k_len).scatter(-1, draw.integers(0, k_len, (batch, 1)), True)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`, whatever that of the context."""
    for size in SIZES[:2]:
        x, *rest = drawn(draw, size)
        yield call(x, *rest, like=x)


@check(points=1, explains=True)
def order_of_context(draw: Draw) -> Checking:
    """The context has no order: when its tokens and its mask are shuffled together, nothing changes."""
    x, context, *rest = drawn(draw)
    mask, order = some_visible(draw, 2, 7), draw.permutation(7)
    first = yield call(x, context, *rest, context_mask=mask, like=x)
    again = yield call(x, context[:, order], *rest, context_mask=mask[:, order], like=x)
    if at := apart(first, again, 1e-4):
        one, other = first[at], again[at]
        raise Failed(f"the result at {list(at)} is {one:.6g}, and {other:.6g} with the context in another order")


@check(points=1, explains=True)
def queries_apart(draw: Draw) -> Checking:
    """Queries don't meet: each comes out as it would alone."""
    x, *rest = drawn(draw)
    together = yield call(x, *rest, like=x)
    for t in (0, 3):
        alone = yield call(x[:, t : t + 1].clone(), *rest, like=x[:, :1])
        if apart(alone[:, 0], together[:, t], 1e-4):
            raise Failed(f"token {t} of x comes out differently among others and alone")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    x, *rest = drawn(draw)
    asked = call(x, *rest, context_mask=some_visible(draw, 2, 7), like=x)
    yield from inputs_kept(asked, "x", "context")
    yield from settings_kept(asked)


@check(points=4)
def values(draw: Draw) -> Checking:
    """Without a mask the values are right, for sizes that all differ, some that are equal, and one head."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), want=reference)


@check(points=3)
def masks(draw: Draw) -> Checking:
    """Hidden context tokens get no weight."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), context_mask=some_visible(draw, size[0], size[2]), want=reference)


@check(points=2)
def nothing_to_see(draw: Draw) -> Checking:
    """A sample without visible context gives zeros, an empty context too, and the others are not disturbed."""
    mask = some_visible(draw, 3, 4)
    mask[1] = False
    yield call(*drawn(draw, SIZES[1]), context_mask=mask, want=reference)
    yield call(*drawn(draw, (2, 5, 0, 6, 10, 3, 4)), want=reference)
    yield call(*drawn(draw, (2, 5, 0, 6, 10, 3, 4)), context_mask=draw.mask(2, 0), want=reference)


@check(points=1)
def no_queries(draw: Draw) -> Checking:
    """Without a token to ask, the result is empty."""
    yield call(*drawn(draw, (2, 1, 7, 6, 10, 3, 4)), want=reference)
    yield call(*drawn(draw, (2, 0, 7, 6, 10, 3, 4)), context_mask=some_visible(draw, 2, 7), want=reference)


@check(points=1)
def large_scores(draw: Draw) -> Checking:
    """Scores in the thousands give finite results, with and without a mask."""
    *given, w_o, heads = drawn(draw, (2, 5, 6, 7, 9, 2, 4))
    whole = [draw.integers(-3, 4, t.shape).float() for t in given]  # whole numbers: every order of summing is exact
    for mask in (None, some_visible(draw, 2, 6)):
        yield call(*whole, w_o, heads, context_mask=mask, want=reference, within=ROUGH)


@check(points=1)
def hidden_above_all(draw: Draw) -> Checking:
    """A hidden token gets no weight, even where it scores thousands more than every visible one."""
    *_, w_v, w_o, heads = drawn(draw, (2, 5, 6, 8, 8, 2, 4))
    mask = torch.stack([draw.permutation(6) < 3 for _ in range(2)])
    x, context = (draw.integers(2, 4, (2, n, 8)).float() for n in (5, 6))
    context = torch.where(mask[..., None], context, -context)  # alike score low
    yield call(x, context, torch.eye(8), -500 * torch.eye(8), w_v, w_o, heads, mask, want=reference, within=ROUGH)


@check(points=1)
def token_of_zeros(draw: Draw) -> Checking:
    """A token of zeros scores 0 with all of the context, and shares its attention evenly."""
    x, *rest = drawn(draw)
    x[:, 2] = 0.0
    yield call(x, *rest, context_mask=some_visible(draw, 2, 7), want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach x, the context and all four weights."""
    for size, mask in ((SIZES[0], None), (SIZES[1], some_visible(draw, 3, 4))):
        x, *rest = drawn(draw, size)
        yield call(x, *rest, context_mask=mask, cotangent=draw.normal(*x.shape), want=reference)


@check(points=1)
def gradient_of_nothing(draw: Draw) -> Checking:
    """A sample without visible context sends back zeros, never NaN."""
    x, *rest = drawn(draw, SIZES[1])
    mask = some_visible(draw, 3, 4)
    mask[1] = False
    yield call(x, *rest, context_mask=mask, cotangent=draw.normal(*x.shape), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    _, _, w_q, w_k, w_v, w_o, heads = drawn(draw)
    x, context = draw.normal(5, 2, 6).transpose(0, 1), draw.normal(1, 7, 10).expand(2, 7, 10)
    mask = some_visible(draw, 1, 7).expand(2, 7)
    yield call(x, context, draw.normal(6, 12).T, w_k, w_v, w_o, heads, mask, want=reference)
    x, context = draw.normal(2, 10, 12)[:, ::2, 1::2], draw.normal(2, 14, 20)[:, 7:, ::2]
    yield call(x, context, w_q, draw.normal(24, 10)[::2], w_v, draw.normal(12, 6).T, heads, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and scores don't overflow on the way."""
    x, context, q, k, *rest = drawn(draw, SIZES[0], torch.float16)
    yield call(x, context, q * 2048, k * 2048, *rest, want=reference)  # scores beyond float16, and far apart
    for dtype in (torch.float16, torch.bfloat16):
        yield call(*drawn(draw, SIZES[1], dtype), context_mask=draw.mask(3, 4), want=reference)


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size in SIZES[:2]:
        arguments = *drawn(draw, size, torch.float64), some_visible(draw, size[0], size[2])
        yield from exact_in_float64(call(*arguments, want=reference), close)


@check(craft=True)
def impossible_heads(draw: Draw) -> Checking:
    """A number of heads that does not divide the width of the heads raises ValueError."""
    *arguments, _ = drawn(draw)
    yield call(*arguments, 6, want=reference)
    for heads in (5, 24, 0, -3):
        yield call(*arguments, heads, raises=ValueError)


@check(craft=True)
def empty_batch(draw: Draw) -> Checking:
    """An empty batch gives an empty result of the right shape."""
    yield call(*drawn(draw, (0, 5, 7, 6, 10, 3, 4)), context_mask=draw.mask(0, 7), want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    x, *rest = drawn(draw)
    yield from on_one_device(draw, call(x, *rest, some_visible(draw, 2, 7), want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over several models at once with torch.func.vmap."""
    models = [torch.stack(pair) for pair in zip(drawn(draw)[:6], drawn(draw)[:6], strict=True)]
    for mask in (None, some_visible(draw, 2, 7)):
        yield call(*models, num_heads=3, context_mask=mask, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over queries or context tokens."""
    calls = {
        f"{m} × {n}": call(*drawn(draw, (2, m, n, 5, 6, 2, 3)), some_visible(draw, 2, n), want=reference)
        for m, n in ((3, 4), (9, 4), (3, 12))
    }
    yield from no_loop_over("queries and context tokens", calls)


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # who asks, who answers
    mistake(
        "keys_and_values_from_x",
        "Keys and values come from x, so x attends to itself and the context is never read. It fails where the "
        "widths differ and goes unnoticed where they don't.",
        sources="xxx",
    ),
    mistake(
        "roles_exchanged",
        "The context asks and x answers: queries come from the context, keys and values from x. It is the other way "
        "round; the result belongs to the tokens of x.",
        sources="cxx",
    ),
    mistake(
        "values_from_x",
        "Keys come from the context and values from x. Both belong to the context: key j says what value j is about.",
        sources="xcx",
    ),
    mistake(
        "keys_from_x",
        "Values come from the context and keys from x. Both belong to the context: key j says what value j is about.",
        sources="xxc",
    ),
    mistake(
        "context_alone",
        "Queries come from the context too, so the context attends to itself and x is never read.",
        sources="ccc",
    ),
    mistake(
        "keys_and_values_exchanged",
        "w_k makes the values and w_v the keys. Their shapes are the same, so nothing complains.",
        roles="qvk",
    ),
    mistake(
        "queries_and_keys_exchanged",
        "w_q makes the keys and w_k the queries; where the widths are equal nothing complains.",
        roles="kqv",
    ),
    # the mask
    mistake(
        "causal_mask",
        "A causal mask is applied: query i sees the context up to token i. The context was there before; nothing in "
        "it is the future, and all of it is visible.",
        causal="first",
    ),
    mistake(
        "causal_mask_at_the_end",
        "A causal mask is applied, with the queries taken for the last tokens of the context. They stand in another "
        "sequence; all of the context is visible.",
        causal="last",
    ),
    mistake(
        "mask_inverted",
        "The mask is read the other way round: what may be attended to is hidden. True means visible here; "
        "nn.MultiheadAttention says it the other way.",
        polarity=False,
    ),
    mistake(
        "mask_ignored",
        "The mask makes no difference: hidden context tokens get weight like all others.",
        masking="ignored",
    ),
    mistake(
        "queries_hidden",
        "The mask is laid along the queries. It speaks of the context, the last axis of the scores; only where the "
        "lengths are equal does this go unnoticed.",
        masking="queries",
    ),
    mistake(
        "context_zeroed_first",
        "Hidden context tokens are set to 0 before anything else, and then attended to like the others: a key of "
        "zeros still gets weight, exp(0). Hide the keys, in the scores.",
        masking="tokens",
    ),
    mistake(
        "mask_of_first_sample",
        "The mask of the first sample is used for all. Every sample has its own row; look for an index where a new "
        "axis belongs.",
        masking="first sample",
    ),
    mistake(
        "mask_aligned_with_heads",
        "The mask meets the scores as (batch, 1, length), and broadcasting aligns at the right: its batch axis lies "
        "on the heads. That fails unless there are as many heads as samples, and then each head gets the mask of "
        "another sample. The axis of heads is missing.",
        masking="heads",
    ),
    mistake(
        "mask_tiled_over_heads",
        "batch and heads were merged into one axis, and the mask was repeated in another order: (heads, batch) where "
        "tokens have (batch, heads). So heads meet the masks of other samples.",
        masking="tiled",
    ),
    mistake(
        "mask_after_softmax",
        "Hidden tokens are taken out after the softmax, so the weights of visible ones no longer sum to 1. Hide them "
        "before.",
        masking="after",
    ),
    mistake(
        "shared_again_after_softmax",
        "Hidden tokens are taken out after the softmax and the rest divided by its sum. On paper that is the same; "
        "but a hidden token with a large score has taken all of the weight, and 0/0 is NaN. Hide it before the "
        "softmax.",
        masking="shared again",
    ),
    mistake(
        "hidden_scores_zero",
        "Scores of hidden tokens are multiplied by 0, and 0 is a score like any other: exp(0) is 1. A hidden score "
        "must be −inf.",
        masking="zeroed",
    ),
    mistake(
        "scores_of_zero_hidden",
        "Whatever scores exactly 0 is hidden, as if only a masked token could. A query of zeros scores 0 with all of "
        "the context. Hide by the mask, never by value.",
        masking="zero hides",
    ),
    mistake(
        "mask_added",
        "The bool mask is added to the scores: +1 for visible tokens, which favours them a little and hides nothing.",
        masking="added",
    ),
    mistake(
        "hidden_score_lowered",
        "A fixed amount is taken off the scores of hidden tokens (−10⁴ is added). One whose score lies as much above "
        "the others is seen all the same, and where all are lowered alike, none is hidden. A hidden score has to "
        "*become* −inf (`masked_fill`, `where`).",
        masking="lowered",
    ),
    mistake(
        "zero_times_infinity",
        "The result is NaN wherever a mask is given: a mask of 0 and 1 is multiplied by −inf, and 0 · inf is NaN. "
        "Choose between two values (`masked_fill`, `where`).",
        masking="0 × −inf",
    ),
    mistake(
        "average_of_hidden",
        "Where no context is visible, all of it is averaged. Filling with a low number (−1e9, finfo.min) makes all "
        "scores equal, and equal scores give even weights. Zeros are asked for there.",
        masking="filled low",
    ),
    mistake(
        "nan_without_context",
        "Where no context is visible the result is NaN: the softmax of nothing but −inf is 0/0. The weights should "
        "be zeros there.",
        nothing="nan",
    ),
    mistake(
        "nan_repaired_in_heads",
        "The result is right, but NaN is left in gradients. The NaN weights of a sample without visible context were "
        "allowed to meet the values, and the repair came after. Backwards, 0 · NaN is NaN: put the weights right "
        "before they are used.",
        nothing="heads",
    ),
    mistake(
        "nan_repaired_in_result",
        "The result is right, but NaN is left in gradients, that of w_o too. NaN weights went through the values and "
        "through w_o, and were repaired at the very end. Backwards, 0 · NaN is NaN: put the weights right before "
        "they are used.",
        nothing="result",
    ),
    mistake(
        "nan_in_score_gradient",
        "The result is right, but NaN is left in gradients. −inf was *added* to the scores, so what comes back "
        "through the softmax of a row that sees nothing (NaN) flows on. Filling lets no gradient through.",
        nothing="bias",
    ),
    # scores and weights
    mistake(
        "scaled_by_d_model",
        "Scores are divided by √d_model. A score adds up the head_dim products of one head, so √head_dim is what it "
        "grows by.",
        factor="1/√d_model",
    ),
    mistake(
        "scaled_by_width",
        "Scores are divided by the square root of the whole width, all heads together. A score adds up the products "
        "of one head.",
        factor="1/√width",
    ),
    mistake(
        "head_dim_from_d_model",
        "The scale takes d_model / h for head_dim. The heads' width is that of the weights, the rows of w_q, and "
        "need not be d_model.",
        factor="1/√(d_model/h)",
    ),
    mistake("root_forgotten", "Scores are divided by head_dim and not by its square root.", factor="1/head_dim"),
    mistake(
        "not_scaled",
        "Scores are not scaled: the factor 1/√head_dim is missing, and the weights are too peaked.",
        factor="1",
    ),
    mistake(
        "scaled_by_heads", "Scores are divided by √num_heads. It is the width of a head that counts.", factor="1/√heads"
    ),
    mistake(
        "softmax_over_queries",
        "The softmax runs over the queries, so what the queries give to one key sums to 1. Each query shares its "
        "attention among the keys, along the last axis.",
        over=-2,
    ),
    mistake(
        "softmax_over_heads",
        "The softmax runs over the heads. Each head and query shares its attention among the keys.",
        over=1,
    ),
    mistake(
        "no_softmax", "The scores themselves are used as weights; the softmax over the keys is missing.", form="none"
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
    # heads
    mistake(
        "heads_cut_across_tokens",
        "The projected tokens are reshaped straight to (batch, heads, seq, head_dim). The shape is right, and each "
        "“head” holds pieces of several tokens. Split the last axis first, then exchange heads and seq.",
        cut="reshaped",
    ),
    mistake(
        "heads_joined_across_tokens",
        "The heads' results are reshaped straight to (batch, seq, d_model), without bringing heads back behind seq. "
        "The shape is right, and tokens and heads are mixed.",
        join="reshaped",
    ),
    mistake(
        "heads_joined_interleaved",
        "The heads' results are interleaved channel by channel. They are to lie side by side, all of head 0 first.",
        join="strided",
    ),
    mistake(
        "heads_averaged",
        "The heads' results are averaged. They are to be laid side by side, each with channels of its own.",
        join="mean",
    ),
    mistake(
        "heads_attend_to_heads",
        "Heads attend to heads at each position: they were never brought before seq. The product of queries and keys "
        "is to run over positions.",
        sequence=1,
    ),
    mistake("one_head", "num_heads makes no difference: all channels form one head.", cut="one"),
    mistake(
        "every_hth_channel",
        "Head 0 gets the channels 0, h, 2h …: the last axis was split as (head_dim, heads). The rows of the weights "
        "are grouped by head, so it is (heads, head_dim).",
        cut="strided",
        join="strided",
    ),
    mistake(
        "every_hth_channel_cut",
        "Head 0 gets the channels 0, h, 2h …, and the heads are joined in blocks: cutting and joining don't fit each "
        "other. Rows are grouped by head, head_dim of them in a row.",
        cut="strided",
    ),
    mistake(
        "weights_transposed",
        "All weights are applied the wrong way round, x·W. They are stored (out, in), as in nn.Linear: x·Wᵀ is asked "
        "for. It fails where they are not square and goes unnoticed where they are.",
        turned="all",
    ),
    mistake(
        "input_weights_transposed",
        "w_q, w_k and w_v are applied as x·W. They are stored (out, in): x·Wᵀ is asked for.",
        turned="inputs",
    ),
    # output
    mistake(
        "output_weight_transposed",
        "w_o is applied as x·W. It is stored (out, in), like the others: x·Wᵀ is asked for.",
        turned="output",
    ),
    mistake("output_not_projected", "The joined heads are returned without going through w_o.", output="bare"),
    mistake(
        "residual_added",
        "x is added to the result. That is what the block around this layer does; here the layer alone is asked for.",
        output="residual",
    ),
    mistake(
        "no_gradient",
        "The result carries no gradient: it was computed under no_grad, or detached, so that nothing can learn.",
        output="detached",
    ),
    # craft
    mistake(
        "heads_not_checked",
        "A num_heads that does not divide the width of the heads ends in torch's own RuntimeError, deep inside (or "
        "in no error at all). The caller is better served by a ValueError.",
        craft=True,
        checked=False,
    ),
    mistake(
        "always_float32",
        "The result is float32 whatever came in. It should have the dtype of x: cast back at the end, and leave "
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
        "float16 scores overflow: above 65504 they are infinite, and the softmax of infinities is NaN. Cast to "
        "float32 before queries and keys are multiplied.",
        craft=True,
        precision="half",
    ),
]


attended = answering(reference)


@wrong(
    "x is overwritten in the call, so the caller's tokens are lost. Make new tensors instead of writing with `+=`, "
    "`[…] =` or `out=`."
)
def tokens_overwritten(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """Reuses the memory of x."""
    result = attended(x, *rest, *mask.values())
    x.copy_(result)
    return result


@wrong("The mask is inverted in place, so the caller's mask is changed after the call. `~mask` makes a new one.")
def mask_inverted_in_place(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """Saves one tensor."""
    *rest, given = (*rest, *mask.values(), *([] if mask or len(rest) > 6 else [None]))
    return attended(x, *rest, None if given is None else ~given.logical_not_())


@wrong(
    "A sequence of no tokens ends in an error: a reshape with −1 can't tell how many channels nothing is made of. "
    "Give head_dim as a number."
)
def empty_sequence_refused(x: Tensor, context: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """view(batch, length, heads, -1)."""
    if not x.numel() or not context.numel():
        raise RuntimeError("the unspecified dimension size -1 can be any value")
    return attended(x, context, *rest, *mask.values())


@wrong(
    "Heads are cut with d_model / h channels each, which fails wherever the heads' width is not d_model. Their width "
    "is that of the weights: the rows of w_q."
)
def heads_cut_by_d_model(x: Tensor, context: Tensor, w_q: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """x.shape[-1] // num_heads."""
    if x.shape[-1] != w_q.shape[0]:
        raise RuntimeError("shape is invalid for input")
    return attended(x, context, w_q, *rest, *mask.values())


@wrong(
    "Keys and values of the first context are kept for all later calls. What is kept must be told apart by what it "
    "was made from.",
    fresh=True,
)
def context_of_first_call() -> Callable[..., Tensor]:
    """A module-level cache."""
    kept: list[Tensor] = []

    def function(x: Tensor, context: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, *rest: Any, **mask: Any) -> Tensor:
        kept.extend([] if kept else [t.clone() for t in (context, w_k, w_v)])
        return attended(x, kept[0], w_q, *kept[1:], *rest, *mask.values())

    return function


@wrong(
    "Without any context the call ends in an error: there is no largest of no scores (`amax`, `max`). The result is "
    "zeros there; torch.softmax has no trouble with an empty axis."
)
def largest_of_nothing(x: Tensor, context: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """A softmax by hand."""
    if not context.shape[1]:
        raise IndexError("amax(): Expected reduction dim -1 to have non-zero size.")
    return attended(x, context, *rest, *mask.values())


@wrong(
    "The mask is asked whether it is true (`if mask:`), which a tensor of several entries refuses to say. `if mask "
    "is not None:` asks whether one was given."
)
def mask_asked_for_truth(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """if context_mask:"""
    *rest, given = (*rest, *mask.values(), *([] if mask or len(rest) > 6 else [None]))
    return attended(x, *rest, given if given else None)  # type: ignore[truthy-bool]


@wrong(
    "Python walks over the positions. That is right, and as slow as the sequence is long; one matrix product "
    "compares all queries with all keys.",
    craft=True,
)
def token_by_token(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """One row of the result at a time."""
    rows = [attended(x, *rest, *mask.values())[:, t : t + 1] for t in range(x.shape[1])]
    return torch.cat(rows, 1) if rows else attended(x, *rest, *mask.values())


@wrong(
    "A table is made without `device=`, so it lies on the CPU wherever x is. `device=x.device`, or `new_zeros` of a "
    "tensor at hand, puts it where it is needed.",
    craft=True,
)
def table_made_on_the_cpu(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """torch.zeros, bare."""
    return attended(x, *rest, *mask.values()) + torch.zeros(1)


@wrong(
    "The code asks a tensor for its values and decides in Python (`if mask.all()`, `if weights.isnan().any()`). On a "
    "GPU that waits for all work to finish, and torch.func.vmap refuses it. A `where` decides for each entry.",
    craft=True,
)
def branches_on_values(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """Repairs only where there is something to repair."""
    result = attended(x, *rest, *mask.values())
    return result if result.isfinite().all() else result.nan_to_num()


# ── Other right answers ─────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def additive_bias(
    x: Tensor,
    context: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    context_mask: Tensor | None = None,
) -> Tensor:
    """−inf added where something is left to see, weights of hidden tokens chosen away."""
    width = w_k.shape[0]
    if num_heads < 1 or width % num_heads:
        raise ValueError("num_heads must divide the width of the heads")
    size, wide = width // num_heads, torch.promote_types(x.dtype, torch.float32)
    q, k, v = (
        torch.einsum("bsi,hdi->bshd", t.to(wide), w.to(wide).reshape(num_heads, size, -1))
        for t, w in ((x, w_q), (context, w_k), (context, w_v))
    )
    seen = torch.ones_like(context[..., 0], dtype=torch.bool) if context_mask is None else context_mask
    hidden = (~seen & seen.any(-1, keepdim=True))[:, None, None]
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(size)
    weights = (scores + torch.zeros_like(scores).masked_fill(hidden, -math.inf)).softmax(-1)
    weights = torch.where(seen[:, None, None], weights, 0.0)
    return torch.einsum("bhqk,bkhd,ohd->bqo", weights, v, w_o.to(wide).reshape(-1, num_heads, size)).to(x.dtype)


HINTS = [
    hint("Write a name of its sequence at every tensor: whose are the queries, the keys, the values, and the result?"),
    hint(
        "The scores have a row for each token of x and a column for each token of the context. Which shapes give that?"
    ),
    hint("Choose sizes that all differ, lengths and widths. Most slips then fail at once instead of going unnoticed."),
    hint(
        "Change a token of the context. Which results should move? And when a token of x changes?",
        "keys_and_values_from_x",
        "roles_exchanged",
        "values_from_x",
        "keys_from_x",
        "context_alone",
    ),
    hint(
        "Which of the weights decides where a query looks, and which what it brings home?",
        "keys_and_values_exchanged",
        "queries_and_keys_exchanged",
    ),
    hint("Is any token of the context later than a token of x?", "causal_mask", "causal_mask_at_the_end"),
    hint(
        "Print the mask in the shape in which it meets the scores, (batch, heads, q_len, k_len), for two context "
        "tokens of which one is hidden.",
        "mask_inverted",
        "queries_hidden",
        "mask_of_first_sample",
        "mask_tiled_over_heads",
        "mask_aligned_with_heads",
        "context_zeroed_first",
    ),
    hint(
        "Take a batch with one sample whose context is all hidden. What are its scores, its weights, its result and, "
        "after backward, the gradients?",
        "average_of_hidden",
        "nan_without_context",
        "nan_repaired_in_heads",
        "nan_repaired_in_result",
        "nan_in_score_gradient",
    ),
    hint(
        "What is head_dim when w_q has 12 rows, x has 6 channels and there are 3 heads?",
        "head_dim_from_d_model",
        "scaled_by_d_model",
        "scaled_by_width",
        "scaled_by_heads",
    ),
]

QUIZ = [
    question(
        "x has 5 tokens and the context 7. How many weights does each head have, and over what do they sum to 1?",
        right("5 × 7, over the 7", "Each token of x shares its attention among the tokens of the context."),
        wrong_choice("5 × 7, over the 5", "That would let each context token share itself among the queries."),
        wrong_choice("7 × 5, over the 5", "That is the context asking x."),
        wrong_choice("7 × 7, over the last 7", "That is the context attending to itself."),
    ),
    question(
        "A decoder writes a translation token by token. What of its cross-attention can be computed once and kept?",
        right(
            "Keys and values of the context",
            "They depend on the context and two weights, and neither changes while writing.",
        ),
        wrong_choice("The queries", "They come from the tokens that are being written."),
        wrong_choice("The attention weights", "Each new token has a query of its own, and so weights of its own."),
        wrong_choice("Nothing", "The context stands still: its keys and values are the same at every step."),
    ),
    question(
        "Why is no causal mask used here, though the decoder's own self-attention has one?",
        right(
            "The context is complete before the first token is written",
            "Hiding the future guards what is yet to be predicted, and the context isn't.",
        ),
        wrong_choice("A softmax over the context is causal by itself", "A softmax knows nothing of order."),
        wrong_choice("The mask would not be square", "It could be any shape; there is just nothing to hide."),
        wrong_choice(
            "Because queries have no positions",
            "They may well have; what counts is whether a key lies in their future.",
        ),
    ),
    question(
        "Two tokens of x hold the same vector. What is true of their results?",
        right("They are equal", "Queries don't meet: each result depends on its own token and on the context alone."),
        wrong_choice("They differ by their positions", "Nothing here knows positions unless they were put into x."),
        wrong_choice("They share the attention, each getting half", "Every query has a whole of its own to share."),
        wrong_choice("The second sees the first", "In cross-attention tokens of x see the context, not each other."),
    ),
    question(
        "The whole context of one sample is masked, and hidden scores are filled with −1e9. What does the layer give "
        "there?",
        right(
            "The average of hidden values, through w_o",
            "Equal scores give equal weights, however low they are; so padding leaks in where nothing should.",
        ),
        wrong_choice("Zeros", "That is what is asked for; −1e9 alone does not give it."),
        wrong_choice("NaN", "That is what −inf gives: 0/0."),
        wrong_choice(
            "Very large negative numbers",
            "The −1e9 are scores and vanish in the softmax; the result is an average of values.",
        ),
    ),
]
