"""How sliding_window_attention is graded: every query over the keys of its window, in float64."""

SECTION = "Attention"
LEVEL = 3
AFTER = (4, 19)
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
SIZES = (  # batch, heads, seq, head_dim, window
    (2, 3, 7, 4, 3),
    (3, 2, 9, 5, 2),
    (1, 4, 6, 8, 4),
    (2, 1, 5, 7, 1),
    (1, 2, 4, 3, 9),
)
SQUARE = (7, 7, 7, 7, 3)  # comes first: what fails elsewhere gives numbers here, and numbers can be recognised

# A score is a sum of head_dim ≤ 8 products and one factor: for draws of unit variance it is off by some 8·u, which
# moves a weight by twice that; summing at most 9 weighted values adds as many u. Eight times the 24·u that this comes
# to leaves room for rare draws and every order of summing. Half precision is rounded once, after float32: ½ of its
# spacing.
close = within(
    {torch.float64: 192 * 2.0**-53, torch.float32: 192 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)

ROUGH = within(0.02)  # a logsumexp of thousands is rounded to 2⁻¹² and its exp with it; what goes wrong goes far wrong


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Factor = Callable[[int, int, int, int], float]  # (head_dim, heads, seq, window) → what scores are multiplied by
FACTORS: dict[str, Factor] = {
    "1/√head_dim": lambda d, h, s, w: d**-0.5,
    "1/head_dim": lambda d, h, s, w: 1 / d,
    "1": lambda d, h, s, w: 1.0,
    "√head_dim": lambda d, h, s, w: d**0.5,
    "1/√width": lambda d, h, s, w: max(h * d, 1) ** -0.5,
    "1/√seq": lambda d, h, s, w: max(s, 1) ** -0.5,
    "1/√window": lambda d, h, s, w: max(w, 1) ** -0.5,
}
Sees = Callable[[int, int, int, int], bool]  # (query i, key j, window, seq) → whether the key is visible
SEES: dict[str, Sees] = {
    "window": lambda i, j, w, s: 0 <= i - j < w,
    "one more": lambda i, j, w, s: 0 <= i - j <= w,
    "one less": lambda i, j, w, s: 0 <= i - j < w - 1,
    "before": lambda i, j, w, s: 0 < i - j <= w,
    "strict past": lambda i, j, w, s: 0 < i - j < w,
    "both sides": lambda i, j, w, s: abs(i - j) < w,
    "half on each side": lambda i, j, w, s: abs(i - j) <= w // 2,
    "future": lambda i, j, w, s: 0 <= j - i < w,
    "past": lambda i, j, w, s: j <= i,
    "one ahead": lambda i, j, w, s: -1 <= i - j < w,
    "future open": lambda i, j, w, s: i - j < w,
    "everything": lambda i, j, w, s: True,
    "outside": lambda i, j, w, s: not 0 <= i - j < w,
    "far past": lambda i, j, w, s: i - j >= w,
    "block of 64": lambda i, j, w, s: 0 <= i - j < w and i // 64 == j // 64,
    "two blocks of 64": lambda i, j, w, s: 0 <= i - j < w and i // 64 - j // 64 <= 1,
    "chunk": lambda i, j, w, s: j <= i and i // max(w, 1) == j // max(w, 1),
    "whole chunk": lambda i, j, w, s: i // max(w, 1) == j // max(w, 1),
    "two chunks": lambda i, j, w, s: j <= i and i // max(w, 1) - j // max(w, 1) <= 1,
    "first keys": lambda i, j, w, s: j <= i and j < w,
    "last keys": lambda i, j, w, s: j >= s - w,
    "last keys of the past": lambda i, j, w, s: j <= i and j >= s - w,
    "every window-th": lambda i, j, w, s: j <= i and (i - j) % max(w, 1) == 0,
    "with key 0": lambda i, j, w, s: 0 <= i - j < w or j == 0,
    "round": lambda i, j, w, s: (i - j) % s < w,
}


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    window: int,
    *,
    checked: bool = True,
    roles: str = "qkv",
    factor: str = "1/√head_dim",
    sequence: int = 2,
    sees: str = "window",
    masking: str = "before",
    over: int = -1,
    form: str = "softmax",
    detached: bool = False,
    precision: str = "",
) -> Tensor:
    """The softmax over the visible scores alone, times their values: (batch, heads, seq, head_dim) of float64."""
    if checked and window < 1:
        raise ValueError("window must be at least 1")
    dtype = q.dtype
    given = dict(zip(roles, (q, k, v), strict=True))
    q, k, v = (given[role].double().transpose(sequence, 2) for role in "qkv")
    _, heads, seq, size = q.shape
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k)
    scores = scores.to(dtype).double() if precision == "half scores" else scores
    scores = scores * FACTORS[factor](size, heads, seq, window)
    rows = [[SEES[sees](i, j, window, seq) for j in range(seq)] for i in range(seq)]
    visible = torch.tensor(rows, dtype=torch.bool, device=q.device).reshape(seq, seq)
    weights = _weights(scores, visible, window, masking, over, form)
    weights = weights.detach() if detached else weights
    mixed = torch.einsum("bhqk,bhkd->bhqd", weights, v).transpose(sequence, 2)
    mixed = mixed.float() if precision == "float32" else mixed
    return mixed.float().to(dtype) if precision == "through float32" else mixed


def _weights(scores: Tensor, visible: Tensor, window: int, masking: str, over: int, form: str) -> Tensor:
    """(batch, heads, seq, seq) of float64."""
    everything = torch.ones_like(visible)
    seq = visible.shape[0]
    match masking:
        case "zeroed":
            scores, visible = scores * visible, everything
        case "zero hides":
            visible = scores * visible != 0
        case "after":
            return _shares(scores, everything, over, form) * visible
        case "after the past":
            return _shares(scores, everything.tril(), over, form) * visible
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
            scores = scores + (~visible).double() * -INF
        case "filled low":
            scores, visible = torch.where(visible, scores, -1e9), everything
        case "filled −10⁴":
            scores, visible = torch.where(visible, scores, -1e4), everything
        case "padded":
            short = (window - 1 - torch.arange(seq, device=scores.device)).clamp_min(0)
            return _shares(scores, visible, over, form, short.double())
        case "key 0 again" if seq:
            short = (window - 1 - torch.arange(seq, device=scores.device)).clamp_min(0)
            times = torch.cat([(1 + short)[:, None], torch.ones_like(visible[:, 1:], dtype=torch.int64)], 1)
            scores = scores + times.double().log()
    return _shares(scores, visible, over, form)


def _shares(scores: Tensor, visible: Tensor, over: int, form: str, zeros: Tensor | None = None) -> Tensor:
    """The softmax over the visible scores along one axis; `zeros` counts scores of 0 that a row has in addition."""
    if not scores.numel() or form == "none":
        return torch.where(visible, scores, 0.0)
    below = torch.where(visible, scores, -INF)
    if zeros is not None:
        each = below.exp()
        return each / (each.sum(-1, keepdim=True) + zeros[:, None])
    top = below.detach().amax() if form == "one shift" else below.detach().amax(over, keepdim=True)
    below = below if form == "unshifted" else below - top
    each = below.float().exp().double() if form in ("unshifted", "one shift") else below.exp()
    return each / each.sum(over, keepdim=True)


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """Queries, keys and values of one size; the window is the last of its numbers."""
    return [draw.normal(*size[:4], dtype=dtype) for _ in range(3)]


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has the shape of `q`."""
    for size in SIZES[:2]:
        q, k, v = drawn(draw, size)
        yield call(q, k, v, size[4], like=q)


@check(points=1, explains=True)
def reach(draw: Draw) -> Checking:
    """A key and its value reach their own position and the window − 1 after it, and no other."""
    q, k, v = drawn(draw, (2, 3, 9, 5))
    first = yield call(q, k, v, 3, like=q)
    for j in (0, 4, 7):
        place = torch.arange(9)[:, None] == j
        again = yield call(q, torch.where(place, k + 2.0, k), torch.where(place, 9.0 - v, v), 3, like=q)
        moved = ((first - again).abs() > 1e-4).flatten(3).any(3).flatten(0, 1).any(0).nonzero().flatten().tolist()
        if moved != list(range(j, min(j + 3, 9))):
            which = ", ".join(map(str, moved)) or "none"
            raise Failed(f"with window 3, when key and value {j} of 9 change, these positions do: {which}")


@check(points=1, explains=True)
def window_of_one(draw: Draw) -> Checking:
    """With a window of 1 each token sees itself alone, and the result is `v`."""
    q, k, v = drawn(draw)
    came = yield call(q, k, v, 1, like=q)
    if at := apart(came, v, 1e-4):
        raise Failed(f"with window 1 the result at {list(at)} is {came[at]:.6g} and v {v[at]:.6g}")


@check(points=1, explains=True)
def prefix(draw: Draw) -> Checking:
    """What comes out for a position is the same when the sequence ends there."""
    q, k, v = drawn(draw, (2, 3, 9, 5))
    full = yield call(q, k, v, 3, like=q)
    for n in (1, 4, 8):
        part = yield call(*(t[:, :, :n].clone() for t in (q, k, v)), 3, like=q[:, :, :n])
        if at := apart(part, full[:, :, :n], 1e-4):
            raise Failed(f"position {at[2]} comes out differently in a sequence of {n} and in one of 9")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    q, k, v = drawn(draw)
    asked = call(q, k, v, 3, like=q)
    yield from inputs_kept(asked, "q", "k", "v")
    yield from settings_kept(asked)


@check(points=4)
def values(draw: Draw) -> Checking:
    """The values are right, for sizes that all differ and for some that are equal."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), size[4], want=reference)


@check(points=2)
def windows(draw: Draw) -> Checking:
    """Every window is right: odd, even, one that the sequence is no multiple of, as long as the sequence, longer."""
    q, k, v = drawn(draw, (2, 2, 10, 4))
    for window in (3, 4, 2, 5, 1, 9, 10, 11, 1000):
        yield call(q, k, v, window, want=reference)


@check(points=1)
def short_sequences(draw: Draw) -> Checking:
    """A sequence of one token, and one of none, are fine."""
    for seq in (2, 1, 0):
        for window in (1, 3):
            yield call(*drawn(draw, (2, 3, seq, 4)), window, want=reference)


@check(points=1)
def long_sequences(draw: Draw) -> Checking:
    """A long sequence is right throughout, with short windows and with long ones, whatever blocks it is cut into."""
    for window in (2, 40, 150, 280):
        yield call(*drawn(draw, (1, 1, 301, 2)), window, want=reference, within=ROUGH)


@check(points=1)
def large_scores(draw: Draw) -> Checking:
    """Scores in the thousands give finite results."""
    q, k = (draw.integers(-3, 4, (2, 3, 8, 4)).float() for _ in range(2))  # whole: exact scores
    yield call(512 * q, k, draw.normal(2, 3, 8, 4), 3, want=reference, within=ROUGH)


@check(points=1)
def low_scores(draw: Draw) -> Checking:
    """Among visible scores of −10⁵ a hidden key stays hidden."""
    q, k = ((1 + draw.integers(0, 3, shape)).float() for shape in ((2, 3, 8, 4), (2, 3, 8, 4)))  # whole: exact scores
    yield call(-32768 * q, k, draw.normal(2, 3, 8, 4), 3, want=reference, within=ROUGH)


@check(points=1)
def query_of_zeros(draw: Draw) -> Checking:
    """A query of zeros, as padding often is, scores 0 with every key, and shares its attention evenly."""
    q, k, v = drawn(draw)
    q[:, :, 4] = 0.0
    yield call(q, k, v, 3, want=reference)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach q, k and v."""
    for size in SIZES[:3]:
        q, k, v = drawn(draw, size)
        yield call(q, k, v, size[4], cotangent=draw.normal(*q.shape), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    q, k, v = draw.normal(2, 7, 3, 4), draw.normal(2, 3, 4, 7), draw.normal(2, 1, 7, 4)
    yield call(q.transpose(1, 2), k.mT, v.expand(2, 3, 7, 4), 3, want=reference)
    yield call(draw.normal(2, 6, 7, 8)[:, ::2, :, 1::2], k.mT, draw.normal(2, 3, 14, 4)[:, :, ::2], 2, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and scores don't overflow on the way."""
    for dtype in (torch.float16, torch.bfloat16):
        for size in SIZES[:2]:
            yield call(*drawn(draw, size, dtype), size[4], want=reference)
    q, k, v = drawn(draw, SIZES[0], torch.float16)
    yield call(q * 2048, k * 2048, v, 3, want=reference)  # scores beyond float16, and far apart


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size in SIZES[:3]:
        yield from exact_in_float64(call(*drawn(draw, size, torch.float64), size[4], want=reference), close)


@check(craft=True)
def impossible_window(draw: Draw) -> Checking:
    """A window below 1 raises ValueError."""
    q, k, v = drawn(draw)
    yield call(q, k, v, 3, want=reference)
    for window in (0, -2):
        yield call(q, k, v, window, raises=ValueError)


@check(craft=True)
def empty_sizes(draw: Draw) -> Checking:
    """No batch row and no head give empty results of the right shape."""
    for b, h in ((0, 3), (2, 0)):
        yield call(*drawn(draw, (b, h, 7, 4)), 3, want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    q, k, v = drawn(draw)
    yield from on_one_device(draw, call(q, k, v, 3, want=reference), q)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    q, k, v = (torch.stack(pair) for pair in zip(drawn(draw), drawn(draw), strict=True))
    yield call(q, k, v, window=3, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over single positions."""
    calls = {seq: call(*drawn(draw, (1, 1, seq, 2)), 16, want=reference) for seq in (16, 64)}
    yield from no_loop_over("positions", calls, spare=96)  # 1 and 4 blocks as long as the window


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # the window
    mistake(
        "self_not_counted",
        "Each token sees itself and `window` more: the bound on how far back it looks is one too generous. The window "
        "counts the token itself.",
        sees="one more",
    ),
    mistake(
        "window_too_short",
        "Each token sees one key too few, and with a window of 1 none at all, so that NaN comes out. The window counts "
        "the token itself: `window` keys in all.",
        sees="one less",
    ),
    mistake(
        "window_before_the_token",
        "The window ends just before the token, which doesn't see itself; position 0 sees nothing. The token is the "
        "last one of its own window.",
        sees="before",
    ),
    mistake(
        "self_excluded",
        "No token sees itself, so position 0 sees nothing and comes out as NaN. How many steps behind itself is a "
        "token? That number must pass your comparison.",
        sees="strict past",
    ),
    mistake(
        "self_excluded_filled",
        "No token sees itself. Position 0 then sees nothing, and because hidden scores are filled with a low number "
        "(not −inf), it averages all values, the future too.",
        sees="strict past",
        masking="filled low",
    ),
    mistake(
        "window_too_short_filled",
        "Each token sees one key too few. With a window of 1 it sees none, and because hidden scores are filled with a "
        "low number (not −inf), it averages all values, the future too.",
        sees="one less",
        masking="filled low",
    ),
    mistake(
        "both_sides",
        "The window reaches as far into the future as into the past: only the distance was asked for, without its "
        "sign. A query never sees a key after it.",
        sees="both sides",
    ),
    mistake(
        "half_on_each_side",
        "The window lies around the token, half of it in the future. The token is its last one.",
        sees="half on each side",
    ),
    mistake(
        "window_in_the_future",
        "Each token sees itself and those after it: the band lies on the wrong side of the diagonal. Rows are queries "
        "and columns keys; which sign has row − column for the past?",
        sees="future",
    ),
    mistake(
        "window_ignored",
        "Every token sees its whole past: the window makes no difference.",
        sees="past",
    ),
    mistake(
        "future_one_ahead",
        "Each token sees the one after it as well: the bound on the future is one too generous (`tril(1)`, or < where "
        "<= belongs).",
        sees="one ahead",
    ),
    mistake(
        "future_open",
        "What lies too far back is hidden, and the future is not: the second of two bounds is missing.",
        sees="future open",
    ),
    mistake(
        "no_mask",
        "Every token sees every other, in the past and in the future. Neither bound is there.",
        sees="everything",
    ),
    mistake(
        "mask_inverted",
        "What should be visible is hidden, and the rest is visible. Is your mask True where a key may be seen, or "
        "where it is hidden?",
        sees="outside",
    ),
    mistake(
        "only_the_far_past",
        "Each token sees just what lies *behind* its window, and the window itself is hidden along with the future.",
        sees="far past",
    ),
    mistake(
        "disjoint_chunks",
        "The sequence is cut into chunks of `window` tokens, and each token sees the past of its own chunk. The first "
        "of a chunk then sees nothing behind it. The window slides: each query has one of its own.",
        sees="chunk",
    ),
    mistake(
        "whole_chunks",
        "The sequence is cut into chunks of `window` tokens, and each token sees its whole chunk, the future in it "
        "too. The window slides: each query has one of its own, and is the last in it.",
        sees="whole chunk",
    ),
    mistake(
        "two_whole_chunks",
        "Each token sees its own chunk and the one before, all of it. That is how a fast kernel *fetches* keys; inside "
        "of what was fetched, those more than window − 1 steps behind are still to be hidden.",
        sees="two chunks",
    ),
    mistake(
        "blocks_cut_off",
        "The positions are treated in blocks of 64, and the keys end where the block begins: the window of its first "
        "queries reaches further back, into the block before.",
        sees="block of 64",
    ),
    mistake(
        "one_block_before",
        "The positions are treated in blocks of 64 with the keys of one more block in front, whatever the window is. A "
        "longer one needs more of them: window − 1 keys before the block.",
        sees="two blocks of 64",
    ),
    mistake(
        "window_stands_at_the_start",
        "Every token sees the first `window` keys only. The window moves along with the query.",
        sees="first keys",
    ),
    mistake(
        "window_stands_at_the_end",
        "Every token sees the last `window` keys of the sequence, the future too. That would suit the last query; each "
        "has a window of its own.",
        sees="last keys",
    ),
    mistake(
        "window_stands_at_the_end_causal",
        "Keys are cut to the last `window` of the sequence, so early tokens see nothing. That would suit the last "
        "query; each has a window of its own.",
        sees="last keys of the past",
    ),
    mistake(
        "wraps_around",
        "The window of the first tokens wraps around to the end of the sequence: a negative index (or `roll`, or a "
        "remainder) starts again from behind. Before position 0 there is nothing.",
        sees="round",
    ),
    mistake(
        "every_windowth_key",
        "Each token sees itself and every `window`-th key before it (a dilated window, as some models have). Here the "
        "keys stand next to each other.",
        sees="every window-th",
    ),
    mistake(
        "first_key_always_seen",
        "Besides its window each token sees key 0 (an attention sink, as some models keep one). Here the window is "
        "all.",
        sees="with key 0",
    ),
    # what stands before the start
    mistake(
        "padding_attended",
        "The keys were padded with zeros in front so that every window is full, and the padding gets weight: a score "
        "of 0 is a score like any other. The first tokens have fewer keys; hide the padding.",
        masking="padded",
    ),
    mistake(
        "first_token_repeated",
        "The windows of the first tokens are filled up with token 0, which then counts several times (an index was "
        "clamped to 0). They have fewer keys; hide what isn't there.",
        masking="key 0 again",
    ),
    # how the rest is hidden
    mistake(
        "hidden_scores_zero",
        "Scores outside of the window are 0, and 0 is a score like any other: exp(0) is 1. A hidden score must be "
        "−inf, whose weight is 0.",
        masking="zeroed",
    ),
    mistake(
        "hidden_score_not_low_enough",
        "Hidden keys get a score that is low, but not lower than scores may be: among visible scores of −10⁵ a −10⁴ "
        "takes all of the weight. −inf is below every number.",
        masking="filled −10⁴",
    ),
    mistake(
        "hidden_score_lowered",
        "A fixed amount is taken off the scores of hidden keys (−10⁴ is added). A key whose score lies as much above "
        "those in the window is seen all the same. A hidden score has to *become* −inf (`masked_fill`, `where`).",
        masking="lowered",
    ),
    mistake(
        "mask_after_softmax",
        "Weights outside of the window are set to 0 after the softmax, so the rest sums to less than 1. Hide them "
        "before it.",
        masking="after",
    ),
    mistake(
        "window_after_softmax",
        "The softmax shares the weights among the whole past, and those behind the window are set to 0 after it, so "
        "the rest sums to less than 1. Hide all that is hidden before it.",
        masking="after the past",
    ),
    mistake(
        "shared_again_after_softmax",
        "Weights outside of the window are taken out after the softmax and the rest divided by its sum. On paper that "
        "is the same; but where a hidden score is large it has taken all of the weight, and 0/0 is NaN.",
        masking="shared again",
    ),
    mistake(
        "scores_of_zero_hidden",
        "Whatever scores exactly 0 is hidden, as if only keys outside of the window could (`scores == 0` after a tril "
        "or triu). A query of zeros scores 0 with all. Hide by position, never by value.",
        masking="zero hides",
    ),
    mistake(
        "mask_added",
        "A mask of 0 and 1 is added to the scores, which favours the window a little and hides nothing.",
        masking="added",
    ),
    mistake(
        "zero_times_infinity",
        "The result is NaN: a mask of 0 and 1 is multiplied by −inf, and 0 · inf is NaN. Choose between two values "
        "(`masked_fill`, `where`).",
        masking="0 × −inf",
    ),
    # scores and weights
    mistake("root_forgotten", "Scores are divided by head_dim and not by its square root.", factor="1/head_dim"),
    mistake("not_scaled", "Scores are not scaled: the factor 1/√head_dim is missing.", factor="1"),
    mistake(
        "scale_upside_down",
        "Scores are multiplied by √head_dim where they should be divided by it.",
        factor="√head_dim",
    ),
    mistake(
        "scaled_by_model_width",
        "Scores are divided by √(heads · head_dim). A score adds up the head_dim products of one head.",
        factor="1/√width",
    ),
    mistake(
        "scaled_by_seq",
        "Scores are divided by √seq. A score adds up head_dim products: look at which axis of the shape is read.",
        factor="1/√seq",
    ),
    mistake(
        "scaled_by_window",
        "Scores are divided by √window. How many keys are compared doesn't matter, but how many products a score adds "
        "up.",
        factor="1/√window",
    ),
    mistake(
        "softmax_over_queries",
        "The softmax runs over the queries. Each query shares its attention among its keys, along the last axis.",
        over=-2,
    ),
    mistake(
        "softmax_over_heads",
        "The softmax runs over the heads. Each head and query shares its attention among its keys, along the last "
        "axis.",
        over=1,
    ),
    mistake("no_softmax", "The visible scores are used as weights; the softmax over them is missing.", form="none"),
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
    mistake(
        "heads_attend_to_heads",
        "The axes are taken to be (batch, seq, heads, head_dim), so heads attend to heads. Here heads come second and "
        "positions third.",
        sequence=1,
    ),
    mistake("keys_and_values_exchanged", "Queries are compared with the values, and the keys averaged.", roles="qvk"),
    mistake(
        "queries_and_keys_exchanged",
        "The keys ask and the queries are asked. Without a mask one table of scores would be the other's transpose; "
        "with one it matters who asks.",
        roles="kqv",
    ),
    mistake(
        "weights_without_gradient",
        "The gradient reaches v alone: the weights were computed under no_grad, or detached.",
        detached=True,
    ),
    # craft
    mistake(
        "window_not_checked",
        "A window below 1 gives NaN or whatever else. The caller is better served by a ValueError.",
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


@wrong(
    "q is scaled in place, so the caller's queries are changed after the call. Make a new tensor: q * scale, not q *= "
    "scale."
)
def query_scaled_in_place(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Saves one tensor."""
    q *= q.shape[-1] ** -0.5
    return attended(q, k, v, window, factor="1")


@wrong(
    "The mask of the first call is kept for all later ones, whatever their window. Make the mask for this call.",
    fresh=True,
)
def mask_of_first_call() -> Callable[..., Tensor]:
    """A module-level cache by length."""
    kept: dict[int, int] = {}

    def function(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
        return attended(q, k, v, kept.setdefault(q.shape[2], window))

    return function


@wrong(
    "The keys of each window are cut out with a slice that begins at i − window + 1, below 0 for the first tokens. A "
    "negative index counts from the end, so the slice is empty (or holds keys of the future). Begin at 0 at least."
)
def window_cut_from_behind(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """k[:, :, i - window + 1 : i + 1]."""
    checked = attended(q[:, :, :0], k[:, :, :0], v[:, :, :0], window)
    each = []
    for i in range(q.shape[2]):
        keys, values = (t[:, :, i - window + 1 : i + 1].double() for t in (k, v))
        scores = q[:, :, i : i + 1].double() @ keys.mT * q.shape[-1] ** -0.5
        each.append(scores.softmax(-1) @ values)
    return torch.cat([checked.double(), *each], 2).to(q.dtype)


@wrong(
    "A window below 1 is quietly taken for 1. The caller has made a mistake, and a ValueError says so.",
    craft=True,
)
def window_raised_to_one(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """max(window, 1)."""
    return attended(q, k, v, max(window, 1))


@wrong(
    "A window longer than the sequence ends in an error: windows of `window` keys were cut out of fewer (`unfold`, a "
    "negative width). It is plain causal attention."
)
def long_window_refused(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """unfold without padding."""
    if window > q.shape[2] > 0:
        raise RuntimeError("maximum size for tensor at dimension 2 is smaller than the window")
    return attended(q, k, v, window)


@wrong(
    "Python walks over the positions. That is right, and as slow as the sequence is long; tensor operations treat all "
    "queries, or a block of them, at once.",
    craft=True,
)
def position_by_position(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Each query with a slice of the keys."""
    checked = attended(q[:, :, :0], k[:, :, :0], v[:, :, :0], window)
    starts = [max(0, i + 1 - window) for i in range(q.shape[2])]
    each = [
        (q[:, :, i : i + 1].double() @ k[:, :, a : i + 1].double().mT * q.shape[-1] ** -0.5).softmax(-1)
        @ v[:, :, a : i + 1].double()
        for i, a in enumerate(starts)
    ]
    return torch.cat([checked.double(), *each], 2).to(q.dtype)


@wrong(
    "The positions, or the mask, are made without `device=`, so they lie on the CPU wherever the arguments are. "
    "`device=q.device` puts them where they are needed.",
    craft=True,
)
def mask_made_on_the_cpu(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """torch.ones, bare."""
    return attended(q, k, v, window) * torch.ones(1, 1)


@wrong(
    "The positions are made on the CPU with torch.arange, without `device=`. `device=q.device` puts them where they "
    "are needed.",
    craft=True,
    family="mask_made_on_the_cpu",
)
def positions_made_on_the_cpu(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """torch.arange, bare."""
    return attended(q, k, v, window) * (torch.arange(1) + 1)


# ── Other right answers ─────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def triangles(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """A band out of two triangles, added as a table of 0 and −inf."""
    if window < 1:
        raise ValueError("window")
    x, seq = torch.promote_types(q.dtype, torch.float32), q.shape[2]
    band = torch.ones(seq, seq, dtype=torch.bool, device=q.device).tril().triu(1 - window)
    table = torch.zeros(seq, seq, dtype=x, device=q.device).masked_fill(band.logical_not(), -INF)
    scores = torch.einsum("bhid,bhjd->bhij", q.to(x), k.to(x)) / math.sqrt(q.shape[-1])
    return torch.einsum("bhij,bhjd->bhid", torch.softmax(scores + table, -1), v.to(x)).to(q.dtype)


@accepted
def windows_cut_out(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Every query gets its own window of padded keys: no (seq, seq) table."""
    if window < 1:
        raise ValueError("window")
    x, (b, h, seq, d) = torch.promote_types(q.dtype, torch.float32), q.shape
    if not seq:
        return torch.zeros_like(q)
    window = min(window, seq)
    padded = (torch.cat([t.new_zeros(b, h, window - 1, d), t], 2).to(x).unfold(2, window, 1) for t in (k, v))
    keys, values = padded  # (batch, heads, seq, head_dim, window)
    scores = (q.to(x)[..., None, :] @ keys).squeeze(-2) * d**-0.5  # (batch, heads, seq, window)
    place = torch.arange(seq, device=q.device)[:, None] + torch.arange(1 - window, 1, device=q.device)
    weights = scores.masked_fill(place < 0, -INF).softmax(-1)
    return (values @ weights[..., None]).squeeze(-1).to(q.dtype)


HINTS = [
    hint("Write down for window 3 and six tokens which keys each query sees. How many are there in the first rows?"),
    hint("How many steps does key j lie behind query i? Two bounds on that number say everything."),
    hint("Begin with plain causal attention, check it, and then hide the far past as well."),
    hint(
        "For window 1 each token should see exactly itself. Which keys pass your comparison there?",
        "self_not_counted",
        "window_too_short",
        "window_too_short_filled",
        "window_before_the_token",
        "self_excluded",
        "self_excluded_filled",
    ),
    hint(
        "Print the mask for six tokens and window 3, rows as queries. On which side of the diagonal does the band lie, "
        "and how wide is it?",
        "both_sides",
        "half_on_each_side",
        "window_in_the_future",
        "window_ignored",
        "future_open",
        "no_mask",
        "mask_inverted",
        "only_the_far_past",
        "window_stands_at_the_start",
        "window_stands_at_the_end",
        "window_stands_at_the_end_causal",
    ),
    hint(
        "Compare what two neighbours see. By how much has the window moved?",
        "disjoint_chunks",
        "whole_chunks",
        "two_whole_chunks",
    ),
    hint(
        "What is the first token's window filled with?",
        "wraps_around",
        "padding_attended",
        "first_token_repeated",
        "long_window_refused",
    ),
    hint(
        "Which score has the weight exp(score) = 0? And when is it decided how the whole is shared?",
        "hidden_scores_zero",
        "hidden_score_not_low_enough",
        "mask_after_softmax",
        "shared_again_after_softmax",
        "mask_added",
        "zero_times_infinity",
    ),
]

QUIZ = [
    question(
        "With window 4, which keys does the query at position 10 see?",
        right("7, 8, 9 and 10", "Four keys, itself the last of them."),
        wrong_choice("6, 7, 8, 9 and 10", "Those are five; the window counts the token itself."),
        wrong_choice("6, 7, 8 and 9", "It sees itself as well."),
        wrong_choice("8, 9, 10 and 11", "11 lies in its future."),
    ),
    question(
        "One layer has window 4. How far back can the output of three such layers depend on the input?",
        right("9 positions", "Each layer reaches 3 positions further back: 3 · 3."),
        wrong_choice("3 positions", "That is one layer; the second reads what the first has mixed already."),
        wrong_choice("12 positions", "Each layer adds window − 1, since the window counts the token itself."),
        wrong_choice("64 positions", "Reach adds up from layer to layer; it doesn't multiply."),
    ),
    question(
        "What does a sliding window save when a model writes a long text?",
        right(
            "The cache needs only the last `window` keys and values",
            "No later query sees those before, so they may be overwritten.",
        ),
        wrong_choice("The weight matrices shrink", "They don't depend on how many keys are seen."),
        wrong_choice("The softmax is no longer needed", "Weights still have to sum to 1."),
        wrong_choice("Heads can be left out", "The window says which keys are seen, in each head."),
    ),
    question(
        "Why is cutting the sequence into chunks of `window` tokens not the same?",
        right(
            "The first token of a chunk would see nothing behind it",
            "With a sliding window each token has its own window, whose edges move along.",
        ),
        wrong_choice("Chunks are slower", "They are faster, if anything; they answer another question."),
        wrong_choice("It is the same when window divides seq", "Even then the edges of chunks cut neighbours apart."),
        wrong_choice("Chunks need no softmax", "They do, just over other keys."),
    ),
    question(
        "Keys are padded with zeros in front so that each query has `window` of them. What must still be done?",
        right("Hide the padding", "Its score is 0 and would get the weight exp(0), in each of the first rows."),
        wrong_choice("Nothing, since zeros weigh nothing", "A *score* of 0 has a weight; only −inf has none."),
        wrong_choice(
            "Scale the first rows up", "That repairs the sum only by chance: the weight lost depends on the scores."
        ),
        wrong_choice("Drop the first results", "They are asked for: the first tokens just have fewer keys."),
    ),
]
