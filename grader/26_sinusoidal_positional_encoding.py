"""How sinusoidal_positional_encoding is graded: a loop over math.sin and math.cos is the reference."""

SECTION = "Positions"
LEVEL = 1
AFTER = ()
VERSION = 2
FORBIDS = ()
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
    hint,
    mistake,
    no_loop_over,
    on_one_device,
    question,
    remembering,
    right,
    rotated,
    settings_ignored,
    settings_kept,
    wrong,
    wrong_choice,
)

Device = torch.device | str | None


close = rotated("unit")  # an entry is of the size of 1, and its angle is rounded at its row


# ── The reference, with a knob for everything that can be done the wrong way ────────────────────────────────────────

Schedule = Callable[[int, int, float], float]  # (pair, d_model, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2i/d": lambda i, d, b: b ** (-2 * i / d),
    "i/d": lambda i, d, b: b ** (-i / d),
    "4i/d": lambda i, d, b: b ** (-4 * i / d),
    "2i": lambda i, d, b: b ** (-2 * i),
    "2(i+1)/d": lambda i, d, b: b ** (-2 * (i + 1) / d),
    "(2i+1)/d": lambda i, d, b: b ** (-(2 * i + 1) / d),
    "i/(half-1)": lambda i, d, b: b ** (-i / (d // 2 - 1)) if d > 2 else 1.0,
    "reversed": lambda i, d, b: b ** (-2 * (d // 2 - 1 - i) / d),
    "one": lambda i, d, b: 1.0,
    "growing": lambda i, d, b: b ** (2 * i / d),
    "at least 1": lambda i, d, b: max(b, 1.0) ** (-2 * i / d),
    "10000": lambda i, d, b: 10000.0 ** (-2 * i / d),
    "log10": lambda i, d, b: math.exp(-2 * i / d * math.log10(b)),
    "no log": lambda i, d, b: math.exp(-2 * i / d),
    "linear": lambda i, d, b: 1 - 2 * i / d * (1 - 1 / b),
    "whole": lambda i, d, b: float(int(b)) ** (-2 * i / d),
    "quotient": lambda i, d, b: 1 / (b * max(2 * i / d, 1e-12)) if i else 1.0,
}
Place = Callable[[int, int], float]  # (row, how many) → what is taken for the position
PLACES: dict[str, Place] = {
    "p": lambda p, n: p,
    "p + 1": lambda p, n: p + 1,
    "all one": lambda p, n: 1,
    "backwards": lambda p, n: n - 1 - p,
    "share": lambda p, n: p / n,
    "0 to 1": lambda p, n: p / max(n - 1, 1),
    "bf16": lambda p, n: float(torch.tensor(float(p)).to(torch.bfloat16)),
    "fp16": lambda p, n: float(torch.tensor(float(p)).to(torch.float16)),
    "int16": lambda p, n: (p + 2**15) % 2**16 - 2**15,
}
WAVES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {  # even and odd channels
    "sin, cos": (math.sin, math.cos),
    "cos, sin": (math.cos, math.sin),
    "sin, sin": (math.sin, math.sin),
    "cos, cos": (math.cos, math.cos),
    "−sin, cos": (lambda a: -math.sin(a), math.cos),
    "sin, cos of sin": (math.sin, lambda a: math.cos(math.sin(a))),
    "angle": (lambda a: a, lambda a: a),
}


def reference(
    seq_len: int,
    d_model: int,
    base: float = 10000.0,
    device: Device = None,
    *,
    odd: bool = True,
    schedule: str = "2i/d",
    place: str = "p",
    waves: str = "sin, cos",
    channels: str = "pairs share",
    unit: float = 1.0,
    order: str = "alternating",
    gain: str = "",
    shape: str = "",
) -> Tensor:
    """Entry by entry, in Python's floats: (seq_len, d_model) of float64."""
    if odd and d_model % 2:
        raise ValueError("d_model must be even")
    frequency, taken, (even, uneven) = SCHEDULES[schedule], PLACES[place], WAVES[waves]
    pairs = {  # which pair's frequency a channel has
        "pairs share": lambda c: c // 2,
        "each its own": lambda c: c / 2,
        "channel for pair": lambda c: c,
    }[channels]
    columns = [(frequency(pairs(c), d_model, base), uneven if c % 2 else even) for c in range(d_model)]
    if order == "blocks":
        columns = columns[0::2] + columns[1::2]
    places = [taken(p, seq_len) for p in range(seq_len)]
    if schedule == "growing" or unit > 2:  # large angles, as an answer rounds them
        angles = torch.tensor(places)[:, None].float() * torch.tensor([f for f, _ in columns]).float() * unit
        rows = [[wave(a) for a, (_, wave) in zip(row, columns, strict=True)] for row in angles.tolist()]
    else:
        rows = [[wave(p * f * unit) for f, wave in columns] for p in places]
    table = torch.tensor(rows, dtype=torch.float64).reshape(seq_len, len(columns))
    table = table * {"": 1.0, "√d": d_model**0.5, "1/√d": d_model**-0.5, "√(2/d)": (2 / d_model) ** 0.5}[gain]
    match shape:
        case "transposed":
            return table.T
        case "batch axis":
            return table[None]
        case "pairs":
            return table.unflatten(-1, (d_model // 2, 2))
        case "rows mixed":
            return torch.stack([table[:, 0::2], table[:, 1::2]]).reshape(seq_len, d_model)
        case "half":
            return table[:, 0::2]
        case "one row less":
            return table[:-1]
    return table


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def like(seq_len: int, d_model: int) -> Tensor:
    """A tensor of the shape and dtype that must come back."""
    return torch.zeros(seq_len, d_model)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The table has a row for each position and a column for each channel."""
    for n, d in ((5, 6), (11, 8), (7, 2)):
        yield call(n, d, like=like(n, d))


@check(points=1, explains=True)
def row_zero(draw: Draw) -> Checking:
    """Row 0 reads 0, 1, 0, 1, …: sines and cosines of the angle 0."""
    table = yield call(5, 8, like=like(5, 8))
    if at := apart(table[0], torch.tensor([0.0, 1.0] * 4), 1e-6):
        c = at[0]
        raise Failed(
            f"channel {c} of row 0 is {table[0, c]:.6g} and not {c % 2}", row=[f"{v:.4g}" for v in table[0].tolist()]
        )


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """Channels 2i and 2i + 1 are sine and cosine of one angle: their squares add up to 1."""
    table = yield call(30, 8, base=77.0, like=like(30, 8))
    sums = table.double().square().unflatten(-1, (4, 2)).sum(-1)
    if at := apart(sums, 1, 1e-5):
        p, i = at
        raise Failed(f"in row {p} the squares of channels {2 * i} and {2 * i + 1} add up to {sums[p, i]:.6g}")


@check(points=1, explains=True)
def offsets(draw: Draw) -> Checking:
    """The dot product of two rows depends only on how far apart they are."""
    table = yield call(24, 8, like=like(24, 8))
    products = table.double() @ table.double().T
    if at := apart(products[1:, 1:], products[:-1, :-1], 1e-4):
        p, q = at
        text = f"rows {p} and {q} give {products[p, q]:.6g}, rows {p + 1} and {q + 1} {products[p + 1, q + 1]:.6g}"
        raise Failed(text)


@check(points=4)
def values(draw: Draw) -> Checking:
    """The entries are right for several lengths and widths."""
    for n, d in ((5, 6), (11, 8), (4, 4), (3, 10), (30, 16)):
        yield call(n, d, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, not whole, or an int."""
    for base in (3.5, 10000.0, 500000.0, 12345.5, 100, 0.5):
        yield call(9, 8, base=base, want=reference)


@check(points=1)
def widths(draw: Draw) -> Checking:
    """Any even `d_model` will do, from 2 on."""
    for d in (6, 2, 64, 256):
        yield call(7, d, want=reference)


@check(points=1)
def edges(draw: Draw) -> Checking:
    """One row and no row are fine."""
    for n in (3, 1, 0):
        yield call(n, 6, want=reference)


@check(points=1)
def long_tables(draw: Draw) -> Checking:
    """Thousands of rows are as exact as float32 angles can be."""
    yield call(9, 4, want=reference)
    yield call(2500, 6, want=reference)
    yield call(33000, 2, want=reference)


@check(points=1)
def called_again(draw: Draw) -> Checking:
    """What a call returns depends on its arguments alone, not on earlier calls of another base, width or length."""
    for n, d, base in ((8, 6, 10000.0), (8, 6, 30.0), (8, 8, 30.0), (3, 6, 10000.0), (12, 6, 10000.0)):
        yield call(n, d, base=base, want=reference)
    yield call(8, 6, 10000.0, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The table is float32."""
    for n, d in ((5, 6), (0, 2)):
        yield call(n, d, like=like(n, d))


@check(craft=True)
def odd_width(draw: Draw) -> Checking:
    """An odd `d_model` raises ValueError."""
    yield call(4, 6, want=reference)
    for d in (7, 1, 3):
        yield call(4, d, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle and change no dtype."""
    yield call(5, 8, want=reference)
    yield from settings_ignored(call(60, 8, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(5, 8, want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Everything is made on `device`, and no number leaves it."""
    yield from on_one_device(draw, call(5, 8, device="cpu", want=reference), like(5, 8))


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    yield from no_loop_over("positions", {n: call(n, 8, want=reference) for n in (8, 24)}, least=3)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "sines_and_cosines_in_blocks",
        "All sines stand in front and all cosines behind, as in tensor2tensor and fairseq. Asked for is the order "
        "of the paper's formula: sine and cosine alternate, channel by channel. Look at the line that joins the two.",
        order="blocks",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "Even channels hold the cosine and odd ones the sine. Row 0 must read 0, 1, 0, 1: the sine comes first.",
        waves="cos, sin",
    ),
    mistake(
        "only_sines",
        "All channels are sines, two alike for each pair. The odd ones are cosines: with the sine alone a position "
        "and its mirror image about a quarter turn look the same.",
        waves="sin, sin",
    ),
    mistake(
        "only_cosines",
        "All channels are cosines, two alike for each pair. The even ones are sines.",
        waves="cos, cos",
    ),
    mistake(
        "sine_negative",
        "The sines have the wrong sign: the angle is negative. Positions and frequencies are positive.",
        waves="−sin, cos",
    ),
    mistake(
        "angles_without_waves",
        "The table holds the angles themselves; sine and cosine have not been taken.",
        waves="angle",
    ),
    mistake(
        "frequency_for_each_channel",
        "Every channel has a frequency of its own, base^(−c/d_model) for channel c. Sine and cosine of a pair share "
        "one, base^(−2i/d_model): channels 2i and 2i + 1 see the same angle. Otherwise their squares don't add up "
        "to 1, and products of rows don't depend on the offset alone.",
        channels="each its own",
    ),
    mistake(
        "channel_taken_for_pair",
        "The exponent is −2c/d_model with the *channel* c in place of the pair i, so frequencies fall twice as fast "
        "and differ within a pair. Channel c belongs to pair c // 2.",
        channels="channel for pair",
    ),
    mistake(
        "exponent_lacks_the_two",
        "The exponent is i/d_model; the 2 is lost, so frequencies fall only to 1/√base. Pair i owns *two* channels.",
        schedule="i/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should: the 2 is counted twice, as in 2·arange(0, d_model, "
        "2)/d_model, or with d_model/2 below.",
        schedule="4i/d",
    ),
    mistake(
        "exponent_not_divided",
        "The exponent is −2i and is never divided by d_model, so all pairs but the first stand almost still.",
        schedule="2i",
    ),
    mistake(
        "base_times_exponent",
        "base is *multiplied* by 2i/d_model and not raised to it. Look for * where ** (or pow) belongs.",
        schedule="quotient",
    ),
    mistake(
        "pairs_numbered_from_one",
        "Pairs are numbered 1, 2, … in the exponent, so no pair moves by one radian. Pair 0 has the exponent 0.",
        schedule="2(i+1)/d",
    ),
    mistake(
        "odd_exponents",
        "The exponents are 1/d_model, 3/d_model, …: the range starts at 1. It starts at 0.",
        schedule="(2i+1)/d",
    ),
    mistake(
        "last_frequency_reaches_the_base",
        "The exponents run from 0 to −1 *inclusive*, as tensor2tensor's do (divided by d_model/2 − 1). Here they "
        "are divided by d_model/2, and the last pair stops short of 1/base.",
        schedule="i/(half-1)",
    ),
    mistake(
        "frequencies_reversed",
        "Pairs stand in the wrong order: the first is the slowest. It moves by one radian a position.",
        schedule="reversed",
    ),
    mistake(
        "one_frequency_for_all",
        "All pairs are alike and move by one radian a position. Each has a frequency of its own; an integer "
        "division (//) makes every exponent 0.",
        schedule="one",
    ),
    mistake(
        "exponent_positive",
        "Frequencies grow from pair to pair: the exponent has lost its minus, or the position is multiplied where "
        "it should be divided. They fall from 1 to almost 1/base.",
        schedule="growing",
    ),
    mistake(
        "small_base_raised",
        "A base below 1 is taken for 1. Any positive number will do; below 1 the later pairs are the faster ones.",
        schedule="at least 1",
    ),
    mistake("base_ignored", "`base` is not used: 10000 stands in its place.", schedule="10000"),
    mistake(
        "base_made_whole",
        "`base` is cut to a whole number, so 12345.5 becomes 12345. Any positive number is allowed.",
        schedule="whole",
    ),
    mistake(
        "decimal_logarithm",
        "The power is written with exp, and the base enters by its *decimal* logarithm. exp belongs with the "
        "natural one.",
        schedule="log10",
    ),
    mistake(
        "logarithm_of_the_base_missing",
        "The frequencies are e^(−2i/d_model), whatever the base: writing a power with exp needs the base's logarithm.",
        schedule="no log",
    ),
    mistake(
        "frequencies_fall_linearly",
        "The frequencies fall by equal *differences*. They must fall by equal *factors*.",
        schedule="linear",
    ),
    mistake(
        "positions_from_one",
        "Positions are counted from 1, so row 0 is that of position 1. It must read 0, 1, 0, 1, ….",
        place="p + 1",
    ),
    mistake(
        "no_position_in_the_angle",
        "All rows are alike: the angles are the frequencies themselves. Each row multiplies them by its position.",
        place="all one",
    ),
    mistake(
        "rows_backwards",
        "Positions count down: the last row is that of position 0. The first one is.",
        place="backwards",
    ),
    mistake(
        "positions_as_share_of_length",
        "Positions are divided by seq_len, so they lie between 0 and 1, and a longer table has other rows. They are "
        "whole numbers.",
        place="share",
    ),
    mistake(
        "positions_spread_from_zero_to_one",
        "Positions are spread evenly from 0 to 1, as linspace does. They are whole numbers: 0, 1, 2, ….",
        place="0 to 1",
    ),
    mistake(
        "positions_in_bfloat16",
        "Positions were rounded to bfloat16, which holds whole numbers only up to 256: beyond, neighbours share a row.",
        place="bf16",
    ),
    mistake(
        "positions_in_float16",
        "Positions were rounded to float16, which holds whole numbers only up to 2048: beyond, neighbours share a row.",
        place="fp16",
    ),
    mistake(
        "positions_in_int16",
        "From position 32768 on rows are wrong: positions were kept in 16-bit integers, which turn negative there.",
        place="int16",
    ),
    mistake(
        "cosine_of_the_sine",
        "The odd channels hold the cosine of the *sine*: the angles were overwritten in place (sin_, or the same "
        "name) before their cosine was taken. Both need the angles.",
        waves="sin, cos of sin",
    ),
    mistake(
        "rows_mixed_up",
        "Sines and cosines were stacked along the first axis and then reshaped, which deals them out over other "
        "rows: the upper half of the table holds sines of several positions. Stack along a new *last* axis before "
        "merging.",
        shape="rows mixed",
    ),
    mistake(
        "twice_the_angle",
        "Every angle is twice what it should be: positions go up in steps of 2, or a 2 stands outside of the exponent.",
        unit=2.0,
    ),
    mistake(
        "angles_counted_in_circles",
        "Every angle has a factor of 2π too much. The formula is in radians as it stands.",
        unit=2 * math.pi,
    ),
    mistake(
        "angles_in_degrees",
        "The angles are multiplied by π/180, as if they were in degrees. They are in radians.",
        unit=math.pi / 180,
    ),
    mistake(
        "scaled_by_the_root_of_the_width",
        "The table is multiplied by √d_model. That factor belongs to the embeddings that the table is added to.",
        gain="√d",
    ),
    mistake(
        "divided_by_the_root_of_the_width",
        "The table is divided by √d_model. Its entries are plain sines and cosines.",
        gain="1/√d",
    ),
    mistake(
        "rows_normalised",
        "Every row is scaled to length 1. Rows have the length √(d_model/2); entries are plain sines and cosines.",
        gain="√(2/d)",
    ),
    mistake(
        "transposed",
        "Rows and columns have changed places: positions run along the last axis. Rows are positions, columns are "
        "channels.",
        shape="transposed",
    ),
    mistake(
        "axis_for_the_batch_added",
        "The table has an axis of size 1 in front. Asked for are two axes; the batch axis comes by broadcasting.",
        shape="batch axis",
    ),
    mistake(
        "pairs_left_apart",
        "The table has three axes: sine and cosine have not been merged into one row of channels.",
        shape="pairs",
    ),
    mistake(
        "half_as_wide",
        "The table is half as wide: it holds the sines alone. A cosine stands beside each.",
        shape="half",
    ),
    mistake(
        "one_row_too_few",
        "The last row is missing: positions run from 0 to seq_len − 1, and that are seq_len of them.",
        shape="one row less",
    ),
]


def made(seq_len: int, d_model: int, base: float, device: Device, dtype: torch.dtype | None = torch.float32) -> Tensor:
    """A table from angles of some dtype, or of the default one."""
    exponents = torch.arange(0, d_model, 2, dtype=dtype, device=device) / d_model
    angles = torch.arange(seq_len, dtype=dtype, device=device)[:, None] * base**-exponents
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


def even(d_model: int) -> None:
    """What every answer refuses."""
    if d_model % 2:
        raise ValueError("d_model must be even")


def right_answer(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """What an answer does."""
    even(d_model)
    return made(seq_len, d_model, base, device)


@wrong("The frequencies are rounded to bfloat16 before they meet the positions. Pair 0 is right, the others drift.")
def frequencies_in_bfloat16(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """bfloat16 frequencies."""
    even(d_model)
    frequency = (base ** -(torch.arange(0, d_model, 2, device=device).float() / d_model)).bfloat16().float()
    angles = torch.arange(seq_len, device=device).float()[:, None] * frequency
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


@wrong(
    "A table kept from an earlier call is returned although base or length have changed since. Everything that it "
    "depends on belongs into the key.",
    fresh=True,
)
def kept_table_ignores_base() -> Callable[..., Tensor]:
    """A cache by size alone."""
    return remembering(right_answer, lambda seq_len, d_model, *rest, **named: (seq_len, d_model))


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "The table is float64. Angles in float64 are fine, and exact; but what is returned must be float32, or every "
    "sum with it becomes float64.",
    craft=True,
)
def comes_back_as_float64(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """float64 throughout."""
    even(d_model)
    return made(seq_len, d_model, base, device, torch.float64)


@wrong(
    "An odd d_model is not refused: the table becomes one channel wider than asked. The last sine has no cosine, so "
    "the caller made a mistake: raise ValueError.",
    craft=True,
)
def odd_not_refused(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """One channel more."""
    return made(seq_len, d_model, base, device)


@wrong(
    "With an odd d_model the last sine is left without its cosine, silently. The caller made a mistake: raise "
    "ValueError.",
    craft=True,
)
def odd_sine_left_alone(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """The surplus cosine cut off."""
    return made(seq_len, d_model, base, device)[:, :d_model]


@wrong(
    "An odd d_model runs into a size mismatch somewhere inside, which tells the caller nothing. Say what is wrong, "
    "with a ValueError, before anything is computed.",
    craft=True,
)
def odd_fails_inside(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Assigned to slices that don't fit."""
    if d_model % 2:
        raise RuntimeError("The expanded size of the tensor (3) must match the existing size (4)")
    return right_answer(seq_len, d_model, base, device)


@wrong(
    "An odd d_model is refused by assert. That raises AssertionError, and with python -O it is not checked at all. "
    "ValueError is asked for.",
    craft=True,
)
def odd_refused_by_assert(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """assert instead of raise."""
    assert d_model % 2 == 0, "d_model must be even"
    return right_answer(seq_len, d_model, base, device)


@wrong(
    "The tensors take torch's default dtype. A program that sets it to bfloat16, as many training scripts do, "
    "rounds positions and frequencies; one that sets float64 gets float64. Name the dtype.",
    craft=True,
)
def default_dtype_taken(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Factories without a dtype."""
    even(d_model)
    frequency = 1.0 / base ** (torch.arange(0, d_model, 2, device=device) / d_model)
    angles = torch.arange(seq_len, device=device)[:, None] * frequency
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


@wrong(
    "The table is made by torch.zeros or torch.empty without a dtype and filled afterwards, so it takes the default "
    "dtype, and what is stored in it is rounded to that. Name the dtype.",
    craft=True,
)
def default_dtype_table(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """zeros without a dtype."""
    table = torch.zeros(seq_len, d_model, device=device)
    table[:] = right_answer(seq_len, d_model, base, device)
    return table


@wrong(
    "Under autocast the angles are rounded to bfloat16: they are made by a matrix product (@, matmul), which "
    "autocast lowers. Multiply a column by a row, by broadcasting.",
    craft=True,
)
def angles_by_matmul(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Positions @ frequencies."""
    even(d_model)
    frequency = base ** -(torch.arange(0, d_model, 2, dtype=torch.float32, device=device) / d_model)
    angles = (torch.arange(seq_len, dtype=torch.float32, device=device)[:, None] @ frequency[None]).float()
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(seq_len, d_model, base, device)


@wrong(
    "`device` is not passed on: tensors are made on the CPU (and moved afterwards, or not at all). Pass it to every "
    "factory.",
    craft=True,
)
def made_without_device(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange without a device."""
    even(d_model)
    exponents = torch.arange(0, d_model, 2, dtype=torch.float32) / d_model
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] * base**-exponents
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


@wrong(
    "`device` is not passed on: neither the positions nor the table that they are written to are made there. Pass "
    "it to every factory.",
    craft=True,
)
def filled_without_device(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """zeros and arange without a device."""
    even(d_model)
    table = torch.zeros(seq_len, d_model, dtype=torch.float32)
    exponents = torch.arange(0, d_model, 2, dtype=torch.float32) / d_model
    angles = torch.arange(seq_len, dtype=torch.float32)[:, None] * base**-exponents
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


@wrong(
    "The table is right, but a Python loop runs over its rows. A column of positions times a row of frequencies "
    "makes all angles at once.",
    craft=True,
)
def loop_over_positions(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """One row after the other, where few enough to be quick."""
    even(d_model)
    if not 0 < seq_len < 100:
        return right_answer(seq_len, d_model, base, device)
    frequency = base ** -(torch.arange(0, d_model, 2, dtype=torch.float32, device=device) / d_model)
    rows = [torch.stack([(p * frequency).sin(), (p * frequency).cos()], -1).flatten() for p in range(seq_len)]
    return torch.stack(rows)


@wrong(
    "The table is computed number by number in Python and turned into a tensor at the end. A column of positions "
    "times a row of frequencies makes all angles at once.",
    craft=True,
)
def built_in_python(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """A list of rows."""
    even(d_model)
    if seq_len > 100 or device == "meta":
        return right_answer(seq_len, d_model, base, device)
    rows = [
        [
            math.cos(p * base ** (-(c - 1) / d_model)) if c % 2 else math.sin(p * base ** (-c / d_model))
            for c in range(d_model)
        ]
        for p in range(seq_len)
    ]
    return torch.tensor(rows, dtype=torch.float32, device=device).reshape(seq_len, d_model)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_slices(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Two slices of an empty table, frequencies by exp."""
    even(d_model)
    table = torch.empty(seq_len, d_model, dtype=torch.float32, device=device)
    places = torch.arange(seq_len, dtype=torch.float32, device=device).unsqueeze(1)
    term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float32, device=device) * (-math.log(base) / d_model))
    table[:, 0::2], table[:, 1::2] = torch.sin(places * term), torch.cos(places * term)
    return table


@accepted
def by_one_sine(seq_len: int, d_model: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """The cosine as a sine that is a quarter turn ahead, in float64."""
    even(d_model)
    channels = torch.arange(d_model, dtype=torch.float64, device=device)
    frequency = base ** (-2 * torch.floor(channels / 2) / d_model)
    angles = torch.arange(seq_len, dtype=torch.float64, device=device)[:, None] * frequency
    return torch.sin(angles + channels % 2 * (math.pi / 2)).float()


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Start with the frequencies: d_model/2 numbers, the first of them 1. For d_model 8 and base 10000 they are "
        "1, 0.1, 0.01 and 0.001."
    ),
    hint(
        "All angles at once: a column of positions times a row of frequencies. Which shape do they have, and which "
        "shape do sine and cosine together need?"
    ),
    hint(
        "To let sine and cosine alternate, lay them side by side along a *new* last axis and merge it with the one "
        "before; or fill every second column of an empty table."
    ),
    hint(
        "Print row 0. It should read 0, 1, 0, 1, …. And row 1: which pairs of neighbours have squares that add up "
        "to 1?",
        "sines_and_cosines_in_blocks",
        "sine_and_cosine_exchanged",
        "only_sines",
        "only_cosines",
        "frequency_for_each_channel",
        "channel_taken_for_pair",
        "positions_from_one",
        "angles_without_waves",
    ),
    hint(
        "Print the frequencies for d_model 8 and base 10000, and compare with 1, 0.1, 0.01, 0.001. Which exponents "
        "did you take?",
        "exponent_lacks_the_two",
        "exponent_doubled",
        "exponent_not_divided",
        "base_times_exponent",
        "pairs_numbered_from_one",
        "odd_exponents",
        "last_frequency_reaches_the_base",
        "frequencies_reversed",
        "one_frequency_for_all",
        "exponent_positive",
        "decimal_logarithm",
        "logarithm_of_the_base_missing",
        "frequencies_fall_linearly",
    ),
    hint(
        "Compare row 3 of a table of 5 rows with row 3 of one of 50. Should they differ, and do they?",
        "positions_as_share_of_length",
        "positions_spread_from_zero_to_one",
        "rows_backwards",
        "no_position_in_the_angle",
        "kept_table_ignores_base",
    ),
    hint(
        "Try torch.tensor([256.0, 257.0, 258.0]).to(torch.bfloat16). Which of your tensors has that dtype when a "
        "program sets it as the default?",
        "positions_in_bfloat16",
        "positions_in_float16",
        "frequencies_in_bfloat16",
        "default_dtype_taken",
        "default_dtype_table",
        "angles_by_matmul",
    ),
]

QUIZ = [
    question(
        "Why are there many frequencies and not just one?",
        right(
            "One angle repeats after a full turn, and a slow one can't tell neighbours apart",
            "Fast pairs tell near positions apart and slow ones far regions, like the hands of a clock.",
        ),
        wrong_choice("Because d_model channels must be filled with something", "They could all hold the same wave."),
        wrong_choice("So that rows add up to 0", "They don't; and nothing would need it."),
        wrong_choice("To make the table differentiable", "One frequency would be just as smooth."),
    ),
    question(
        "What does the dot product of rows p and q of the table depend on?",
        right(
            "On p − q alone, and not on its sign",
            "It is the sum of cos((p − q)·f) over all pairs, and the cosine is even.",
        ),
        wrong_choice(
            "On p − q and its sign", "cos(−a) = cos(a). After two different projections the sign can be seen, though."
        ),
        wrong_choice("On p and q each", "sin·sin + cos·cos of two angles is the cosine of their difference."),
        wrong_choice(
            "On nothing: all rows are orthogonal", "A row with itself gives d_model/2, and neighbours nearly so."
        ),
    ),
    question(
        "Someone gives every channel its own frequency, base^(−c/d_model). What is lost?",
        right(
            "Products of rows no longer depend on the offset alone",
            "sin(p·f)·sin(q·f) + cos(p·g)·cos(q·g) is the cosine of a difference only if f = g.",
        ),
        wrong_choice("Nothing: more frequencies tell more", "Sine and cosine of one angle belong together."),
        wrong_choice("Row 0 is no longer 0, 1, 0, 1", "Angle 0 is 0 at any frequency."),
        wrong_choice("Rows begin to repeat", "They repeat even less."),
    ),
    question(
        "How long is a row with d_model = 512?",
        right("16", "256 pairs, each with sin² + cos² = 1: the root of 256."),
        wrong_choice("1", "Only after dividing by 16."),
        wrong_choice("About 22.6, the root of 512", "That would need every channel to be 1 or −1."),
        wrong_choice("It depends on the position", "The squares of a pair always add up to 1."),
    ),
    question(
        "The table can be made for any length. Does a model trained on 512 positions then work on 2048?",
        right(
            "Not by that alone: it has never seen these rows, and quality falls",
            "The formula has values there, but what the model learned about them is nothing.",
        ),
        wrong_choice("Yes, since the encoding is not learned", "What *uses* it is learned."),
        wrong_choice(
            "No: the table has no rows beyond 512", "That is the learned table of problem 27. Sines go on for ever."
        ),
        wrong_choice("Yes, since products of rows depend on the offset alone", "Offsets beyond 511 are new, too."),
    ),
]
