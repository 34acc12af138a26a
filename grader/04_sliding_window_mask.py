"""How sliding_window_mask is graded: nested Python lists are the reference."""

SECTION = "Tensors"
LEVEL = 2
AFTER = (3,)
VERSION = 1
FORBIDS = ("torch.nn.attention",)
LIMITS = {"cpu_seconds": 4}

import torch
from torch import Tensor

from kata.author import (
    Checking,
    Draw,
    Failed,
    accepted,
    call,
    check,
    hint,
    mistake,
    no_loop_over,
    question,
    right,
    wrong,
    wrong_choice,
)

SIZES = ((3, 5, 2), (5, 5, 3), (1, 6, 3), (4, 9, 1), (6, 4, 2), (7, 7, 20))


def reference(
    q_len: int,
    k_len: int,
    window: int,
    device: object = None,
    *,
    least: int = 0,
    extra: int = 0,
    two_sided: bool = False,
    future: bool = False,
    endless: bool = False,
    align: str = "end",
    inverted: bool = False,
    swapped: bool = False,
    clamped: bool = False,
) -> Tensor:
    """The rule, key by key, in Python lists: (q_len, k_len) of bool."""
    if window < 1 and not clamped:
        raise ValueError("window must be at least 1")
    shift = {"end": k_len - q_len, "start": 0, "never before": max(0, k_len - q_len)}[align]

    def visible(i: int, j: int) -> bool:
        behind = i + shift - j
        if two_sided:
            return abs(behind) < window + extra
        return (future or behind >= least) and (endless or behind < max(window, 1) + extra)

    rows = [[visible(i, j) != inverted for j in range(k_len)] for i in range(q_len)]
    mask = torch.tensor(rows, dtype=torch.bool).reshape(q_len, k_len)
    return mask.T if swapped else mask


@check(points=1, explains=True)
def shape_and_dtype(draw: Draw) -> Checking:
    """The mask is a bool tensor with a row for each query and a column for each key."""
    for q_len, k_len, window in ((3, 5, 2), (1, 4, 2), (5, 3, 2)):
        yield call(q_len, k_len, window, like=torch.zeros(q_len, k_len, dtype=torch.bool))


@check(points=1, explains=True)
def sees_itself(draw: Draw) -> Checking:
    """Each token sees itself, and with a window of 1 nothing else."""
    for n in (1, 4, draw.integer(5, 9)):
        mask = yield call(n, n, 1, like=torch.zeros(n, n, dtype=torch.bool))
        if not torch.equal(mask, torch.eye(n, dtype=torch.bool)):
            raise Failed(f"with window 1, {n} queries and {n} keys the mask is not the diagonal")


@check(points=1, explains=True)
def never_the_future(draw: Draw) -> Checking:
    """No query sees a key that comes after it."""
    n, window = draw.integer(5, 9), draw.integer(2, 5)
    mask = yield call(n, n, window, like=torch.zeros(n, n, dtype=torch.bool))
    if mask.triu(1).any():
        i, j = mask.triu(1).nonzero()[0].tolist()
        raise Failed(f"the query at position {i} sees key {j}, which comes after it")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The mask is right for more keys than queries, as many, and fewer."""
    for q_len, k_len, window in SIZES:
        yield call(q_len, k_len, window, want=reference)
    for _ in range(4):
        yield call(draw.integer(1, 12), draw.integer(1, 12), draw.integer(1, 9), want=reference)


@check(points=2)
def one_query_with_a_cache(draw: Draw) -> Checking:
    """A single new query sees the last `window` keys of a long cache."""
    for k_len in (8, draw.integer(20, 40)):
        yield call(1, k_len, 3, want=reference)


@check(points=1)
def refuses_an_empty_window(draw: Draw) -> Checking:
    """A window below 1 raises ValueError."""
    for window in (0, -draw.integer(1, 5)):
        yield call(4, 4, window, raises=ValueError)
    yield call(4, 6, 1, want=reference)


@check(craft=True)
def empty_sizes(draw: Draw) -> Checking:
    """No queries or no keys give an empty mask of the right shape."""
    for q_len, k_len in ((0, 4), (4, 0), (0, 0)):
        yield call(q_len, k_len, 2, want=reference)


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    yield from no_loop_over("positions", {n: call(n, n, 3, want=reference) for n in (8, 24)}, least=2)


MISTAKES = [
    mistake(
        "window_plus_one",
        "Each query sees one key too many behind it: the answer lets the distance reach `window`, but the window "
        "counts the token itself, so the farthest visible key is window − 1 steps back. Look at the comparison.",
        extra=1,
    ),
    mistake(
        "two_sided",
        "The window is open on both sides: keys ahead of a query are visible as well as keys behind it. The distance "
        "is probably taken as an absolute value; a decoder's window only looks back.",
        two_sided=True,
    ),
    mistake(
        "future_open",
        "The future is open: only the lower end of the window is enforced. A key must also not come after its query.",
        future=True,
    ),
    mistake(
        "window_ignored",
        "This is the plain causal mask: the past is visible without end. The window's lower bound is missing.",
        endless=True,
    ),
    mistake(
        "aligned_at_start",
        "Query i is taken to stand at position i. With more keys than queries the queries are the *last* positions, so "
        "a new token after a cache would see only the beginning. Look at how query positions are counted.",
        align="start",
    ),
    mistake(
        "aligned_never_before",
        "With more queries than keys, the first queries must stand before key 0 and see nothing. Here the offset "
        "k_len − q_len is not allowed to become negative.",
        align="never before",
    ),
    mistake(
        "inverted",
        "The mask is the exact opposite: True where a key is hidden. Here True means *may attend* "
        "(PyTorch's nn.Transformer masks mean the reverse).",
        inverted=True,
    ),
    mistake(
        "self_excluded",
        "No token sees itself: the diagonal is missing. A distance of 0 belongs to the window.",
        least=1,
    ),
    mistake(
        "transposed",
        "Rows and columns are exchanged: queries run along the last axis. Rows are queries, columns are keys.",
        swapped=True,
    ),
    mistake(
        "window_not_checked",
        "A window below 1 is accepted silently. The caller has made a mistake, and a ValueError is asked for.",
        clamped=True,
    ),
]


@wrong(
    "The mask holds numbers (0 and −inf, or 0 and 1), not truth values. A bool tensor is asked for: it can index, be "
    "inverted with ~ and be combined with &."
)
def float_mask(q_len: int, k_len: int, window: int, device: object = None) -> Tensor:
    """An additive mask."""
    return torch.zeros(q_len, k_len).masked_fill(~reference(q_len, k_len, window), -torch.inf)


@wrong(
    "The mask is right but filled in by a Python loop, one position at a time; tensor operations can make it at once.",
    craft=True,
)
def python_loop(q_len: int, k_len: int, window: int, device: object = None) -> Tensor:
    """Fills the mask row by row."""
    if window < 1:
        raise ValueError("window")
    mask = torch.zeros(q_len, k_len, dtype=torch.bool)
    for i in range(q_len):
        p = i + k_len - q_len
        for j in range(max(0, p - window + 1), min(p + 1, k_len)):
            mask[i, j] = True
    return mask


@accepted
def banded(q_len: int, k_len: int, window: int, device: object = None) -> Tensor:
    """tril and triu of a full mask."""
    if window < 1:
        raise ValueError("window")
    shift = k_len - q_len
    return torch.ones(q_len, k_len, dtype=torch.bool).tril(shift).triu(shift - window + 1)


HINTS = [
    hint("Write down, for one query at position p, which key positions j it may see. Two comparisons say it all."),
    hint("Make a column of query positions and a row of key positions and subtract: broadcasting gives all distances."),
    hint("Query i stands at position i + k_len − q_len. The distance p − j must be at least 0 and below `window`."),
    hint(
        "Count the keys that a query sees far from the start: there should be exactly `window` of them.",
        "window_plus_one",
    ),
    hint(
        "Print the mask for one query and four keys. Which key is the query's own?",
        "aligned_at_start",
        "aligned_never_before",
    ),
]

QUIZ = [
    question(
        "A query stands at position 9 and the window is 4. Which keys does it see?",
        right("6, 7, 8 and 9", "The window counts the token itself: distances 0, 1, 2 and 3."),
        wrong_choice("5, 6, 7, 8 and 9", "That are five keys; distance 4 is already outside a window of 4."),
        wrong_choice("5, 6, 7 and 8", "The token itself is left out; it is part of its own window."),
        wrong_choice("7, 8, 9, 10 and 11", "That window looks ahead; a decoder never does."),
    ),
    question(
        "How many layers of a window of 4 does it take until a token can be influenced by one 9 steps behind?",
        right("3", "Each layer reaches 3 steps back, so three layers reach 9."),
        wrong_choice("2", "Two layers reach 6 steps back."),
        wrong_choice("9", "Each layer reaches further than one step."),
        wrong_choice("It never can.", "Information moves back window − 1 steps with every layer."),
    ),
    question(
        "One new token is decoded with 20 keys in the cache, its own included. Where does its query stand?",
        right("At position 19", "The queries are the last positions: 0 + 20 − 1."),
        wrong_choice("At position 0", "Then it could see only key 0; this is the top-left alignment mistake."),
        wrong_choice("At position 20", "Positions count from 0, and its own key is among the 20."),
        wrong_choice("It depends on the window.", "The window says what is visible, not where the query stands."),
    ),
    question(
        "What does a window of k_len or more give?",
        right("The plain causal mask", "No key is ever far enough behind to fall out of the window."),
        wrong_choice("A mask that is True everywhere", "The future stays hidden."),
        wrong_choice("An error", "It is a legal window that never bites."),
        wrong_choice("An empty mask", "A larger window shows more, not less."),
    ),
    question(
        "Why is a bool mask asked for, and not 0 and −inf?",
        right(
            "It can be combined, inverted and passed to attention as it is",
            "The additive form is one line away, and has a dtype to get wrong.",
        ),
        wrong_choice("Because −inf is slow", "Adding −inf costs the same as adding 0."),
        wrong_choice("Because attention can't add", "It can; an additive mask is another convention."),
        wrong_choice(
            "Because bool masks need no memory", "They need a byte an entry: less than float32, but not nothing."
        ),
    ),
]
