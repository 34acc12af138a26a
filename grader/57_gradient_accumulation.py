"""How gradient_accumulation is graded: autograd over the whole batch at once, in float64, is the reference."""

SECTION = "Training"
LEVEL = 3
AFTER = (9,)
VERSION = 1
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from kata.author import (
    Checking,
    Draw,
    Failed,
    Reply,
    accepted,
    call,
    check,
    given,
    hint,
    mistake,
    question,
    right,
    within,
    wrong_choice,
)

Params = dict[str, Tensor]
Batches = list[tuple[Tensor, Tensor]]
LossSum = Callable[[Params, Tensor, Tensor], tuple[Tensor, int]]
Result = tuple[Params, float]
UNEVEN = ((5, 1, 3), (2, 7), (1, 1, 6, 2))
TOKENS, WIDTH = 12, 5  # no check with float32 or float64 has more tokens or wider inputs
STALL = 256  # where a bfloat16 sum stands still: 256 + 1 is 256 there

# A gradient is a mean over tokens of x · r, with an error r made by a product over the width and a softmax or a
# square. An honest one is off by at most (tokens + 2 · width + 16) · u times the largest |x · r|, taken as 4 (times
# 1 + |wanted|). Half precision is checked where each micro-batch is exact, so that only the last rounding, u, is
# left; twice that is allowed.
ROUNDINGS = 4 * (TOKENS + 2 * WIDTH + 16)
close = within(
    {
        torch.float64: ROUNDINGS * 2.0**-53,
        torch.float32: ROUNDINGS * 2.0**-24,
        torch.float16: 2 * 2.0**-11,
        torch.bfloat16: 2 * 2.0**-8,
    }
)


@given
def token_loss(params: dict[str, Tensor], inputs: Tensor, targets: Tensor) -> tuple[Tensor, int]:
    """Cross-entropy of a linear model, summed over the rows whose target is not negative (padding)."""
    logits = inputs @ params["weight"].T + params["bias"]  # (tokens, classes)
    kept = targets >= 0
    picked = logits.gather(-1, targets.clamp_min(0)[:, None])[:, 0]
    return ((logits.logsumexp(-1) - picked) * kept).sum(), int(kept.sum())


@given
def squared_error(params: dict[str, Tensor], inputs: Tensor, targets: Tensor) -> tuple[Tensor, int]:
    """Squared error of a two-layer model, summed over all rows."""
    hidden = (inputs @ params["first"]).tanh()  # (tokens, hidden)
    return ((hidden @ params["second"] - targets) ** 2).sum(), len(targets)


@given
def first_layer_only(params: dict[str, Tensor], inputs: Tensor, targets: Tensor) -> tuple[Tensor, int]:
    """A loss that has no use for the parameter `second`."""
    return ((inputs @ params["first"]).sum(-1) - targets).pow(2).sum(), len(targets)


@given
def linear_sum(params: dict[str, Tensor], inputs: Tensor, targets: Tensor) -> tuple[Tensor, int]:
    """A loss whose gradient is the sum of the inputs: exact in any precision for small whole numbers."""
    return (inputs @ params["weight"]).sum(), len(targets)


@given
def hungry_loss(
    params: dict[str, Tensor],
    inputs: Tensor,
    targets: Tensor,
    waiting: list[int] = [],  # noqa: B006 (lives as long as one call of the answer)
) -> tuple[Tensor, int]:
    """A squared error that fails, as a full memory would, while the graph of the last call still waits for backward."""
    if waiting:
        raise RuntimeError("out of memory: the graph of the micro-batch before has not been used yet")
    loss = ((inputs @ params["weight"] - targets) ** 2).sum()
    if loss.requires_grad:
        waiting.append(1)
        loss.register_hook(lambda gradient: waiting.clear())
    return loss, len(targets)


def reference(
    loss_sum_fn: LossSum,
    params: Params,
    micro_batches: Batches,
    *,
    gradient: str = "",
    value: str = "",
    calls: str = "",
    nothing: str = "",
    unused: str = "",
    pollutes: bool = False,
    precision: str = "",
) -> Result:
    """Gradient and value of the mean over the whole batch; with a knob turned, the accumulating form gone wrong."""
    if pollutes:
        for p in params.values():
            p.requires_grad_(True).grad = torch.ones_like(p)
    batches = [(x, y) for x, y in micro_batches if len(y) or calls == "empty ones too"]
    plain = {name: p.detach() for name, p in params.items()}
    if pollutes or gradient or value or nothing or unused or precision or calls not in ("", "joined"):
        parts = _parts(loss_sum_fn, plain, batches, calls)
    else:
        parts = _whole(loss_sum_fn, plain, batches)
    total, tokens = sum(part.total for part in parts), sum(part.count for part in parts)
    if not tokens and nothing:
        return _without_tokens(nothing, plain)
    grads = {name: _mean(gradient, name, p, parts, precision) for name, p in plain.items()}
    if unused and parts:
        grads = _unused(unused, grads, parts)
    return grads, _loss(value, parts, total / max(tokens, 1))


class Part(NamedTuple):
    """The gradient of one loss sum, the sum, its tokens, and the parameters that it depends on."""

    grads: Params
    total: float
    count: int
    used: set[str]


def _wide(value: Tensor) -> Tensor:
    return value.double() if value.is_floating_point() else value


def _whole(loss_sum_fn: LossSum, params: Params, batches: Batches) -> list[Part]:
    """The batch in one piece, in float64; not by torch.func, whose first use costs a second."""
    if not batches:
        return []
    inputs, targets = (_wide(torch.cat(side)) for side in zip(*batches, strict=True))
    counts: list[int] = []

    def loss(*wide: Tensor) -> Tensor:
        total, count = loss_sum_fn(dict(zip(params, wide, strict=True)), inputs, targets)
        counts.append(count)
        return total

    total, grads = torch.autograd.functional.vjp(loss, tuple(_wide(p) for p in params.values()))
    return [Part(dict(zip(params, grads, strict=True)), float(total), counts[0], set(params))]


def _parts(loss_sum_fn: LossSum, params: Params, batches: Batches, calls: str) -> list[Part]:
    """Micro-batch by micro-batch, by autograd, in float64."""
    leaves = {name: _wide(p).clone().requires_grad_() for name, p in params.items()}
    if calls == "counted first":
        for x, y in batches:
            loss_sum_fn(params, x, y)
    if calls == "graphs kept":
        sums = [loss_sum_fn(leaves, _wide(x), _wide(y)) for x, y in batches]
        return [_part(leaves, total, count) for total, count in sums]
    return [_part(leaves, *loss_sum_fn(leaves, _wide(x), _wide(y))) for x, y in batches]


def _part(leaves: Params, total: Tensor, count: int) -> Part:
    grads = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
    pairs = dict(zip(leaves, grads, strict=True))
    zeros = {name: torch.zeros_like(leaves[name]) if grad is None else grad for name, grad in pairs.items()}
    return Part(zeros, total.item(), count, {name for name, grad in pairs.items() if grad is not None})


def _mean(gradient: str, name: str, param: Tensor, parts: list[Part], precision: str) -> Tensor:
    """The gradient of one parameter, put together from those of the parts."""
    tokens, dtype = sum(part.count for part in parts), torch.float64
    total = torch.zeros_like(param, dtype=param.dtype if precision == "of the parameters" else dtype)
    for grads, _, count, _used in parts:
        own = grads[name].to(total.dtype)
        own = own / count if gradient == "mean of means" else own
        total = own if gradient in ("last part", "last part over all") else total + own
    divisor = {
        "mean of means": len(parts),
        "number of parts": len(parts),
        "sum": 1,
        "last part": parts[-1].count if parts else 1,
    }.get(gradient, tokens)
    mean = total / max(divisor, 1)
    return mean.float() if precision == "float32" else mean


def _loss(value: str, parts: list[Part], mean: float) -> float:
    if not parts:
        return torch.tensor(0.0) if value == "tensor" else 0.0  # type: ignore[return-value]
    sums, counts = [part.total for part in parts], [part.count for part in parts]
    if value == "tensor":
        return torch.tensor(mean)  # type: ignore[return-value]
    if value == "mean of means":
        return sum(total / count if count else float("nan") for total, count in zip(sums, counts, strict=True)) / len(
            parts
        )
    if value == "last part":
        return sums[-1] / max(counts[-1], 1)
    return {"sum": sum(sums), "number of parts": sum(sums) / len(parts)}.get(value, mean)


def _without_tokens(nothing: str, params: Params) -> Result:
    if nothing == "raises":
        raise ZeroDivisionError
    if nothing == "no names":
        return {}, 0.0
    return {name: torch.full_like(p, torch.nan) for name, p in params.items()}, float("nan")


def _unused(unused: str, grads: Params, parts: list[Part]) -> Params:
    used = set[str]().union(*(part.used for part in parts))
    if unused == "refused" and used != set(grads):
        raise RuntimeError("a parameter was not used")
    if unused == "left out":
        return {name: grad for name, grad in grads.items() if name in used}
    return {name: grad if name in used else None for name, grad in grads.items()}  # type: ignore[misc]


def classifier(draw: Draw, classes: int = 4) -> Params:
    """The parameters of token_loss."""
    return {"weight": draw.normal(classes, WIDTH) * 0.5, "bias": draw.normal(classes)}


def regressor(draw: Draw, hidden: int = 3) -> Params:
    """The parameters of squared_error."""
    return {"first": draw.normal(WIDTH, hidden) * 0.5, "second": draw.normal(hidden) * 0.5}


def labelled(draw: Draw, sizes: tuple[int, ...], classes: int = 4, padded: int = 0) -> Batches:
    """Micro-batches for token_loss; in each the last `padded` rows (but never the first) are padding."""
    batches = []
    for n in sizes:
        targets = draw.integers(0, classes, (n,))
        if padded:
            targets[max(1, n - padded) :] = -1
        batches.append((draw.normal(n, WIDTH), targets))
    return batches


def measured(draw: Draw, sizes: tuple[int, ...]) -> Batches:
    """Micro-batches for squared_error."""
    return [(draw.normal(n, WIDTH), draw.normal(n)) for n in sizes]


def calls_of(reply: Reply) -> int:
    """How often the loss function was called."""
    return sum(use.count for use in reply.used)


@check(points=1, explains=True)
def names_and_shapes(draw: Draw) -> Checking:
    """The result is a tuple of a dict, with a gradient in the shape of each parameter, and a float."""
    params = classifier(draw)
    yield call(token_loss, params, labelled(draw, (3, 1, 4)), like=(params, 0.0))
    params = regressor(draw)
    yield call(squared_error, params, measured(draw, (2, 5)), like=(params, 0.0))


@check(points=1, explains=True)
def one_micro_batch_is_plain(draw: Draw) -> Checking:
    """With a single micro-batch the result is the plain gradient of its mean loss."""
    yield call(token_loss, classifier(draw), labelled(draw, (7,)), want=reference)
    yield call(squared_error, regressor(draw), measured(draw, (draw.integer(2, 9),)), want=reference)


@check(points=1, explains=True)
def split_does_not_matter(draw: Draw) -> Checking:
    """The same tokens give the same gradient and loss, however they are cut into micro-batches."""
    params = classifier(draw)
    (inputs, targets), *_ = labelled(draw, (TOKENS,))
    whole, loss = yield call(token_loss, params, [(inputs, targets)], like=(params, 0.0))
    for sizes in ((6, 6), (1, 11), (7, 2, 3), (1,) * TOKENS):
        parts = list(zip(inputs.split(sizes), targets.split(sizes), strict=True))
        grads, value = yield call(token_loss, params, parts, like=(params, 0.0))
        for name in params:
            off = (grads[name] - whole[name]).abs().max().item()
            if off > 1e-4:
                raise Failed(
                    f"cut into {sizes} tokens, the gradient of {name} differs by {off:.3g} from that of one batch"
                )
        if abs(value - loss) > 1e-4:
            raise Failed(f"cut into {sizes} tokens, the loss is {value:.6g} where one batch gives {loss:.6g}")


@check(points=4)
def values(draw: Draw) -> Checking:
    """Gradient and loss are those of the mean over all tokens, for micro-batches of unequal sizes."""
    for sizes in UNEVEN:
        yield call(token_loss, classifier(draw), labelled(draw, sizes), want=reference)
        yield call(squared_error, regressor(draw), measured(draw, sizes), want=reference)
    yield call(token_loss, classifier(draw, 6), labelled(draw, (4, 4, 3), 6, padded=2), want=reference)


@check(points=2)
def counts_tokens_not_rows(draw: Draw) -> Checking:
    """What counts is the number of tokens that the loss function reports, also where it is 0."""
    padded = labelled(draw, (6, 6), padded=5) + labelled(draw, (6,))  # 1, 1 and 6 tokens in equally many rows
    yield call(token_loss, classifier(draw), padded[1:], want=reference)
    nothing = draw.normal(3, WIDTH), torch.full((3,), -1)
    yield call(token_loss, classifier(draw), [nothing, *labelled(draw, (2, 5)), nothing], want=reference)


@check(points=2)
def one_call_each(draw: Draw) -> Checking:
    """The loss function is called once for each micro-batch, and never for several at once."""
    for sizes in ((3, 1), (2, 4, 1, 5)):
        reply = yield call(squared_error, regressor(draw), measured(draw, sizes), want=reference, whole=True)
        _called(reply, len(sizes), f"{len(sizes)} micro-batches")


@check(points=1)
def skips_empty_micro_batches(draw: Draw) -> Checking:
    """A micro-batch without entries is skipped without a call."""
    for sizes in ((0, 4, 2), (3, 0, 0, 1)):
        reply = yield call(squared_error, regressor(draw), measured(draw, sizes), want=reference, whole=True)
        full = sum(n > 0 for n in sizes)
        _called(reply, full, f"{len(sizes)} micro-batches of which {len(sizes) - full} are empty")


def _called(reply: Reply, wanted: int, told: str) -> None:
    if (came := calls_of(reply)) != wanted:
        times = "once" if came == 1 else f"{came} times"
        raise Failed(f"the loss function was called {times} for {told}", got=came, want=wanted)


@check(points=1)
def one_graph_at_a_time(draw: Draw) -> Checking:
    """The gradient of a micro-batch is taken before the next loss is asked for."""
    for sizes in ((3, 1), (2, 4, 1)):
        yield call(hungry_loss, {"weight": draw.normal(WIDTH)}, measured(draw, sizes), want=reference)


@check(points=1)
def no_tokens(draw: Draw) -> Checking:
    """Without any token all gradients are zeros and the loss is 0.0."""
    params = classifier(draw)
    yield call(token_loss, params, [], want=reference)
    yield call(token_loss, params, labelled(draw, (0, 0)), want=reference)
    yield call(token_loss, params, [(draw.normal(n, WIDTH), torch.full((n,), -1)) for n in (3, 2)], want=reference)
    yield call(token_loss, params, labelled(draw, (1, 2)), want=reference)


@check(points=1)
def unused_parameter(draw: Draw) -> Checking:
    """A parameter that the loss does not depend on has a gradient of zeros."""
    yield call(first_layer_only, regressor(draw), measured(draw, (3, 1, 2)), want=reference)


@check(points=2)
def leaves_parameters_alone(draw: Draw) -> Checking:
    """The caller's parameters keep their values, their .grad and requires_grad."""
    for loss, params, batches in (
        (token_loss, classifier(draw), labelled(draw, (2, 3))),
        (squared_error, regressor(draw), measured(draw, (4, 1))),
    ):
        reply = yield call(loss, params, batches, want=reference, whole=True)
        if reply.changed:
            raise Failed(
                f"after the call something has changed for the caller: {', '.join(dict.fromkeys(reply.changed))}"
            )


@check(craft=True)
def half_precision(draw: Draw) -> Checking:
    """Gradients have the dtype of their parameters, and the sum over micro-batches runs in float32."""
    for dtype in (torch.float16, torch.bfloat16):
        weight = draw.integers(-4, 5, (3,)).to(dtype)
        batches = [(draw.integers(-3, 4, (n, 3)).to(dtype), torch.zeros(n, dtype=dtype)) for n in (2, 5, 1)]
        yield call(linear_sum, {"weight": weight}, batches, want=reference)
    ones = [(torch.full((1, 2), x, dtype=torch.bfloat16), torch.zeros(1)) for x in (STALL, *[1] * 40)]
    yield call(linear_sum, {"weight": torch.tensor([1.0, 2.0], dtype=torch.bfloat16)}, ones, want=reference)


@check(craft=True)
def double_precision(draw: Draw) -> Checking:
    """float64 parameters give float64 gradients with all their digits."""
    params = {name: draw.normal(*p.shape, dtype=torch.float64) * 0.5 for name, p in regressor(draw).items()}
    batches = [(draw.normal(n, WIDTH, dtype=torch.float64), draw.normal(n, dtype=torch.float64)) for n in (3, 1, 4)]
    yield call(squared_error, params, batches, want=reference)


@check(craft=True)
def stays_on_the_device(draw: Draw) -> Checking:
    """Sums are made on the device of the parameters."""
    reply = yield call(
        squared_error, regressor(draw), measured(draw, (3, 2)), want=reference, under="audit", whole=True
    )
    for what, line in reply.audit:
        if "without device" in what:  # .item() is needed for the loss, which is a float
            raise Failed(f"line {line}: {what}", line=line)


MISTAKES = [
    mistake(
        "mean_of_means",
        "This is the mean of the micro-batches' means: a token in a short micro-batch weighs more than one "
        "in a long. With equal sizes nobody notices, which is how the mistake lived in training libraries "
        "until 2024. Add up sums and counts, and divide once.",
        gradient="mean of means",
        value="mean of means",
    ),
    mistake(
        "loss_mean_of_means",
        "The gradient is right, but the loss is the mean of the micro-batches' mean losses. It needs the "
        "same care as the gradient: all sums over all tokens.",
        value="mean of means",
    ),
    mistake(
        "sum_kept",
        "The sums are never divided: gradient and loss grow with the number of tokens, and with them the "
        "step that the optimiser takes. The mean per token is asked for.",
        gradient="sum",
        value="sum",
    ),
    mistake(
        "loss_not_divided",
        "The gradient is the mean's, but the loss is still the sum over all tokens.",
        value="sum",
    ),
    mistake(
        "gradient_not_divided",
        "The loss is the mean per token, but the gradient is still that of the sum. Both are to be divided "
        "by all tokens.",
        gradient="sum",
    ),
    mistake(
        "divided_by_micro_batches",
        "The sums are divided by the number of micro-batches. That would be right if the loss function "
        "returned means; it returns sums over tokens, and how many those are it says in its second result.",
        gradient="number of parts",
        value="number of parts",
    ),
    mistake(
        "only_the_last_micro_batch",
        "Gradient and loss are those of the last micro-batch alone: what came before was replaced. Each must be added.",
        gradient="last part",
        value="last part",
    ),
    mistake(
        "gradient_overwritten",
        "Loss and tokens are added up, but the gradient is the last micro-batch's (divided by all tokens): "
        "it is replaced in each turn, where it must be added to the sum.",
        gradient="last part over all",
    ),
    mistake(
        "micro_batches_joined",
        "The micro-batches are put together and go through the loss function at once. The numbers are "
        "right, but the reason to cut the batch was that the whole does not fit.",
        calls="joined",
    ),
    mistake(
        "graphs_kept",
        "All losses are gathered first and one backward is run at the end. Until then the graph of every "
        "micro-batch is alive, so the memory is that of the whole batch. Take each gradient before the next "
        "call, and add numbers, not losses with a graph.",
        calls="graphs kept",
    ),
    mistake(
        "counted_by_calling",
        "The loss function is called twice for each micro-batch, once only to learn how many tokens there "
        "are. Divide at the end, when all counts are known; until then sums will do.",
        calls="counted first",
    ),
    mistake(
        "empty_ones_called",
        "The loss function is called for micro-batches without entries. They have nothing to add, and many "
        "loss functions can't work on nothing; they are to be skipped.",
        calls="empty ones too",
    ),
    mistake(
        "no_tokens_raises",
        "Without any token the answer divides by 0 and ends in an error. There the gradients are zeros and "
        "the loss is 0.0.",
        nothing="raises",
    ),
    mistake(
        "no_tokens_gives_nan",
        "Without any token the answer works out 0 / 0, so gradients and loss are NaN, and so are all "
        "parameters after the next step. There the gradients are zeros and the loss is 0.0.",
        nothing="nan",
    ),
    mistake(
        "no_tokens_no_names",
        "Without any token the dict is empty, probably because names enter it with the first gradient. "
        "Every parameter has a gradient, if only zeros: start the sums before the loop.",
        nothing="no names",
    ),
    mistake(
        "unused_refused",
        "A parameter that the loss does not depend on ends in a RuntimeError. autograd.grad insists on a "
        "path to each tensor unless it is told otherwise; here such a parameter has a gradient of zeros.",
        unused="refused",
    ),
    mistake(
        "unused_is_none",
        "The gradient of a parameter that the loss does not depend on is None. That is how autograd says "
        "zero; zeros in the parameter's shape are asked for.",
        unused="none",
    ),
    mistake(
        "unused_left_out",
        "A parameter that the loss does not depend on is missing in the dict. Its gradient is zero, and "
        "that has a shape and a name.",
        unused="left out",
    ),
    mistake(
        "parameters_polluted",
        "The caller's own tensors are used as leaves: afterwards they require a gradient or hold one in "
        ".grad, and the caller's next backward adds to it. Work on detached ones of your own.",
        pollutes=True,
    ),
    mistake(
        "loss_as_tensor",
        "The loss comes back as a tensor. A Python float is asked for, which has no graph and no device.",
        value="tensor",
    ),
    mistake(
        "half_accumulated",
        "The sum over micro-batches runs in the half precision of the parameters. It stands still once a "
        "gradient is smaller than half of its last digit: in bfloat16, 256 + 1 is 256. Sum in float32 and "
        "round once, at the end.",
        craft=True,
        precision="of the parameters",
    ),
    mistake(
        "always_float32",
        "The gradients are float32 whatever the parameters are. Each should have the dtype of its "
        "parameter: cast back half precision, and leave float64 its digits.",
        craft=True,
        precision="float32",
    ),
]


@accepted
def backward_on_copies(loss_sum_fn: LossSum, params: Params, micro_batches: Batches) -> Result:
    """backward() adds to the .grad of float32 or wider copies."""
    own = {name: p.detach().clone().requires_grad_() for name, p in params.items()}
    sums = {name: torch.zeros_like(p, dtype=torch.promote_types(p.dtype, torch.float32)) for name, p in params.items()}
    losses, counts = [], []
    for x, y in micro_batches:
        if not len(y):
            continue
        loss, count = loss_sum_fn(own, x, y)
        loss.backward()
        losses.append(loss.item())
        counts.append(count)
        for name, p in own.items():
            sums[name] += 0 if p.grad is None else p.grad
            p.grad = None
    n = sum(counts) or 1
    return {name: (total / n).to(params[name].dtype) for name, total in sums.items()}, sum(losses) / n


@accepted
def functional(loss_sum_fn: LossSum, params: Params, micro_batches: Batches) -> Result:
    """torch.func.grad_and_value of each micro-batch."""
    sums = {name: p.detach() * torch.zeros((), dtype=torch.float32, device=p.device) for name, p in params.items()}
    sums = {name: torch.zeros_like(p, dtype=p.dtype if p.itemsize > 2 else torch.float32) for name, p in sums.items()}
    value, n = 0.0, 0
    for x, y in filter(lambda pair: pair[1].numel() > 0, micro_batches):
        counts: list[int] = []

        def only_loss(p: Params, x: Tensor = x, y: Tensor = y, counts: list[int] = counts) -> Tensor:
            loss, count = loss_sum_fn(p, x, y)
            counts.append(count)
            return loss

        grads, loss = torch.func.grad_and_value(only_loss)({name: p.detach() for name, p in params.items()})
        sums = {name: sums[name] + grads[name] for name in sums}
        value, n = value + float(loss), n + counts[0]
    if n == 0:
        return {name: torch.zeros_like(p) for name, p in params.items()}, 0.0
    return {name: (total / n).to(params[name].dtype) for name, total in sums.items()}, value / n


@accepted
def running_mean(loss_sum_fn: LossSum, params: Params, micro_batches: Batches) -> Result:
    """A mean that is corrected with every micro-batch, by its share of the tokens seen so far."""
    names = list(params)
    means = [
        torch.zeros_like(params[name]).to(torch.promote_types(params[name].dtype, torch.float32)) for name in names
    ]
    mean, seen = 0.0, 0
    for x, y in micro_batches:
        if y.shape[0] == 0:
            continue
        leaves = {name: params[name].detach().requires_grad_(True) for name in names}
        loss, count = loss_sum_fn(leaves, x, y)
        grads = torch.autograd.grad(loss, [leaves[name] for name in names], allow_unused=True)
        if count:
            seen += count
            share = count / seen
            means = [
                m + ((0 if g is None else g.to(m.dtype)) / count - m) * share for m, g in zip(means, grads, strict=True)
            ]
            mean += (loss.item() / count - mean) * share
    return {name: m.to(params[name].dtype) for name, m in zip(names, means, strict=True)}, mean


HINTS = [
    hint("Work the example of the statement on paper. Which two numbers of a micro-batch must survive until the end?"),
    hint(
        "Start a sum of zeros for each parameter before the loop. In the loop: one call, one gradient of "
        "the loss sum, add."
    ),
    hint(
        "torch.autograd.grad returns gradients without touching .grad; leaves of your own come from "
        "p.detach().requires_grad_()."
    ),
    hint(
        "Try micro-batches of 1 and 3 tokens, then the same four tokens at once. Where does the single "
        "token get its weight?",
        "mean_of_means",
        "loss_mean_of_means",
        "divided_by_micro_batches",
    ),
    hint(
        "Copy each token of the batch once more. Neither the gradient nor the loss should change.",
        "sum_kept",
        "gradient_not_divided",
    ),
    hint("After the loop, look at p.grad and p.requires_grad of the tensors in `params`.", "parameters_polluted"),
    hint(
        "Which variable still refers to the first micro-batch's graph when the second loss is asked for?", "graphs_kept"
    ),
    hint("What is 0 / 0 for Python numbers, and what for tensors?", "no_tokens_raises", "no_tokens_gives_nan"),
    hint(
        "autograd.grad has arguments for leaves that the loss does not use; look at its signature.",
        "unused_refused",
        "unused_is_none",
    ),
]

QUIZ = [
    question(
        "Two micro-batches have mean losses 2 (over 30 tokens) and 4 (over 10 tokens). What is the mean "
        "loss of the batch?",
        right("2.5", "(2·30 + 4·10) / 40 = 100 / 40."),
        wrong_choice("3", "That is the mean of the two means; the 10 tokens would weigh as much as the 30."),
        wrong_choice("6", "Means are not added."),
        wrong_choice("50", "100 is the loss sum, to be divided by the number of tokens, not of micro-batches."),
    ),
    question(
        "When is the mean of the micro-batches' means right all the same?",
        right(
            "When all micro-batches have equally many tokens",
            "Then each weight is the same; this is why tests with equal sizes see nothing.",
        ),
        wrong_choice("When there are many micro-batches", "Their sizes still differ; the error does not average out."),
        wrong_choice("When the loss is small", "The weights don't depend on the size of the loss."),
        wrong_choice("When Adam is used", "Adam forgives one common factor, not wrong weights between tokens."),
    ),
    question(
        "What does accumulation over 8 micro-batches save, compared with one batch of the same tokens?",
        right("Memory for activations", "Only one micro-batch's graph is alive at a time."),
        wrong_choice("Memory for parameters", "They are all needed for each micro-batch."),
        wrong_choice("Computation", "The same tokens pass forward and backward."),
        wrong_choice("Optimiser state", "There is one state for each parameter in either case."),
    ),
    question(
        "Losses are added to one tensor in the loop, and backward runs once after it. What goes wrong?",
        right(
            "Every graph stays alive until the end",
            "The sum refers to each of them, so the memory is that of the whole batch.",
        ),
        wrong_choice(
            "The gradient is that of the last loss",
            "The gradient of a sum is the sum of gradients: the numbers are right.",
        ),
        wrong_choice("The gradient is counted twice", "Each loss enters the sum once."),
        wrong_choice("Nothing", "The numbers are right, but nothing was saved by cutting the batch."),
    ),
    question(
        "A layer norm's statistics are per token. Would batch norm also give the same gradient under accumulation?",
        right(
            "No, its statistics are taken over each micro-batch",
            "The loss of a token then depends on its neighbours in the micro-batch.",
        ),
        wrong_choice(
            "Yes, the gradient of a sum is the sum of gradients",
            "True, but the summands themselves change with the split.",
        ),
        wrong_choice("Yes, if the counts are right", "Weights between tokens don't mend statistics that differ."),
        wrong_choice(
            "Only in evaluation mode, where no gradient exists",
            "Gradients exist in evaluation mode; it is there that the split would not matter.",
        ),
    ),
]
