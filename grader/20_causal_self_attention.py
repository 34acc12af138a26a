"""How causal_self_attention is graded: heads cut out by slices, each query over its own past, in float64."""

SECTION = "Attention"
LEVEL = 2
AFTER = (3, 6, 19)
VERSION = 2
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
    (4, 4, 16, 4),
    (1, 9, 6, 6),
    (2, 6, 5, 1),
)
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
    "√head_dim": lambda d, h, s: d**0.5,
    "1/√seq": lambda d, h, s: max(s, 1) ** -0.5,
    "1/√heads": lambda d, h, s: h**-0.5,
}


def reference(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    num_heads: int,
    *,
    checked: bool = True,
    roles: str = "qkv",
    turned: str = "",
    blocks: str = "",
    cut: str = "slices",
    factor: str = "1/√head_dim",
    sequence: int = 2,
    sees: str = "past",
    masking: str = "before",
    over: int = -1,
    form: str = "softmax",
    join: str = "side by side",
    output: str = "projected",
    detached: bool = False,
    precision: str = "",
) -> Tensor:
    """Every head's slice of the channels, every query's past: (batch, seq, d_model) of float64."""
    if checked and (num_heads < 1 or x.shape[-1] % num_heads):
        raise ValueError("num_heads must divide d_model")
    dtype, heads = x.dtype, 1 if cut == "one" else num_heads
    x, w_q, w_k, w_v, w_o = (t.double() for t in (x, w_q, w_k, w_v, w_o))
    within_heads = (
        torch.block_diag(*[x.new_ones(x.shape[-1] // heads, x.shape[-1] // heads)] * heads) if blocks else None
    )
    w_q, w_k, w_v = (w * within_heads if blocks == "inputs" else w for w in (w_q, w_k, w_v))
    w_o = w_o * within_heads if blocks == "output" else w_o
    given = dict(zip(roles, (w_q, w_k, w_v), strict=True))
    flat = (_through(x, given[role], turned in ("all", "inputs")) for role in "qkv")
    flat = (t.to(dtype) for t in flat) if precision == "half" else flat
    q, k, v = (_cut(t, heads, cut).transpose(sequence, 2) for t in flat)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores.double() if precision == "half" else scores
    scores = scores * FACTORS[factor](q.shape[-1], heads, x.shape[1])
    mixed = torch.einsum("bhqk,bhkd->bhqd", _weights(scores, sees, masking, over, form), v.double())
    joined = _joined(mixed.transpose(sequence, 2), join)
    result = joined if output == "bare" else _through(joined, w_o, turned in ("all", "output"))
    result = result + x if output == "residual" else result.detach() if detached else result
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
        case "head 0":
            return torch.stack([flat[..., :size]] * heads, 1)
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


def _weights(scores: Tensor, sees: str, masking: str, over: int, form: str) -> Tensor:
    """(batch, heads, seq, seq) of float64."""
    everything = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device)
    visible = {
        "past": everything.tril(),
        "everything": everything,
        "future": everything.triu(),
        "strict past": everything.tril(-1),
        "one ahead": everything.tril(1),
        "backwards": everything.tril().flip(-1),
    }[sees]
    match masking:
        case "zeroed":
            scores, visible = scores * visible, everything
        case "zero hides":
            visible = scores * visible != 0
        case "after":
            return _shares(scores, everything, over, form) * visible
        case "shared again":
            left = _shares(scores, everything, over, form).float() * visible
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
    return _shares(scores, visible, over, form)


def _shares(scores: Tensor, visible: Tensor, over: int, form: str) -> Tensor:
    """The softmax over the visible scores along one axis, with no help of torch.softmax."""
    if not scores.numel() or form == "none":
        return torch.where(visible, scores, 0.0)
    below = torch.where(visible, scores, -math.inf)
    top = below.detach().amax() if form == "one shift" else below.detach().amax(over, keepdim=True)
    below = below if form == "unshifted" else below - top
    each = below.float().exp().double() if form in ("unshifted", "one shift") else below.exp()
    return each / each.sum(over, keepdim=True)


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

Arguments = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, int]


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> Arguments:
    """Tokens, four weights and the number of heads."""
    batch, seq, d, heads = size
    q, k, v, o = ((draw.normal(d, d) * d**-0.5).to(dtype) for _ in range(4))
    return draw.normal(batch, seq, d, dtype=dtype), q, k, v, o, heads


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `x`."""
    for size in SIZES[:2]:
        x, *rest = drawn(draw, size)
        yield call(x, *rest, like=x)


@check(points=1, explains=True)
def future_is_hidden(draw: Draw) -> Checking:
    """When tokens change, the results before them stay as they are."""
    x, *rest = drawn(draw, SIZES[1])
    first = yield call(x, *rest, like=x)
    for t in (1, 4, 6):
        other = torch.cat([x[:, :t], draw.normal(3, 7 - t, 10)], 1)
        again = yield call(other, *rest, like=x)
        if at := apart(first[:, :t], again[:, :t], 1e-4):
            raise Failed(f"the result at position {at[1]} changes when the tokens from {t} on do")


@check(points=1, explains=True)
def prefix(draw: Draw) -> Checking:
    """What comes out for a position is the same when the sequence ends there."""
    x, *rest = drawn(draw, SIZES[1])
    full = yield call(x, *rest, like=x)
    for n in (1, 4):
        part = yield call(x[:, :n].clone(), *rest, like=x[:, :n])
        if at := apart(part, full[:, :n], 1e-4):
            p = at[1]
            raise Failed(f"position {p} comes out differently in a sequence of {n} and in one of 7")


@check(points=1, explains=True)
def first_token(draw: Draw) -> Checking:
    """Token 0 sees itself alone: its result is W_o W_v x₀, whatever the other weights hold."""
    x, w_q, w_k, w_v, w_o, heads = drawn(draw)
    came = yield call(x, w_q, w_k, w_v, w_o, heads, like=x)
    want = x[:, 0] @ w_v.T @ w_o.T
    if at := apart(came[:, 0], want, 1e-4):
        b, c = at
        raise Failed(f"channel {c} of token 0 is {came[b, 0, c]:.6g} where W_o W_v x₀ is {want[b, c]:.6g}")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    x, *rest = drawn(draw)
    asked = call(x, *rest, like=x)
    yield from inputs_kept(asked, "x")
    yield from settings_kept(asked)


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right, for sizes that all differ, some that are equal, one head, and heads of one channel."""
    for size in SIZES:
        yield call(*drawn(draw, size), want=reference)


@check(points=1)
def short_sequences(draw: Draw) -> Checking:
    """A sequence of one token, and one of none, are fine."""
    for seq in (2, 1, 0):
        yield call(*drawn(draw, (2, seq, 12, 3)), want=reference)


@check(points=1)
def large_scores(draw: Draw) -> Checking:
    """Scores in the thousands give finite results."""
    x, *_, w_o, heads = drawn(draw, (2, 6, 8, 2))
    x, q, k, v = (draw.integers(-3, 4, t).float() for t in (x.shape, (8, 8), (8, 8), (8, 8)))  # whole: exact scores
    yield call(x, q, k, v, w_o, heads, want=reference, within=ROUGH)


@check(points=1)
def future_above_all(draw: Draw) -> Checking:
    """The future gets no weight, even where it scores thousands more than all of the past."""
    *_, w_v, w_o, heads = drawn(draw, (2, 6, 8, 2))
    x = draw.integers(2, 4, (2, 6, 8)).float() * torch.tensor([1, 1, 1, -1, -1, -1])[:, None]  # alike score low
    yield call(x, torch.eye(8), -500 * torch.eye(8), w_v, w_o, heads, want=reference, within=ROUGH)


@check(points=1)
def token_of_zeros(draw: Draw) -> Checking:
    """A token of zeros, as padding often is, scores 0 with everything, and shares its attention evenly."""
    x, *rest = drawn(draw)
    x[:, 2] = 0.0
    yield call(x, *rest, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach x and all four weights."""
    for size in SIZES[:2]:
        x, *rest = drawn(draw, size)
        yield call(x, *rest, cotangent=draw.normal(*x.shape), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    x, w_q, w_k, w_v, w_o, heads = drawn(draw)
    yield call(draw.normal(5, 2, 12).transpose(0, 1), w_q.T, w_k, w_v.T, w_o.T, heads, want=reference)
    yield call(x[:1].expand(4, 5, 12), *draw.normal(4, 12, 12).unbind(), heads, want=reference)
    yield call(draw.normal(2, 10, 24)[:, ::2, 1::2], w_q, w_k, w_v, draw.normal(12, 24)[:, ::2], heads, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and scores don't overflow on the way."""
    x, q, k, v, o, heads = drawn(draw, SIZES[0], torch.float16)
    yield call(x, q * 2048, k * 2048, v, o, heads, want=reference)  # scores beyond float16, and far apart
    for dtype in (torch.float16, torch.bfloat16):
        yield call(*drawn(draw, SIZES[1], dtype), want=reference)


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size in SIZES[:2]:
        yield from exact_in_float64(call(*drawn(draw, size, torch.float64), want=reference), close)


@check(craft=True)
def impossible_heads(draw: Draw) -> Checking:
    """A number of heads that does not divide d_model raises ValueError."""
    x, *weights, _ = drawn(draw)
    yield call(x, *weights, 4, want=reference)
    for heads in (5, 24, 0, -3):
        yield call(x, *weights, heads, raises=ValueError)


@check(craft=True)
def empty_batch(draw: Draw) -> Checking:
    """An empty batch gives an empty result of the right shape."""
    yield call(*drawn(draw, (0, 5, 12, 3)), want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    x, *rest = drawn(draw)
    yield from on_one_device(draw, call(x, *rest, want=reference), x)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over several models at once with torch.func.vmap."""
    models = [torch.stack(pair) for pair in zip(drawn(draw)[:5], drawn(draw)[:5], strict=True)]
    yield call(*models, num_heads=3, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    calls = {seq: call(*drawn(draw, (2, seq, 6, 2)), want=reference) for seq in (4, 12)}
    yield from no_loop_over("positions", calls)


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # who sees whom
    mistake(
        "no_mask",
        "Every token sees every other, those after it as well. In training such a model reads the answer off the "
        "next token. The future must be hidden from each query.",
        sees="everything",
    ),
    mistake(
        "sees_the_future",
        "The mask is the wrong triangle: tokens see themselves and the future, and the past is hidden. Rows are "
        "queries and columns keys; a query sees the columns up to its own.",
        sees="future",
    ),
    mistake(
        "one_token_ahead",
        "Each token also sees the one after it: the diagonal from which the future is hidden lies one too far. That "
        "is the very token the model is to predict.",
        sees="one ahead",
    ),
    mistake(
        "self_excluded",
        "No token sees itself, so token 0 sees nothing and comes out as NaN. The diagonal belongs to what is "
        "visible: hide only what is *strictly* above it.",
        sees="strict past",
    ),
    mistake(
        "self_excluded_filled",
        "No token sees itself. Token 0 then sees nothing, and because hidden scores are filled with a low number "
        "(not −inf), it averages all tokens, the future too. The diagonal belongs to what is visible.",
        sees="strict past",
        masking="filled low",
    ),
    mistake(
        "anti_diagonal",
        "The triangle is mirrored left to right, so that token 0 sees everything and the last one only key 0. A flip "
        "turns the columns around and leaves the rows.",
        sees="backwards",
    ),
    # how the future is hidden
    mistake(
        "future_scores_zero",
        "Scores of the future are multiplied by 0, and 0 is a score like any other: exp(0) is 1. A hidden score must "
        "be −inf, whose weight is 0.",
        masking="zeroed",
    ),
    mistake(
        "mask_after_softmax",
        "The future is taken out after the softmax, so the weights of the past no longer sum to 1. Hide it before, "
        "so that the softmax shares the whole among what is visible.",
        masking="after",
    ),
    mistake(
        "shared_again_after_softmax",
        "The future is taken out after the softmax and the rest divided by its sum. On paper that is the same; but "
        "where a hidden score is large it has taken all of the weight, and 0/0 is NaN. Hide it before the softmax.",
        masking="shared again",
    ),
    mistake(
        "scores_of_zero_hidden",
        "Whatever scores exactly 0 is hidden, as if only the future could (`scores == 0` after a tril). A token of "
        "zeros scores 0 with everything it may see. Hide by position, never by value.",
        masking="zero hides",
    ),
    mistake(
        "mask_added",
        "A mask of 0 and 1 is added to the scores, which favours the past a little and hides nothing. What is added "
        "must be 0 where a key is visible and −inf where it is not.",
        masking="added",
    ),
    mistake(
        "hidden_score_lowered",
        "A fixed amount is taken off the scores of the future (−10⁴ is added). A token whose score lies as much above "
        "those of the past is seen all the same. A hidden score has to *become* −inf (`masked_fill`, `where`).",
        masking="lowered",
    ),
    mistake(
        "zero_times_infinity",
        "The result is NaN: a mask of 0 and 1 is multiplied by −inf, and 0 · inf is NaN. Choose between two values "
        "(`masked_fill`, `where`, `triu` of a table of −inf).",
        masking="0 × −inf",
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
        "scale_upside_down",
        "Scores are multiplied by √head_dim where they should be divided by it.",
        factor="√head_dim",
    ),
    mistake(
        "scaled_by_seq",
        "Scores are divided by the square root of the sequence length. It is the width of a head that counts: look "
        "at which axis of the shape is read, after the heads were cut.",
        factor="1/√seq",
    ),
    mistake(
        "scaled_by_heads",
        "Scores are divided by √num_heads. It is the width of a head that counts: look at which axis of the shape is "
        "read.",
        factor="1/√heads",
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
        "no_softmax",
        "The visible scores themselves are used as weights; the softmax over the keys is missing.",
        form="none",
    ),
    mistake(
        "largest_of_all_scores",
        "The largest of *all* scores of a row is taken off before exp, those of the future included. Where one of them "
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
        "heads_never_exchanged",
        "Both reshapes lack their exchange of axes: tokens are cut into heads, and heads joined to tokens, in memory "
        "order. Each head then holds pieces of several tokens.",
        cut="reshaped",
        join="reshaped",
    ),
    mistake(
        "every_hth_channel",
        "Head 0 gets the channels 0, h, 2h …: the last axis was split as (head_dim, heads). The rows of the weights "
        "are grouped by head, so it is (heads, head_dim).",
        cut="strided",
        join="strided",
    ),
    mistake(
        "every_hth_channel_cut",
        "The last axis is split as (head_dim, heads) when heads are cut, while they are joined the right way. Rows "
        "are grouped by head: (heads, head_dim).",
        cut="strided",
    ),
    mistake(
        "heads_joined_interleaved",
        "The heads' results are interleaved channel by channel. They are to lie side by side, all of head 0 first: "
        "each head's channels stay together.",
        join="strided",
    ),
    mistake(
        "one_head",
        "num_heads makes no difference: all channels form one head. Each head attends on its own, with head_dim = "
        "d_model / num_heads.",
        cut="one",
    ),
    mistake(
        "heads_averaged",
        "The heads' results are averaged. They are to be laid side by side, each with channels of its own.",
        join="mean",
    ),
    mistake(
        "first_head_repeated",
        "Every head computes what head 0 computes: the slice does not move on. Head i owns rows i · head_dim up to "
        "(i + 1) · head_dim.",
        cut="head 0",
    ),
    mistake(
        "heads_attend_to_heads",
        "Heads attend to heads at each position: the heads were cut, and never brought before seq. The product of "
        "queries and keys is to run over positions.",
        sequence=1,
    ),
    mistake(
        "heads_see_their_channels_alone",
        "Each head reads its own slice of the *incoming* channels. Only the rows of w_q, w_k and w_v are grouped by "
        "head; each row meets all channels of x.",
        blocks="inputs",
    ),
    mistake(
        "heads_write_their_channels_alone",
        "w_o is applied in blocks, each head to its own channels, so that heads never meet. Every row of w_o takes "
        "in the channels of all heads.",
        blocks="output",
    ),
    # weights
    mistake(
        "weights_transposed",
        "All weights are applied the wrong way round, x·W. They are stored (out, in), as in nn.Linear, and square, "
        "so nothing complains: x·Wᵀ is asked for.",
        turned="all",
    ),
    mistake(
        "input_weights_transposed",
        "w_q, w_k and w_v are applied as x·W. They are stored (out, in): x·Wᵀ is asked for, as w_o has it.",
        turned="inputs",
    ),
    mistake(
        "output_weight_transposed",
        "w_o is applied as x·W. It is stored (out, in), like the others: x·Wᵀ is asked for.",
        turned="output",
    ),
    mistake(
        "queries_and_keys_exchanged",
        "w_q makes the keys and w_k the queries. Without a mask one would be the other's transpose; with one it "
        "matters who asks.",
        roles="kqv",
    ),
    mistake("keys_and_values_exchanged", "w_k makes the values and w_v the keys.", roles="qvk"),
    mistake("queries_and_values_exchanged", "w_q makes the values and w_v the queries.", roles="vkq"),
    mistake(
        "output_not_projected",
        "The joined heads are returned as they are. w_o is still to take them to the output.",
        output="bare",
    ),
    mistake(
        "residual_added",
        "x is added to the result. That is what the block around this layer does; here the layer alone is asked for.",
        output="residual",
    ),
    mistake(
        "no_gradient",
        "The result carries no gradient: it was computed under no_grad, or detached, so that nothing can learn.",
        detached=True,
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


@wrong(
    "x is overwritten in the call, so the caller's tokens are lost. Make new tensors instead of writing with `+=`, "
    "`[…] =` or `out=`."
)
def tokens_overwritten(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """Reuses the memory of x."""
    result = reference(x, w_q, w_k, w_v, w_o, num_heads).to(x.dtype)
    x.copy_(result)
    return result


@wrong(
    "The mask of the first call is kept for all later ones, so a longer sequence doesn't fit it. Make the mask for "
    "this call's length.",
    fresh=True,
)
def mask_of_first_call() -> Callable[..., Tensor]:
    """A module-level cache."""
    kept: list[int] = []

    def function(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
        result = reference(x, w_q, w_k, w_v, w_o, num_heads).to(x.dtype)
        kept.append(x.shape[1])
        if x.shape[1] > kept[0]:
            raise RuntimeError("the mask is too small")
        return result

    return function


@wrong(
    "A sequence of no tokens ends in an error: a reshape with −1 can't tell how many channels nothing is made of. "
    "Give head_dim as a number."
)
def empty_sequence_refused(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """view(batch, seq, heads, -1)."""
    if not x.numel():
        raise RuntimeError("the unspecified dimension size -1 can be any value")
    return reference(x, w_q, w_k, w_v, w_o, num_heads).to(x.dtype)


@wrong(
    "Python walks over the positions. That is right, and as slow as the sequence is long; one matrix product "
    "compares all queries with all keys.",
    craft=True,
)
def token_by_token(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """The last token of every prefix."""
    every = [reference(x[:, : t + 1], w_q, w_k, w_v, w_o, num_heads)[:, t:] for t in range(x.shape[1])]
    return torch.cat([reference(x[:, :0], w_q, w_k, w_v, w_o, num_heads), *every], 1).to(x.dtype)


@wrong(
    "The mask is made without `device=`, so it lies on the CPU wherever x is. `device=x.device` puts it where it is "
    "needed.",
    craft=True,
)
def mask_made_on_the_cpu(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """torch.ones, bare."""
    return reference(x, w_q, w_k, w_v, w_o, num_heads).to(x.dtype) * torch.ones(1, 1)


# ── Other right answers ─────────────────────────────────────────────────────────────────────────────────────────────


def checked(x: Tensor, num_heads: int) -> int:
    """The width of a head, where there is one."""
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError("num_heads must divide d_model")
    return x.shape[-1] // num_heads


@accepted
def one_matrix_product(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """The three weights stacked, one permute, and an additive table of −inf."""
    size, wide = checked(x, num_heads), torch.promote_types(x.dtype, torch.float32)
    both = x.to(wide) @ torch.cat([w_q, w_k, w_v]).to(wide).mT
    q, k, v = both.unflatten(-1, (3, num_heads, size)).permute(2, 0, 3, 1, 4).unbind()
    table = torch.full((x.shape[1], x.shape[1]), -math.inf, dtype=wide, device=x.device).triu(1)
    weights = torch.softmax(torch.matmul(q / math.sqrt(size), k.transpose(-1, -2)) + table, dim=-1)
    return (torch.matmul(weights, v).permute(0, 2, 1, 3).reshape(x.shape) @ w_o.to(wide).mT).to(x.dtype)


@accepted
def loop_over_heads(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, num_heads: int) -> Tensor:
    """Each head with its own rows of the weights, and its own columns of w_o."""
    size, wide = checked(x, num_heads), torch.promote_types(x.dtype, torch.float32)
    tokens, total = x.to(wide), torch.zeros_like(x, dtype=wide)
    positions = torch.arange(x.shape[1], device=x.device)
    for rows in (slice(i * size, (i + 1) * size) for i in range(num_heads)):
        q, k, v = (tokens @ w[rows].to(wide).T for w in (w_q, w_k, w_v))
        scores = torch.baddbmm(q.new_zeros(()), q, k.mT, beta=0, alpha=size**-0.5)
        scores = scores.where(positions[:, None] >= positions, torch.finfo(wide).min)
        total = total + scores.softmax(-1) @ v @ w_o[:, rows].to(wide).T
    return total.to(x.dtype)


HINTS = [
    hint(
        "Draw the shapes: (batch, seq, d_model) → three of (batch, heads, seq, head_dim) → (batch, heads, seq, seq) "
        "→ and back."
    ),
    hint("Get it right without a mask for one head first; then cut into heads; then hide the future."),
    hint("Change the last token of a sequence. Which results may move, and which do?"),
    hint(
        "Print the mask for four tokens. Row i is a query: which columns should it see?",
        "sees_the_future",
        "one_token_ahead",
        "self_excluded",
        "self_excluded_filled",
        "anti_diagonal",
        "no_mask",
        "scores_of_zero_hidden",
    ),
    hint(
        "Which score has the weight exp(score) = 0? And when is it decided how the whole is shared?",
        "future_scores_zero",
        "mask_after_softmax",
        "shared_again_after_softmax",
        "mask_added",
        "zero_times_infinity",
    ),
    hint(
        "Put torch.arange(seq * d_model).reshape(1, seq, d_model) through your cutting and look at head 0: is it the "
        "first channels of every token?",
        "heads_cut_across_tokens",
        "heads_joined_across_tokens",
        "heads_never_exchanged",
        "every_hth_channel",
        "every_hth_channel_cut",
        "heads_joined_interleaved",
        "first_head_repeated",
        "heads_attend_to_heads",
    ),
    hint(
        "Take weights that are not square for a moment: (out, in) = (6, 4). Which product is possible, and which one "
        "do you have?",
        "weights_transposed",
        "input_weights_transposed",
        "output_weight_transposed",
    ),
    hint(
        "How many products does one score add up, after the heads were cut?",
        "scaled_by_d_model",
        "root_forgotten",
        "not_scaled",
        "scale_upside_down",
        "scaled_by_seq",
        "scaled_by_heads",
    ),
]

QUIZ = [
    question(
        "d_model is 512 and there are 8 heads. By what are scores divided?",
        right("8", "Each head has 64 channels, and √64 = 8. That there are 8 heads too is chance."),
        wrong_choice("√512 ≈ 22.6", "A score adds up the products of one head, not of the whole width."),
        wrong_choice("64", "That is head_dim; its square root is what a sum of head_dim random products grows by."),
        wrong_choice("√8 ≈ 2.8", "The number of heads plays no part in a score."),
    ),
    question(
        "What is the result for token 0 when w_q and w_k change?",
        right("The same as before", "It sees itself alone, so its only weight is 1, whatever the score."),
        wrong_choice("It depends on the softmax", "A softmax over one score is 1, always."),
        wrong_choice(
            "It becomes zero", "Token 0 sees its own value; only a mask without its diagonal would leave it nothing."
        ),
        wrong_choice("It takes on the value of token 1", "Token 1 is in its future."),
    ),
    question(
        "A model trained without the causal mask reaches a loss near 0, and writes nonsense. Why?",
        right(
            "It read the next token off its own input",
            "Each position saw the token it was to predict. When writing, that token isn't there yet.",
        ),
        wrong_choice("It has learned too fast", "A small loss is no fault in itself; here the task was given away."),
        wrong_choice("Its weights have become NaN", "Then the loss would be NaN as well."),
        wrong_choice("Its softmax is too peaked", "That is a matter of the scale, and shows in training."),
    ),
    question(
        "With 8 heads in place of 1, at the same d_model, the four weight matrices hold …",
        right("as many numbers", "Heads cut the same channels into groups; head_dim shrinks as the number grows."),
        wrong_choice("8 times as many", "That would be so if every head had the full width."),
        wrong_choice("an eighth", "The matrices stay (d_model, d_model)."),
        wrong_choice("8 more biases", "There are none here, and their number would not depend on heads either."),
    ),
    question(
        "Of seq × seq weights in a head, how many can differ from zero?",
        right("seq · (seq + 1) / 2", "Row t has t + 1 visible keys: 1 + 2 + … + seq."),
        wrong_choice("seq · (seq − 1) / 2", "The diagonal is missing: each token sees itself."),
        wrong_choice("seq²", "Half of the table lies in the future."),
        wrong_choice("seq", "That would be each token by itself, a window of 1."),
    ),
]
