"""How multi_head_attention is graded: rows of the fused weight picked one by one, real keys alone, in float64."""

SECTION = "Attention"
LEVEL = 3
AFTER = (20,)
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

SIZES = (  # batch, seq, d_model, heads
    (2, 5, 12, 3),
    (3, 7, 10, 2),
    (1, 9, 6, 6),
    (2, 6, 5, 1),
)
SQUARE = (4, 4, 16, 4)  # comes first: what fails elsewhere gives numbers here, and numbers can be recognised
ROUGH = within(
    0.02
)  # for scores in the thousands, whose logsumexp is rounded to 2⁻¹²; what goes wrong there goes far wrong

# Three sums of d_model ≤ 16 terms lie one behind the other, and a score doubles what its query and its key are off: for
# tokens of unit variance and weights of variance 1/d_model some 50·u. Eight times that leaves room for rare draws and
# for gradients, which add up batch · seq ≤ 21 of it. Half precision is rounded once, after float32: ½ of its spacing.
close = within(
    {torch.float64: 400 * 2.0**-53, torch.float32: 400 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Factor = Callable[[int, int, int], float]  # (head_dim, heads, seq) → what scores are multiplied by
FACTORS: dict[str, Factor] = {
    "1/√head_dim": lambda d, h, s: d**-0.5,
    "1/√d_model": lambda d, h, s: (h * d) ** -0.5,
    "1/head_dim": lambda d, h, s: 1 / d,
    "1": lambda d, h, s: 1.0,
    "1/√heads": lambda d, h, s: h**-0.5,
}
Row = Callable[[int, int, int, int, int], int]  # (role, head, channel, heads, head_dim) → a row of w_qkv
LAYOUTS: dict[str, Row] = {
    "thirds": lambda r, i, c, h, d: (r * h + i) * d + c,
    "by head": lambda r, i, c, h, d: (i * 3 + r) * d + c,
    "by channel": lambda r, i, c, h, d: (i * d + c) * 3 + r,
    "every hth": lambda r, i, c, h, d: (r * d + c) * h + i,
    "head 0": lambda r, i, c, h, d: r * h * d + c,
}


def reference(
    x: Tensor,
    w_qkv: Tensor,
    b_qkv: Tensor | None,
    w_o: Tensor,
    b_o: Tensor | None,
    num_heads: int,
    key_padding_mask: Tensor | None = None,
    *,
    checked: bool = True,
    layout: str = "thirds",
    order: str = "qkv",
    in_bias: str = "added",
    cut: str = "rows",
    sequence: int = 2,
    factor: str = "1/√head_dim",
    polarity: bool = True,
    masking: str = "before",
    causal: bool = False,
    over: int = -1,
    form: str = "softmax",
    nothing: str = "zeros",
    join: str = "side by side",
    turned: bool = False,
    out_bias: str = "added",
    output: str = "projected",
    precision: str = "",
) -> Tensor:
    """Every row of w_qkv sought by its role, head and channel: (batch, seq, d_model) of float64."""
    if checked and (num_heads < 1 or x.shape[-1] % num_heads):
        raise ValueError("num_heads must divide d_model")
    dtype, heads = x.dtype, 1 if cut == "one" else num_heads
    biases = [None if b is None else b.double() for b in (b_qkv, b_o)]
    x, w_qkv, w_o = x.double(), w_qkv.double(), w_o.double()
    x = x * key_padding_mask[..., None] if masking == "tokens" and key_padding_mask is not None else x
    q, k, v = (
        _projected(x, w_qkv, biases[0], heads, LAYOUTS[layout], order.index(role), in_bias in ("added", role))
        for role in "qkv"
    )
    if masking == "keys and values" and key_padding_mask is not None:
        k, v = (t * key_padding_mask[:, None, :, None] for t in (k, v))
    if cut == "reshaped":
        q, k, v = (_joined(t, "side by side").reshape(t.shape) for t in (q, k, v))
    q, k, v = (t.to(dtype).double() if precision == "half" else t for t in (q, k, v))
    q, k, v = (t.transpose(sequence, 2) for t in (q, k, v))
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores.to(dtype).double() if precision == "half" else scores
    scores = scores * FACTORS[factor](q.shape[-1], heads, x.shape[1])
    visible = _visible(scores, key_padding_mask, polarity, masking, causal)
    mixed = torch.einsum("bhqk,bhkd->bhqd", _weights(scores, visible, masking, over, form, nothing), v)
    mixed = mixed.nan_to_num(nan=0.0) if nothing == "heads" else mixed
    joined = _joined(mixed.transpose(sequence, 2), join)
    joined = joined + biases[1] if out_bias == "before" and biases[1] is not None else joined
    result = joined if output == "bare" else torch.einsum("bsi,io->bso" if turned else "bsi,oi->bso", joined, w_o)
    result = result + biases[1] if out_bias == "added" and biases[1] is not None else result
    return _returned(result, x, key_padding_mask, output, nothing, precision, dtype)


def _returned(
    result: Tensor, x: Tensor, mask: Tensor | None, output: str, nothing: str, precision: str, dtype: torch.dtype
) -> Tensor:
    result = result.nan_to_num(nan=0.0) if nothing == "result" else result
    match output:
        case "residual":
            result = result + x
        case "padding zeroed" if mask is not None:
            result = result * mask[..., None]
        case "detached":
            result = result.detach()
    result = result.float() if precision == "float32" else result
    return result.float().to(dtype) if precision == "through float32" else result


def _projected(x: Tensor, w: Tensor, b: Tensor | None, heads: int, layout: Row, role: int, biased: bool) -> Tensor:
    """(batch, heads, seq, head_dim) through the rows of one role."""
    size = x.shape[-1] // heads
    rows = [[layout(role, i, c, heads, size) for c in range(size)] for i in range(heads)]
    picked = torch.tensor(rows, device=w.device)  # (heads, head_dim)
    projected = torch.einsum("bsi,hdi->bhsd", x, w[picked])
    return projected + b[picked][:, None, :] if biased and b is not None else projected


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


def _visible(scores: Tensor, mask: Tensor | None, polarity: bool, masking: str, causal: bool) -> Tensor:
    """Which key each query sees, in the shape of the scores."""
    if mask is None:
        visible = torch.ones_like(scores, dtype=torch.bool)
    elif masking == "queries":
        visible = (mask == polarity)[:, None, :, None].broadcast_to(scores.shape)
    elif masking == "both":
        visible = ((mask == polarity)[:, None, None] & (mask == polarity)[:, None, :, None]).broadcast_to(scores.shape)
    elif masking == "heads":
        visible = (mask == polarity)[:, None].broadcast_to(scores.shape)
    elif masking == "tiled":
        visible = (
            (mask == polarity).repeat(scores.shape[1], 1).reshape(*scores.shape[:2], 1, -1).broadcast_to(scores.shape)
        )
    else:
        visible = (mask[:1] if masking == "first sample" else mask) == polarity
        visible = visible[:, None, None].broadcast_to(scores.shape)
    return visible.tril() if causal else visible


def _weights(scores: Tensor, visible: Tensor, masking: str, over: int, form: str, nothing: str) -> Tensor:
    """(batch, heads, seq, seq) of float64."""
    everything = torch.ones_like(visible)
    match masking:
        case "ignored" | "tokens" | "keys and values":
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

Arguments = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, int]


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> Arguments:
    """Tokens, weights and biases, and the number of heads."""
    batch, seq, d, heads = size
    x, w_qkv, w_o = draw.normal(batch, seq, d, dtype=dtype), draw.normal(3 * d, d), draw.normal(d, d)
    w_qkv, w_o = ((w * d**-0.5).to(dtype) for w in (w_qkv, w_o))
    return x, w_qkv, draw.normal(3 * d, dtype=dtype), w_o, draw.normal(d, dtype=dtype), heads


def some_real(draw: Draw, batch: int, seq: int) -> Tensor:
    """A mask that calls about half of the tokens padding, and leaves every sample a real one."""
    return draw.mask(batch, seq).scatter(-1, draw.integers(0, seq, (batch, 1)), True)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`."""
    for size in SIZES[:2]:
        x, *rest = drawn(draw, size)
        yield call(x, *rest, like=x)


@check(points=1, explains=True)
def order_of_tokens(draw: Draw) -> Checking:
    """Nothing knows where a token stands: when tokens and mask are shuffled, the results are shuffled with them."""
    x, *rest = drawn(draw)
    mask, order = some_real(draw, 2, 5), draw.permutation(5)
    first = yield call(x, *rest, key_padding_mask=mask, like=x)
    again = yield call(x[:, order], *rest, key_padding_mask=mask[:, order], like=x)
    if at := apart(first[:, order], again, 1e-4):
        b, t, c = at
        one, other = first[b, int(order[t]), c], again[b, t, c]
        raise Failed(f"token {int(order[t])} gives {one:.6g}, and {other:.6g} when it stands at position {t}")


@check(points=1, explains=True)
def padding_stays_out(draw: Draw) -> Checking:
    """What stands in padded tokens does not reach the results of real ones."""
    x, *rest = drawn(draw, SIZES[1])
    mask = some_real(draw, 3, 7)
    mask[:, -1] = False
    first = yield call(x, *rest, key_padding_mask=mask, like=x)
    again = yield call(torch.where(mask[..., None], x, -x), *rest, key_padding_mask=mask, like=x)
    if apart(first[mask], again[mask], 1e-4):
        raise Failed("the results of real tokens change when padded tokens do")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    x, *rest = drawn(draw)
    asked = call(x, *rest, key_padding_mask=some_real(draw, 2, 5), like=x)
    yield from inputs_kept(asked, "x")
    yield from settings_kept(asked)


@check(points=4)
def values(draw: Draw) -> Checking:
    """Without a mask the values are right, for sizes that all differ, some that are equal, and one head."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), want=reference)


@check(points=1)
def without_biases(draw: Draw) -> Checking:
    """Either bias, or both, may be None."""
    for lacking in ((2,), (4,), (2, 4)):
        arguments = [None if i in lacking else a for i, a in enumerate(drawn(draw))]
        yield call(*arguments, key_padding_mask=some_real(draw, 2, 5), want=reference)


@check(points=3)
def padding(draw: Draw) -> Checking:
    """Padded tokens get no weight, at the end, at the start or in between."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), key_padding_mask=some_real(draw, *size[:2]), want=reference)
    lengths, places = torch.tensor([[2], [7], [4]]), torch.arange(7)
    for mask in (places < lengths, places >= lengths - 1):
        yield call(*drawn(draw, SIZES[1]), key_padding_mask=mask, want=reference)


@check(points=2)
def nothing_but_padding(draw: Draw) -> Checking:
    """A sample of nothing but padding gives b_o in every row, and the others are not disturbed."""
    mask = some_real(draw, 3, 7)
    mask[1] = False
    yield call(*drawn(draw, SIZES[1]), key_padding_mask=mask, want=reference)
    *arguments, _, heads = drawn(draw, SIZES[1])
    yield call(*arguments, None, heads, key_padding_mask=mask, want=reference)


@check(points=1)
def short_sequences(draw: Draw) -> Checking:
    """A sequence of one token, and one of none, are fine."""
    for seq in (2, 1, 0):
        yield call(*drawn(draw, (2, seq, 12, 3)), want=reference)
        yield call(*drawn(draw, (2, seq, 12, 3)), key_padding_mask=draw.mask(2, seq, share=1.0), want=reference)


@check(points=1)
def large_scores(draw: Draw) -> Checking:
    """Scores in the thousands give finite results, with and without padding."""
    x, *_, w_o, b_o, heads = drawn(draw, (2, 6, 8, 2))
    x, w, b = (draw.integers(-3, 4, shape).float() for shape in (x.shape, (24, 8), (24,)))  # whole: exact scores
    for mask in (None, some_real(draw, 2, 6)):
        yield call(x, w, b, w_o, b_o, heads, key_padding_mask=mask, want=reference, within=ROUGH)


@check(points=1)
def padding_above_all(draw: Draw) -> Checking:
    """Padding gets no weight, even where it scores thousands more than every real token."""
    _, w_qkv, _, *rest = drawn(draw, (2, 6, 8, 2))
    mask = torch.stack([draw.permutation(6) < 3 for _ in range(2)])
    x = draw.integers(2, 4, (2, 6, 8)).float() * torch.where(mask, 1, -1)[..., None]  # alike score low
    w = torch.cat([torch.eye(8), -500 * torch.eye(8), w_qkv[16:]])
    yield call(x, w, None, *rest, key_padding_mask=mask, want=reference, within=ROUGH)


@check(points=1)
def token_of_zeros(draw: Draw) -> Checking:
    """A token of zeros scores 0 with everything where there is no bias, and shares its attention evenly."""
    x, w_qkv, _, *rest = drawn(draw)
    x[:, 2] = 0.0
    yield call(x, w_qkv, None, *rest, key_padding_mask=some_real(draw, 2, 5), want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach x, both weights and both biases."""
    for size, mask in ((SIZES[0], None), (SIZES[1], some_real(draw, 3, 7))):
        x, *rest = drawn(draw, size)
        yield call(x, *rest, key_padding_mask=mask, cotangent=draw.normal(*x.shape), want=reference)


@check(points=1)
def gradient_of_nothing(draw: Draw) -> Checking:
    """A sample of nothing but padding sends zeros back through its heads, never NaN."""
    x, *rest = drawn(draw, SIZES[1])
    mask = some_real(draw, 3, 7)
    mask[1] = False
    yield call(x, *rest, key_padding_mask=mask, cotangent=draw.normal(*x.shape), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    _, w_qkv, b_qkv, w_o, b_o, heads = drawn(draw)
    mask = some_real(draw, 1, 5).expand(2, 5)
    turned = draw.normal(12, 36).T
    yield call(draw.normal(5, 2, 12).transpose(0, 1), turned, b_qkv, w_o.T, b_o, heads, mask, want=reference)
    sliced = draw.normal(2, 10, 24)[:, ::2, 1::2]
    yield call(sliced, w_qkv, draw.normal(72)[::2], w_o, b_o[:1].expand(12), heads, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and scores don't overflow on the way."""
    x, w_qkv, b_qkv, *rest = drawn(draw, SIZES[0], torch.float16)
    large = torch.tensor([2048, 2048, 1]).repeat_interleave(12)[:, None]
    yield call(x, w_qkv * large, b_qkv, *rest, want=reference)  # scores beyond float16, and far apart
    for dtype in (torch.float16, torch.bfloat16):
        yield call(*drawn(draw, SIZES[1], dtype), key_padding_mask=draw.mask(3, 7), want=reference)


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size in SIZES[:2]:
        arguments = *drawn(draw, size, torch.float64), some_real(draw, *size[:2])
        yield from exact_in_float64(call(*arguments, want=reference), close)


@check(craft=True)
def impossible_heads(draw: Draw) -> Checking:
    """A number of heads that does not divide d_model raises ValueError."""
    *arguments, _ = drawn(draw)
    yield call(*arguments, 4, want=reference)
    for heads in (5, 24, 0, -3):
        yield call(*arguments, heads, raises=ValueError)


@check(craft=True)
def empty_batch(draw: Draw) -> Checking:
    """An empty batch gives an empty result of the right shape."""
    yield call(*drawn(draw, (0, 5, 12, 3)), key_padding_mask=draw.mask(0, 5), want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    x, *rest = drawn(draw)
    yield from on_one_device(draw, call(x, *rest, some_real(draw, 2, 5), want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over several models at once with torch.func.vmap."""
    models = [torch.stack(pair) for pair in zip(drawn(draw)[:5], drawn(draw)[:5], strict=True)]
    for mask in (None, some_real(draw, 2, 5)):
        yield call(*models, num_heads=3, key_padding_mask=mask, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {n: call(*drawn(draw, (2, n, 6, 2)), some_real(draw, 2, n), want=reference) for n in (4, 12)}
    yield from no_loop_over("positions", calls)


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # the fused weight
    mistake(
        "head_by_head",
        "The rows of w_qkv are read head by head: query, key and value of head 0, then those of head 1 (the layout "
        "of GPT-NeoX and Megatron). Here all queries come first, then all keys, then all values.",
        layout="by head",
    ),
    mistake(
        "channel_by_channel",
        "The rows of w_qkv are read in groups of three, one channel's query, key and value side by side. Here the "
        "first third of the rows makes all queries.",
        layout="by channel",
    ),
    mistake(
        "every_hth_channel",
        "In each third, head 0 gets the channels 0, h, 2h …: the axis was split as (head_dim, heads). Rows are "
        "grouped by head, so it is (heads, head_dim).",
        layout="every hth",
    ),
    mistake(
        "first_head_repeated",
        "Every head computes what head 0 computes: the slice does not move on. Head i owns the rows i · head_dim up "
        "to (i + 1) · head_dim of each third.",
        layout="head 0",
    ),
    mistake("keys_before_queries", "The thirds are taken in the order k, q, v. They are q, k, v.", order="kqv"),
    mistake("values_before_keys", "The thirds are taken in the order q, v, k. They are q, k, v.", order="qvk"),
    mistake("values_first", "The thirds are taken in the order v, k, q. They are q, k, v.", order="vkq"),
    # biases
    mistake(
        "input_bias_dropped",
        "b_qkv makes no difference. It is added after w_qkv, to queries, keys and values alike.",
        in_bias="dropped",
    ),
    mistake(
        "input_bias_for_queries_alone",
        "b_qkv reaches the queries and neither keys nor values: each third has its own part of it.",
        in_bias="q",
    ),
    mistake(
        "input_bias_for_values_alone",
        "b_qkv reaches the values and not the queries: each third has its own part of it.",
        in_bias="v",
    ),
    mistake("output_bias_dropped", "b_o makes no difference. It is added after w_o.", out_bias="dropped"),
    mistake(
        "output_bias_before_projection",
        "b_o is added to the joined heads, before w_o. It belongs after it, as in x·Wᵀ + b.",
        out_bias="before",
    ),
    # padding
    mistake(
        "mask_inverted",
        "The mask is read the other way round: real tokens are hidden and padding is attended to. True means a real "
        "token here; nn.MultiheadAttention says it the other way.",
        polarity=False,
    ),
    mistake(
        "mask_ignored", "The mask makes no difference: padding gets weight like all other tokens.", masking="ignored"
    ),
    mistake(
        "queries_hidden",
        "The mask is laid along the queries, so padded tokens see nothing, and real ones still see the padding. It "
        "speaks of keys, the last axis of the scores.",
        masking="queries",
    ),
    mistake(
        "queries_hidden_too",
        "The mask hides padded queries as well as padded keys. It hides keys alone; the row of a padded token is "
        "computed like any other.",
        masking="both",
    ),
    mistake(
        "padded_rows_zeroed",
        "The result's rows at padded tokens are set to 0. The mask hides keys alone; a padded token's own row is "
        "computed like any other, and whoever calls ignores it.",
        output="padding zeroed",
    ),
    mistake(
        "keys_zeroed",
        "Keys and values of padding are set to 0 and then attended to like the others: a key of zeros scores 0, and "
        "exp(0) is 1. Hide the keys, in the scores.",
        masking="keys and values",
    ),
    mistake(
        "tokens_zeroed_first",
        "Padded tokens of x are set to 0 before anything else, and then attended to like the others: a key of zeros "
        "(or of the bias) still gets weight, exp(0) at least. Hide the keys, in the scores.",
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
        "tokens have (batch, heads). So heads meet the masks of other samples. `repeat_interleave`, or a broadcast "
        "axis, keeps the order.",
        masking="tiled",
    ),
    mistake(
        "mask_after_softmax",
        "Padding is taken out after the softmax, so the weights of real tokens no longer sum to 1. Hide it before.",
        masking="after",
    ),
    mistake(
        "shared_again_after_softmax",
        "Padding is taken out after the softmax and the rest divided by its sum. On paper that is the same; but "
        "padding with a large score has taken all of the weight, and 0/0 is NaN. Hide it before the softmax.",
        masking="shared again",
    ),
    mistake(
        "padding_scores_zero",
        "Scores of padding are multiplied by 0, and 0 is a score like any other: exp(0) is 1. A hidden score must be "
        "−inf.",
        masking="zeroed",
    ),
    mistake(
        "scores_of_zero_hidden",
        "Whatever scores exactly 0 is hidden, as if only padding could. A token of zeros scores 0 with everything. "
        "Hide by the mask, never by value.",
        masking="zero hides",
    ),
    mistake(
        "mask_added",
        "The bool mask is added to the scores: +1 for real tokens, which favours them a little and hides nothing.",
        masking="added",
    ),
    mistake(
        "hidden_score_lowered",
        "A fixed amount is taken off the scores of padding (−10⁴ is added). A key whose score lies as much above "
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
        "average_of_padding",
        "In a sample of padding alone all values are averaged. Filling with a low number (−1e9, finfo.min) makes all "
        "scores equal, and equal scores give even weights. The heads should give zeros there.",
        masking="filled low",
    ),
    mistake(
        "nan_from_padding_alone",
        "A sample of padding alone gives NaN: the softmax of nothing but −inf is 0/0. Its weights should be zeros, "
        "so that b_o is left.",
        nothing="nan",
    ),
    mistake(
        "nan_repaired_in_heads",
        "The result is right, but NaN is left in gradients. The NaN weights of a sample of padding were allowed to "
        "meet the values, and the repair came after. Backwards, 0 · NaN is NaN: put the weights right before they "
        "are used.",
        nothing="heads",
    ),
    mistake(
        "nan_repaired_in_result",
        "NaN is replaced at the very end, so a sample of padding alone gives 0 where b_o is asked for. The weights "
        "are where it goes wrong: put them right before they are used.",
        nothing="result",
    ),
    mistake(
        "nan_in_score_gradient",
        "The result is right, but NaN is left in gradients. −inf was *added* to the scores, so what comes back "
        "through the softmax of a row that sees nothing (NaN) flows on. Filling lets no gradient through.",
        nothing="bias",
    ),
    mistake(
        "causal_uninvited",
        "Tokens don't see those that come after them. An encoder looks both ways: no causal mask is asked for.",
        causal=True,
    ),
    # scores and weights
    mistake(
        "scaled_by_d_model",
        "Scores are divided by √d_model. A score adds up the head_dim products of one head, so √head_dim is what it "
        "grows by.",
        factor="1/√d_model",
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
        "The largest of *all* scores of a row is taken off before exp, those of padding included. Where one of them "
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
    # output
    mistake(
        "output_weight_transposed",
        "w_o is applied as x·W. It is stored (out, in), like the others: x·Wᵀ is asked for.",
        turned=True,
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
        "A num_heads that does not divide d_model ends in torch's own RuntimeError, deep inside (or in no error at "
        "all). The caller is better served by a ValueError.",
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
    *rest, given = (*rest, *mask.values(), *([] if mask or len(rest) > 5 else [None]))
    return attended(x, *rest, None if given is None else ~given.logical_not_())


@wrong("A bias of None ends in an error. None adds nothing.")
def biases_required(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """Adds whatever comes."""
    if rest[1] is None or rest[3] is None:
        raise TypeError("a tensor and None can't be added")
    return attended(x, *rest, *mask.values())


@wrong(
    "A sequence of no tokens ends in an error: a reshape with −1 can't tell how many channels nothing is made of. "
    "Give head_dim as a number."
)
def empty_sequence_refused(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """view(batch, seq, heads, -1)."""
    if not x.numel():
        raise RuntimeError("the unspecified dimension size -1 can be any value")
    return attended(x, *rest, *mask.values())


@wrong(
    "The mask is asked whether it is true (`if mask:`), which a tensor of several entries refuses to say. `if mask "
    "is not None:` asks whether one was given."
)
def mask_asked_for_truth(x: Tensor, *rest: Any, **mask: Tensor | None) -> Tensor:
    """if key_padding_mask:"""
    *rest, given = (*rest, *mask.values(), *([] if mask or len(rest) > 5 else [None]))
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
    w_qkv: Tensor,
    b_qkv: Tensor | None,
    w_o: Tensor,
    b_o: Tensor | None,
    num_heads: int,
    key_padding_mask: Tensor | None = None,
) -> Tensor:
    """−inf added where something is left to see, weights of padding chosen away."""
    batch, seq, width = x.shape
    if num_heads < 1 or width % num_heads:
        raise ValueError("num_heads must divide d_model")
    wide = torch.promote_types(x.dtype, torch.float32)
    flat = torch.matmul(x.to(wide), w_qkv.to(wide).mT) + (0.0 if b_qkv is None else b_qkv.to(wide))
    q, k, v = (
        (t.reshape(batch, seq, num_heads, -1) for t in flat.split(width, -1))
        if x.numel()
        else [x[..., None].to(wide)] * 3
    )
    real = torch.ones_like(x[..., 0], dtype=torch.bool) if key_padding_mask is None else key_padding_mask
    hidden = (~real & real.any(-1, keepdim=True))[:, None, None]
    scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * (width // num_heads) ** -0.5
    weights = (scores + torch.zeros_like(scores).masked_fill(hidden, -math.inf)).softmax(-1)
    weights = torch.where(real[:, None, None], weights, 0.0)
    joined = torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape)
    return (joined @ w_o.to(wide).mT + (0.0 if b_o is None else b_o.to(wide))).to(x.dtype)


HINTS = [
    hint(
        "Do it without biases, mask and heads first: three projections, a softmax, a product. Then add one at a time."
    ),
    hint(
        "Write the order of the rows of w_qkv down as three nested words, the slowest first. That is the order in "
        "which to unfold the last axis."
    ),
    hint(
        "The mask is (batch, seq) and the scores are (batch, heads, seq, seq). Which of the four axes does it speak of?"
    ),
    hint(
        "Set x to one token and w_qkv to rows 0, 1, 2, … times a constant. What does head 1's query come out as, and "
        "which rows should it hold?",
        "head_by_head",
        "channel_by_channel",
        "every_hth_channel",
        "first_head_repeated",
        "keys_before_queries",
        "values_before_keys",
        "values_first",
    ),
    hint(
        "Take a batch with one sample of padding alone. What are its scores, its weights, its heads, and what is "
        "left after w_o and b_o?",
        "average_of_padding",
        "nan_from_padding_alone",
        "nan_repaired_in_result",
    ),
    hint(
        "Call backward with one sample of padding alone in the batch and print the gradients. Which line lets NaN "
        "through on the way back?",
        "nan_repaired_in_heads",
        "nan_in_score_gradient",
    ),
    hint(
        "Print the mask in the shape in which it meets the scores, for two tokens of which the second is padding.",
        "mask_inverted",
        "queries_hidden",
        "queries_hidden_too",
        "padded_rows_zeroed",
        "tokens_zeroed_first",
        "mask_of_first_sample",
        "mask_tiled_over_heads",
        "mask_aligned_with_heads",
    ),
    hint(
        "Put torch.arange(seq * d_model).reshape(1, seq, d_model) through your cutting and look at head 0: is it the "
        "first channels of every token?",
        "heads_cut_across_tokens",
        "heads_joined_across_tokens",
        "heads_joined_interleaved",
        "heads_attend_to_heads",
    ),
]

QUIZ = [
    question(
        "The part of b_qkv that belongs to the keys is changed. What happens to the result?",
        right(
            "Nothing",
            "It adds q · b to all scores of a query alike, and a softmax ignores what all its entries share. Some "
            "models leave it out.",
        ),
        wrong_choice("Every row is shifted by the change", "That is what the values' part does, through w_o."),
        wrong_choice("The weights become more even", "All scores of a query move together, so their differences stay."),
        wrong_choice("Only the first token changes", "Nothing here knows which token is first."),
    ),
    question(
        "A sentence of 3 tokens is padded to 8. With a right mask, the results of its 3 tokens are those of …",
        right("the 3 tokens alone", "Padding has weight 0, so it might as well not be there."),
        wrong_choice("the 3 tokens and 5 zero vectors", "A zero vector scores 0 and would get weight exp(0)."),
        wrong_choice("the 8 tokens, scaled by 3/8", "The weights of the 3 sum to 1 by themselves."),
        wrong_choice("the 3 tokens, but only without biases", "Padding is hidden whatever its keys and values are."),
    ),
    question(
        "Weights of a GPT-NeoX layer (head by head) are loaded as if they were stored in thirds. What is seen?",
        right(
            "No error, and results that are wrong throughout",
            "Both layouts have the shape (3·d_model, d_model); only the meaning of the rows differs.",
        ),
        wrong_choice("A shape error", "The shapes are the same, which is why this mistake is so common."),
        wrong_choice(
            "Right results with exchanged heads",
            "Rows of queries land among keys and values; that is more than an exchange of heads.",
        ),
        wrong_choice(
            "Right results: a softmax doesn't mind the order",
            "It doesn't mind the order of keys, but these are channels.",
        ),
    ),
    question(
        "The tokens of a sentence are reversed, and no positions are encoded. What comes out?",
        right("The same rows, reversed", "Every token meets the same keys and values, only listed in another order."),
        wrong_choice("The same rows in the same order", "Each row belongs to its token, and moves with it."),
        wrong_choice("Entirely different rows", "That takes positions, or a causal mask."),
        wrong_choice("The rows with opposite sign", "Nothing here changes a sign."),
    ),
    question(
        "nn.MultiheadAttention takes a key_padding_mask in which True means *ignore*. What must be done with the "
        "mask of this problem?",
        right("It must be inverted: ~mask", "Here True is a real token."),
        wrong_choice(
            "Nothing, both are bool", "The same dtype says the opposite, and padding would be all that is attended to."
        ),
        wrong_choice(
            "It must be cast to float", "A float mask is *added* there; 1.0 would favour real tokens a little."
        ),
        wrong_choice(
            "It must be expanded to (batch, seq, seq)",
            "That is what attn_mask is for; key_padding_mask is (batch, seq) there too.",
        ),
    ),
]
