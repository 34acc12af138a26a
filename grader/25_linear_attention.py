"""How linear_attention is graded: the weights themselves, in blocks of queries and float64."""

SECTION = "Attention"
LEVEL = 4
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
SIZES = (  # batch, heads, seq, head_dim, v_dim
    (2, 3, 5, 4, 6),
    (3, 2, 7, 5, 3),
    (1, 4, 1, 8, 2),
    (2, 1, 9, 3, 7),
)
SQUARE = (5, 5, 5, 5, 5)  # comes first: what fails elsewhere gives numbers here, and numbers can be recognised
BLOCK = 128  # so many queries at once: the reference makes no table of seq · seq either
LONG = 1024  # seq · seq is four times what under="sizes" allows

# All weights are positive, so a mean of values of unit variance is off by about 4 · (head_dim + terms)·u for whatever
# order of summing: 4 · 17·u for up to 9 keys. A gradient divides by one more sum of weights, which may be small in the
# first rows: eight times that is allowed. Half precision is rounded once, after float32: ½ of its spacing.
close = within(
    {torch.float64: 512 * 2.0**-53, torch.float32: 512 * 2.0**-24, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}
)

ROUGH = within(1e-3)  # entries in the hundreds make sums of 10⁵, and gradients of differences of such


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

FEATURES: dict[str, Callable[[Tensor], Tensor]] = {
    "elu + 1": lambda x: x.clamp_min(0) + x.clamp_max(0).exp(),
    "elu": lambda x: x.clamp_min(0) + x.clamp_max(0).exp() - 1,
    "relu": lambda x: x.clamp_min(0),
    "relu + 1": lambda x: x.clamp_min(0) + 1,
    "exp": lambda x: x.exp(),
    "overflowing": lambda x: torch.where(x > 0, x + 1, x.float().exp().double()),
    "none": lambda x: x,
    "none + 1": lambda x: x + 1,
    "softplus": lambda x: torch.logaddexp(x, torch.zeros_like(x)),
    "sigmoid": lambda x: x.sigmoid(),
    "of length 1": lambda x: FEATURES["elu + 1"](x / x.norm(dim=-1, keepdim=True).clamp_min(1e-12)),
    "shares": lambda x: (
        (x - x.detach().amax(-1, keepdim=True)).exp()
        / (x - x.detach().amax(-1, keepdim=True)).exp().sum(-1, keepdim=True)
    ),
}


def reference(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    causal: bool = True,
    eps: float = 1e-6,
    *,
    checked: bool = True,
    roles: str = "kv",
    queries: str = "elu + 1",
    keys: str = "elu + 1",
    scale: str = "",
    sequence: int = 2,
    flag: str = "used",
    sums: str = "itself included",
    values_see: str = "",
    total_sees: str = "",
    weights: str = "products",
    state: str = "keys by values",
    divisor: str = "total + eps",
    detached: str = "",
    precision: str = "",
) -> Tensor:
    """Σ φ(q)·φ(k) v over Σ φ(q)·φ(k) + eps for blocks of queries: (batch, heads, seq, v_dim) of float64."""
    if checked and (q.shape != k.shape or k.shape[:-1] != v.shape[:-1]):
        raise ValueError("sizes don't fit")
    dtype = q.dtype
    k, v = (v, k) if roles == "vk" else (k, v)
    asked, offered, v = (t.double().transpose(sequence, 2) for t in (q, k, v))
    asked = asked * asked.shape[-1] ** -0.5 if scale == "before" else asked
    asked, offered = (t * t.shape[-1] ** -0.25 if scale == "both" else t for t in (asked, offered))
    asked, offered = FEATURES[queries](asked), FEATURES[keys](offered)
    asked, offered = (t.to(dtype).double() if precision == "half" else t for t in (asked, offered))
    offered = offered.detach() if detached == "keys" else offered
    causal = {"used": causal, "ignored": False, "always": True, "inverted": not causal}[flag]
    seq = v.shape[2]
    starts = range(0, max(seq, 1), BLOCK)
    each = []
    for start in starts:
        rows = slice(start, min(start + BLOCK, seq))
        table = torch.einsum("bhqd,bhkd->bhqk", asked[:, :, rows], offered)
        table = (table * asked.shape[-1] ** -0.5).exp() if weights == "exponentials" else table
        places = torch.arange(seq, device=q.device)
        over = _sums(places[rows, None] - places, sums if causal else "all")
        seen = [
            table * _sums(places[rows, None] - places, one) if causal and one else table * over
            for one in (values_see, total_sees)
        ]
        mixed = torch.einsum("bhqk,bhkv->bhqv", seen[0], v)
        if state == "values by keys":
            mixed = torch.einsum(
                "bhqv,bhkv,bhkd,qk->bhqd",
                asked[:, :, rows],
                v,
                offered,
                over.double().expand(asked[:, :, rows].shape[2], seq),
            )
        total = seen[1].sum(-1, keepdim=True)
        total = total.detach() if detached == "total" else total
        each.append(_divided(mixed, total, eps, divisor, rows, seq, causal, asked[:, :, rows], offered))
    result = torch.cat(each, 2).transpose(sequence, 2)
    result = result * asked.shape[-1] ** -0.5 if scale == "after" else result
    result = result.float() if precision == "float32" else result
    return result.float().to(dtype) if precision == "through float32" else result


def _sums(behind: Tensor, sums: str) -> Tensor:
    """Which keys are added up for a query, by how many steps they lie behind it."""
    match sums:
        case "itself left out":
            return behind > 0
        case "future":
            return behind <= 0
        case "one ahead":
            return behind >= -1
        case "all":
            return behind == behind
    return behind >= 0


def _divided(
    mixed: Tensor,
    total: Tensor,
    eps: float,
    divisor: str,
    rows: slice,
    seq: int,
    causal: bool,
    asked: Tensor,
    offered: Tensor,
) -> Tensor:
    match divisor:
        case "none":
            return mixed
        case "only causal" if not causal:
            return mixed
        case "of one block" if causal:
            each = offered.split(64, 2)
            each = torch.cat([one.cumsum(2) for one in each], 2)[:, :, rows]
            return mixed / ((asked * each).sum(-1, keepdim=True) + eps)
        case "total":
            return mixed / total
        case "at least eps":
            return mixed / total.clamp_min(eps)
        case "1e-6":
            return mixed / (total + 1e-6)
        case "1e-6 and eps twice":
            return mixed / (total + 2 * eps)
        case "eps outside":
            return mixed / total + eps
        case "root":
            return mixed / (total + eps).sqrt()
        case "how many":
            many = torch.arange(rows.start + 1, rows.stop + 1, device=total.device)[:, None] if causal else seq
            return mixed / (many + eps)
        case "mean":
            many = torch.arange(rows.start + 1, rows.stop + 1, device=total.device)[:, None] if causal else seq
            return mixed / (total / many + eps)
        case "keys alone":
            each = offered.sum(-1, keepdim=True)
            each = each.cumsum(2)[:, :, rows] if causal else each.sum(2, keepdim=True)
            return mixed / (each + eps)
    return mixed / (total + eps)


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def drawn(draw: Draw, size: tuple[int, ...] = SIZES[0], dtype: torch.dtype = torch.float32) -> tuple[Tensor, ...]:
    """Queries, keys and values of one size."""
    b, h, s, d, v_dim = size
    return tuple(draw.normal(*shape, dtype=dtype) for shape in ((b, h, s, d), (b, h, s, d), (b, h, s, v_dim)))


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The result has a row for each query, as wide as the values."""
    for size in SIZES[:2]:
        q, k, v = drawn(draw, size)
        yield call(q, k, v, like=v)


@check(points=1, explains=True)
def constant_values(draw: Draw) -> Checking:
    """A mean of equal values is that value, causal or not."""
    for causal in (True, False):
        q, k, v = drawn(draw)
        v = v[:, :, :1].expand(2, 3, 5, 6).clone()
        came = yield call(q, k, v, causal, like=v)
        if at := apart(came, v, 1e-3):
            one, other = came[at], v[at]
            raise Failed(
                f"all values are {other:.6g} there, and the result at {list(at)} is {one:.6g} (causal={causal})"
            )


@check(points=1, explains=True)
def future_is_hidden(draw: Draw) -> Checking:
    """When later tokens change, causal results stay as they are."""
    q, k, v = drawn(draw, SIZES[1])
    first = yield call(q, k, v, like=v)
    for t in (1, 4, 6):
        other = [torch.cat([old[:, :, :t], draw.normal(*old[:, :, t:].shape)], 2) for old in (q, k, v)]
        again = yield call(*other, like=v)
        if at := apart(first[:, :, :t], again[:, :, :t], 1e-4):
            raise Failed(f"the result at position {at[2]} changes when the tokens from {t} on do")


@check(points=1, explains=True)
def ends(draw: Draw) -> Checking:
    """The first causal row is the first value; the last is the last one over all keys."""
    q, k, v = drawn(draw)
    causal = yield call(q, k, v, causal=True, like=v)
    everything = yield call(q, k, v, causal=False, like=v)
    if not bool(((causal[:, :, 0] - v[:, :, 0]).abs() <= 1e-3).all()):
        raise Failed("the first token sees itself alone, and its result is not its own value")
    if not bool(((causal - everything)[:, :, -1].abs() <= 1e-4).all()):
        raise Failed("the last token sees all keys either way, and its result depends on `causal`")


@check(points=1, explains=True)
def inputs_untouched(draw: Draw) -> Checking:
    """The arguments keep their values, and torch its settings and its random state."""
    q, k, v = drawn(draw)
    asked = call(q, k, v, like=v)
    yield from inputs_kept(asked, "q", "k", "v")
    yield from settings_kept(asked)


@check(points=3)
def causal_values(draw: Draw) -> Checking:
    """The causal values are right, for sizes that all differ and for some that are equal."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), want=reference)


@check(points=2)
def values_over_all_keys(draw: Draw) -> Checking:
    """With `causal=False` the values are right."""
    for size in (SQUARE, *SIZES):
        yield call(*drawn(draw, size), causal=False, want=reference)


@check(points=1)
def other_eps(draw: Draw) -> Checking:
    """`eps` is added to the denominator, be it large or 0."""
    for eps in (0.5, 40.0, 0.0):
        for causal in (True, False):
            yield call(*drawn(draw), causal, eps, want=reference)


@check(points=1)
def lengths(draw: Draw) -> Checking:
    """A sequence of one token, of none, and of many are fine."""
    for seq in (2, 1, 0, 130, 67):
        for causal in (True, False):
            yield call(*drawn(draw, (1, 2, seq, 3, 2)), causal, want=reference)


@check(points=1)
def large_entries(draw: Draw) -> Checking:
    """Entries in the hundreds give finite results and gradients."""
    for causal in (True, False):
        q, k, v = drawn(draw)
        q, k = (t.sign() * (100 + 50 * t.abs()) for t in (q, k))
        q[..., 0], k[..., 0] = q[..., 0].abs(), k[..., 0].abs()  # or all weights of a row would be exp(−100)
        yield call(q, k, v, causal, cotangent=draw.normal(*v.shape), want=reference, within=ROUGH)


@check(points=2)
def gradient(draw: Draw) -> Checking:
    """Gradients reach q, k and v, causal or not."""
    for size in SIZES[:2]:
        for causal in (True, False):
            q, k, v = drawn(draw, size)
            yield call(q, k, v, causal, 0.1, cotangent=draw.normal(*v.shape), want=reference)


@check(points=1)
def views(draw: Draw) -> Checking:
    """The arguments may be transposed, sliced or expanded views."""
    q, k, v = draw.normal(2, 5, 3, 4), draw.normal(2, 3, 4, 5), draw.normal(2, 1, 5, 6)
    for causal in (True, False):
        yield call(q.transpose(1, 2), k.mT, v.expand(2, 3, 5, 6), causal, want=reference)
        cut = draw.normal(2, 6, 5, 8)[:, ::2, :, 1::2], k.mT, draw.normal(2, 3, 10, 6)[:, :, ::2]
        yield call(*cut, causal, want=reference)


@check(points=3)
def no_table(draw: Draw) -> Checking:
    """No tensor as large as seq × seq is made."""
    for causal in (False, True):
        q, k, v = drawn(draw, (1, 1, LONG, 2, 3))
        reply = yield call(q, k, v, causal, want=reference, within=ROUGH, under="sizes", whole=True)
        if reply.audit:
            what, line = reply.audit[0]
            raise Failed(
                f"line {line}: {what}, where seq is {LONG}, head_dim 2 and v_dim 3 (causal={causal})", line=line
            )


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Half precision comes back in half precision, and sums don't stall or overflow on the way."""
    for dtype in (torch.float16, torch.bfloat16):
        for size, causal in ((SIZES[0], True), (SIZES[1], False), ((1, 2, 67, 3, 2), True)):
            yield call(*drawn(draw, size, dtype), causal, want=reference)
        q, k, v = drawn(draw, SIZES[0], dtype)
        yield call(q.abs() * 200 + 100, k.abs() * 200 + 100, v, want=reference)  # weights beyond float16


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 is computed with float64's accuracy."""
    for size, causal in ((SIZES[0], True), (SIZES[1], False)):
        yield from exact_in_float64(call(*drawn(draw, size, torch.float64), causal, want=reference), close)


@check(craft=True)
def impossible_sizes(draw: Draw) -> Checking:
    """Queries and keys of different shapes, or keys and values of different number, raise ValueError."""
    q, k, v = drawn(draw)
    yield call(q, k, v, want=reference)
    yield call(q[..., :3], k, v, raises=ValueError)
    yield call(q[:, :, :4], k, v, raises=ValueError)
    yield call(q, k, v[:, :, :4], raises=ValueError)


@check(craft=True)
def empty_sizes(draw: Draw) -> Checking:
    """No batch row and no head give empty results of the right shape."""
    for b, h in ((0, 3), (2, 0)):
        for causal in (True, False):
            yield call(*drawn(draw, (b, h, 5, 4, 6)), causal, want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Tensors are made on the device of the arguments, and no number leaves it."""
    q, k, v = drawn(draw)
    for causal in (True, False):
        yield from on_one_device(draw, call(q, k, v, causal, want=reference), v)


@check(craft=True)
def works_under_vmap(draw: Draw) -> Checking:
    """The function can be mapped over one more axis with torch.func.vmap."""
    q, k, v = (torch.stack(pair) for pair in zip(drawn(draw), drawn(draw), strict=True))
    for causal in (True, False):
        yield call(q, k, v, causal=causal, want=reference, under="vmap")


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over single positions."""
    calls = {seq: call(*drawn(draw, (1, 1, seq, 2, 3)), want=reference) for seq in (16, 64)}
    yield from no_loop_over("positions", calls, spare=96)


# ── Mistakes ────────────────────────────────────────────────────────────────────────────────────────────────────────

MISTAKES = [
    # the features
    mistake(
        "elu_without_one",
        "The features are elu(x), without + 1, so they may be negative, and so may weights and their total. elu is "
        "above −1: the 1 is what makes it positive.",
        queries="elu",
        keys="elu",
    ),
    mistake(
        "relu_features",
        "The features are relu(x). A query that is negative everywhere then has no weights at all, and a dead entry "
        "gets no gradient. elu(x) + 1 is never 0.",
        queries="relu",
        keys="relu",
    ),
    mistake(
        "relu_plus_one",
        "Negative entries all become 1, as relu(x) + 1 makes them. Below 0, elu(x) + 1 falls off like eˣ.",
        queries="relu + 1",
        keys="relu + 1",
    ),
    mistake(
        "exponential_features",
        "The features are eˣ on both sides of 0. Above 0 the feature is x + 1, which grows slowly and doesn't "
        "overflow.",
        queries="exp",
        keys="exp",
    ),
    mistake(
        "features_overflow",
        "The result is right, but large entries give NaN gradients: exp(x) is computed also where x + 1 is chosen, "
        "becomes infinite, and backwards 0 · inf is NaN. Keep what goes into exp at or below 0.",
        queries="overflowing",
        keys="overflowing",
    ),
    mistake(
        "no_features",
        "Queries and keys are multiplied as they are. Such weights may be negative, and their total 0: both go through "
        "the feature map first.",
        queries="none",
        keys="none",
    ),
    mistake(
        "one_added_without_elu",
        "The features are x + 1, also where x is negative. There elu(x) + 1 is eˣ.",
        queries="none + 1",
        keys="none + 1",
    ),
    mistake("queries_not_mapped", "The feature map is applied to the keys, not to the queries.", queries="none"),
    mistake("keys_not_mapped", "The feature map is applied to the queries, not to the keys.", keys="none"),
    mistake(
        "softplus_features",
        "The features are softplus, log(1 + eˣ). They are positive too, and other numbers: at 0 elu(x) + 1 is 1.",
        queries="softplus",
        keys="softplus",
    ),
    mistake(
        "sigmoid_features",
        "The features are sigmoids, which end at 1. elu(x) + 1 goes on growing.",
        queries="sigmoid",
        keys="sigmoid",
    ),
    mistake(
        "features_softmaxed",
        "The features are a softmax over the entries of each query and key (another linear attention does so). Here "
        "each entry is mapped by itself.",
        queries="shares",
        keys="shares",
    ),
    mistake(
        "softmax_attention",
        "The weights are exponentials of scaled scores: that is softmax attention, the function this one replaces.",
        queries="none",
        keys="none",
        weights="exponentials",
    ),
    mistake(
        "scaled",
        "The queries are divided by √head_dim before the feature map. There is no such factor here: the denominator "
        "takes care of the size.",
        scale="before",
    ),
    mistake(
        "both_scaled",
        "Queries and keys are both divided by the fourth root of head_dim before the feature map. There is no such "
        "factor here: the denominator takes care of the size.",
        scale="both",
    ),
    mistake(
        "vectors_normalised",
        "Queries and keys are brought to length 1 before the feature map. Here their entries are mapped as they are.",
        queries="of length 1",
        keys="of length 1",
    ),
    mistake(
        "result_scaled",
        "The result (or the numerator alone) is divided by √head_dim, so it is no mean of the values any more.",
        scale="after",
    ),
    # the sums
    mistake(
        "causal_ignored",
        "`causal=True` makes no difference: the sums run over all keys, the future too.",
        flag="ignored",
    ),
    mistake("always_causal", "`causal=False` makes no difference: the sums end at each query.", flag="always"),
    mistake("causal_inverted", "`causal` is read the other way round.", flag="inverted"),
    mistake(
        "total_of_the_future",
        "In the causal form the denominator is the total over *all* keys, while the numerator ends at the query. The "
        "future leaks in, and the weights sum to less than 1.",
        total_sees="all",
    ),
    mistake(
        "values_of_the_future",
        "In the causal form the numerator adds up *all* keys and values, while the denominator ends at the query.",
        values_see="all",
    ),
    mistake(
        "self_left_out",
        "The causal sums end before the query, so the first row is 0 over eps. Each token sees itself as well.",
        sums="itself left out",
    ),
    mistake(
        "total_without_self",
        "The causal denominator ends before the query, the numerator with it. Both include the query's own key.",
        total_sees="itself left out",
    ),
    mistake(
        "values_without_self",
        "The causal numerator ends before the query, the denominator with it. Both include the query's own key.",
        values_see="itself left out",
    ),
    mistake(
        "sums_from_the_end",
        "The running sums start at the end, so each token sees itself and the future.",
        sums="future",
    ),
    mistake(
        "one_token_ahead",
        "The running sums are one position ahead: each token sees the next one too.",
        sums="one ahead",
    ),
    mistake(
        "heads_taken_for_positions",
        "The sums run over the heads: the axes are taken to be (batch, seq, heads, head_dim). Here heads come second "
        "and positions third.",
        sequence=1,
    ),
    mistake(
        "state_turned",
        "The state is used the wrong way round: queries meet its values and keys come out, which only fails where "
        "head_dim and v_dim differ. Which axis of it belongs to the keys?",
        state="values by keys",
    ),
    mistake(
        "keys_and_values_exchanged",
        "Features are made of the values, and the keys are averaged.",
        roles="vk",
    ),
    # the division
    mistake(
        "not_divided",
        "Nothing is divided: the result grows with the length. A mean needs the total of the weights below it.",
        divisor="none",
    ),
    mistake(
        "divided_if_causal",
        "Only the causal result is divided; over all keys it is a sum that grows with the length. Both are means.",
        divisor="only causal",
    ),
    mistake(
        "total_of_one_block",
        "The causal form goes block by block and carries the state of keys and values along, but not the total of the "
        "weights: from the second block on the result is divided by too little. Both sums run on.",
        divisor="of one block",
    ),
    mistake(
        "divided_by_how_many",
        "The result is divided by the number of keys. Weights don't sum to that: their own total belongs there.",
        divisor="how many",
    ),
    mistake(
        "mean_of_weights",
        "The result is divided by the *mean* of the weights, so it grows with the length. Their sum belongs there.",
        divisor="mean",
    ),
    mistake(
        "divided_by_keys_alone",
        "The denominator adds up the features of the keys, over all of their entries, and the query has no part in it. "
        "It is φ(q) · Σφ(k).",
        divisor="keys alone",
    ),
    mistake(
        "eps_left_out",
        "`eps` is not added to the denominator. With the default that hardly shows; with a larger one it does.",
        divisor="total",
    ),
    mistake(
        "eps_fixed",
        "The denominator gets 1e-6 whatever `eps` is given.",
        divisor="1e-6",
    ),
    mistake(
        "eps_as_least",
        "`eps` is taken for the least that the denominator may be (clamp, maximum). It is added.",
        divisor="at least eps",
    ),
    mistake("eps_outside", "`eps` is added to the result and not to the denominator.", divisor="eps outside"),
    mistake("eps_twice", "`eps` is added twice. Once, to the denominator.", divisor="1e-6 and eps twice"),
    mistake(
        "root_of_total",
        "The result is divided by the square root of the total. Weights over their total sum to 1; over its root they "
        "don't.",
        divisor="root",
    ),
    mistake(
        "total_without_gradient",
        "The result is right, and the denominator was detached (or made under no_grad): q and k get half of their "
        "gradient.",
        detached="total",
    ),
    mistake("keys_without_gradient", "No gradient reaches k: its features were detached.", detached="keys"),
    # craft
    mistake(
        "sizes_not_checked",
        "Sizes that don't fit end in torch's own RuntimeError, deep inside, or in no error at all. The caller is "
        "better served by a ValueError that names them.",
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
]


attended = answering(reference)


@wrong(
    "The result is right, and a table of seq × seq weights was made on the way (or a mask of that size): four times as "
    "much for twice the length, which is what this form is to avoid. Multiply keys with values first."
)
def table_of_weights(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """The quadratic form."""
    result = attended(q, k, v, causal, eps)
    return result if q.shape[2] != k.shape[2] else result + 0 * (q @ k.mT)[:, :, :1, :1].detach().nan_to_num().sum()


@wrong(
    "The result over all keys is right, and so is the causal one; but the causal one makes a table of seq × seq "
    "weights. A running sum of states needs none."
)
def table_if_causal(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """Linear over all keys, quadratic where it is causal."""
    return (table_of_weights.make() if causal else attended)(q, k, v, causal, eps)  # type: ignore[misc]


@wrong(
    "A last block that is not full is left out, so the last positions are zeros. The length need not be a multiple of "
    "anything."
)
def last_block_left_out(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """range(0, seq - seq % 64, 64)."""
    result, seq = attended(q, k, v, causal, eps), q.shape[2]
    at = torch.arange(seq, device=q.device)[:, None]
    return torch.where(at < seq - seq % 64, result, 0.0) if causal and seq > 64 else result


@wrong(
    "q is mapped in place, so the caller's queries are changed after the call. Make a new tensor instead of writing "
    "into an argument."
)
def queries_mapped_in_place(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """An elu with a trailing underscore."""
    result = attended(q, k, v, causal, eps)
    q.copy_(q.clamp_min(0) + q.clamp_max(0).exp())
    return result


@wrong(
    "Half precision is summed in half precision: float16 ends at 65504, and a sum stalls long before. Cast to float32 "
    "before anything is added up.",
    craft=True,
)
def sums_in_half_precision(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """Everything in the dtype that came in."""
    if q.dtype not in (torch.float16, torch.bfloat16):
        return attended(q, k, v, causal, eps)
    a, o = (t.clamp_min(0) + t.clamp_max(0).exp() for t in (q, k))
    state, total = torch.einsum("...sd,...sv->...sdv", o, v), o
    state, total = (state.cumsum(-3), total.cumsum(-2)) if causal else (state.sum(-3, True), total.sum(-2, True))
    return (a[..., None] * state).sum(-2) / ((a * total).sum(-1, keepdim=True) + eps)


@wrong(
    "Python walks over the positions, as a recurrent network does. That is right, and slow: a running sum treats all "
    "positions in one call.",
    craft=True,
)
def position_by_position(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """A state that moves along."""
    checked = attended(q[:, :, :0], k[:, :, :0], v[:, :, :0]) if q.shape == k.shape else attended(q, k, v)
    if not causal or k.shape[:-1] != v.shape[:-1]:
        return attended(q, k, v, causal, eps)
    a, o = (FEATURES["elu + 1"](t.double()) for t in (q, k))
    state, total, rows = 0.0, 0.0, [checked.double()]
    for i in range(q.shape[2]):
        state = state + o[:, :, i, :, None] * v[:, :, i, None].double()
        total = total + o[:, :, i]
        mixed = (a[:, :, i, :, None] * state).sum(-2) / ((a[:, :, i] * total).sum(-1, keepdim=True) + eps)
        rows.append(mixed[:, :, None])
    return torch.cat(rows, 2).to(q.dtype)


@wrong(
    "A tensor (of ones, of zeros, a mask of a block) is made without `device=`, so it lies on the CPU wherever the "
    "arguments are. `new_zeros`, `ones_like` or `device=q.device` follow them.",
    craft=True,
)
def made_on_the_cpu(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """torch.ones, bare."""
    return attended(q, k, v, causal, eps) * torch.ones(1, 1)


# ── Other right answers ─────────────────────────────────────────────────────────────────────────────────────────────


def fit(q: Tensor, k: Tensor, v: Tensor) -> torch.dtype:
    """The dtype to calculate in, where the shapes fit."""
    if q.shape != k.shape or k.shape[:-1] != v.shape[:-1]:
        raise ValueError("sizes")
    return torch.promote_types(q.dtype, torch.float32)


@accepted
def blocks(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """One state for all blocks before, and a small causal table inside of each."""
    x = fit(q, k, v)
    a, o = (torch.where(t > 0, t, torch.expm1(t.clamp_max(0))) + 1 for t in (q.to(x), k.to(x)))
    w = torch.cat([v.to(x), torch.ones_like(v[..., :1], dtype=x)], -1)  # a last column that adds up the weights
    if not causal:
        both = a @ (o.mT @ w)
        return (both[..., :-1] / (both[..., -1:] + eps)).to(q.dtype)
    state, parts = o[:, :, :0].mT @ w[:, :, :0], [w[:, :, :0]]
    for start in range(0, q.shape[2], 32):
        one, two, three = (t[:, :, start : start + 32] for t in (a, o, w))
        parts.append(one @ state + (one @ two.mT).tril() @ three)
        state = state + two.mT @ three
    both = torch.cat(parts, 2)
    return (both[..., :-1] / (both[..., -1:] + eps)).to(q.dtype)


@accepted
def states_side_by_side(q: Tensor, k: Tensor, v: Tensor, causal: bool = True, eps: float = 1e-6) -> Tensor:
    """Every position's outer product at once, cumsum, product and sum."""
    x = fit(q, k, v)
    a, o = (t.clamp(min=0) + t.clamp(max=0).exp() for t in (q.to(x), k.to(x)))
    outer = o.unsqueeze(-1) * v.to(x).unsqueeze(-2)
    outer = outer.cumsum(2) if causal else outer.sum(2, keepdim=True)
    total = o.cumsum(2) if causal else o.sum(2, keepdim=True)
    return (
        (a.unsqueeze(-1) * outer).sum(3) / (torch.einsum("bhsd,bhsd->bhs", a, total.expand_as(a))[..., None] + eps)
    ).to(q.dtype)


HINTS = [
    hint("Write the quadratic form first, for a handful of tokens: weights, mask, division. Then move the brackets."),
    hint("Which part of Σⱼ (φ(q)·φ(kⱼ)) vⱼ does not depend on the query? What shape has it?"),
    hint("The causal form needs that part for each position: every one is the one before, plus one product."),
    hint(
        "Print your features of −3, 0 and 3. They should be 0.0498, 1 and 4.",
        "elu_without_one",
        "relu_features",
        "relu_plus_one",
        "exponential_features",
        "no_features",
        "one_added_without_elu",
        "queries_not_mapped",
        "keys_not_mapped",
        "softplus_features",
        "sigmoid_features",
        "features_softmaxed",
        "softmax_attention",
    ),
    hint(
        "Set all values to 1. What must come out in every row, and what does?",
        "not_divided",
        "divided_by_how_many",
        "mean_of_weights",
        "divided_by_keys_alone",
        "total_of_the_future",
        "values_of_the_future",
        "total_without_self",
        "values_without_self",
        "result_scaled",
        "root_of_total",
    ),
    hint(
        "Which keys should the first query's two sums hold, and which the last one's?",
        "causal_ignored",
        "always_causal",
        "causal_inverted",
        "self_left_out",
        "sums_from_the_end",
        "one_token_ahead",
    ),
    hint(
        "What is the gradient of where(x > 0, x + 1, exp(x)) at x = 100, step by step?",
        "features_overflow",
    ),
    hint(
        "What is the largest tensor that your code makes for seq = 1000, and by which brackets could it be avoided?",
        "table_of_weights",
        "table_if_causal",
    ),
]

QUIZ = [
    question(
        "Why can't the brackets be moved in softmax attention?",
        right(
            "exp(q·k) is no product of something of q and something of k of finite size",
            "So the weight must be known for each pair before the values are met.",
        ),
        wrong_choice(
            "Matrix products are not associative", "They are; it is the softmax in between that is in the way."
        ),
        wrong_choice("Its scores are scaled", "A factor could be moved anywhere."),
        wrong_choice("It has heads", "Each head could move its brackets alone."),
    ),
    question(
        "head_dim and v_dim are 64. How many numbers must causal linear attention keep to write the next token?",
        right("64 · 64 + 64, whatever the length", "The state and the running total of the keys."),
        wrong_choice("128 for each earlier token", "That is softmax attention's cache of keys and values."),
        wrong_choice("seq · seq", "No table of pairs is needed."),
        wrong_choice("64", "The total of the keys alone can't give a mean of the values."),
    ),
    question(
        "What goes wrong with elu(x) in place of elu(x) + 1?",
        right(
            "Weights may be negative and their total near 0",
            "The result then lies outside of the values, and may be huge.",
        ),
        wrong_choice("Nothing, since the denominator takes it back", "A constant in a sum of products doesn't cancel."),
        wrong_choice("The result only changes its sign", "Each entry changes by 1, and weights by sums of such."),
        wrong_choice("exp overflows", "elu takes exp of negative numbers alone."),
    ),
    question(
        "When is Q (KᵀV) cheaper than (QKᵀ) V?",
        right("When seq is larger than the width of a head", "seq · d² against seq² · d."),
        wrong_choice("Always", "For short sequences the table is smaller than the state."),
        wrong_choice("Never; it only saves memory", "It saves both, once seq is large."),
        wrong_choice("When there are many heads", "Both grow with the number of heads alike."),
    ),
    question(
        "In the causal form, all values are 1, and some results come out as 0.4. What is likely?",
        right(
            "The denominator's sum runs over the future too",
            "Numerator and denominator must add up the same weights; then equal values come out as they are.",
        ),
        wrong_choice("eps is too small", "A small eps makes the result closer to 1."),
        wrong_choice("The features are too large", "Their size cancels out."),
        wrong_choice("That is right, as tokens see less", "A mean of ones is 1, however few they are."),
    ),
]
