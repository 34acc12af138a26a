"""How rotary_frequencies is graded: a double loop over cmath.exp is the reference."""

SECTION = "Positions"
LEVEL = 2
AFTER = (26,)
VERSION = 2
FORBIDS = ()
LIMITS = {"cpu_seconds": 4}

import cmath
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


close = rotated("unit")  # an entry is of length 1, and its angle is rounded at its row


# ── The reference, with a knob for everything that can be turned the wrong way ──────────────────────────────────────

Schedule = Callable[[int, int, float], float]  # (pair, head_dim, base) → frequency
SCHEDULES: dict[str, Schedule] = {
    "2j/d": lambda j, d, b: b ** (-2 * j / d),
    "j/d": lambda j, d, b: b ** (-j / d),
    "4j/d": lambda j, d, b: b ** (-4 * j / d),
    "2j": lambda j, d, b: b ** (-2 * j),
    "2(j+1)/d": lambda j, d, b: b ** (-2 * (j + 1) / d),
    "(2j+1)/d": lambda j, d, b: b ** (-(2 * j + 1) / d),
    "j/(half-1)": lambda j, d, b: b ** (-j / (d // 2 - 1)) if d > 2 else 1.0,
    "reversed": lambda j, d, b: b ** (-2 * (d // 2 - 1 - j) / d),
    "one": lambda j, d, b: 1.0,
    "growing": lambda j, d, b: b ** (2 * j / d),
    "at least 1": lambda j, d, b: max(b, 1.0) ** (-2 * j / d),
    "10000": lambda j, d, b: 10000.0 ** (-2 * j / d),
    "log10": lambda j, d, b: math.exp(-2 * j / d * math.log10(b)),
    "no log": lambda j, d, b: math.exp(-2 * j / d),
    "linear": lambda j, d, b: 1 - 2 * j / d * (1 - 1 / b),
    "500000": lambda j, d, b: (500000.0 if b == 10000.0 else b) ** (-2 * j / d),
    "whole": lambda j, d, b: float(int(b)) ** (-2 * j / d),
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
Entry = Callable[[float], complex]  # angle → entry
ENTRIES: dict[str, Entry] = {
    "turn": lambda a: cmath.exp(1j * a),
    "conjugate": lambda a: cmath.exp(-1j * a),
    "swapped": lambda a: a * cmath.exp(1j),
    "sine first": lambda a: complex(math.sin(a), math.cos(a)),
    "angle": lambda a: complex(0.0, a),
    "squared": lambda a: cmath.exp(2j * a),
    "half": lambda a: cmath.exp(0.5j * a),
    "circles": lambda a: cmath.exp(2j * math.pi * a),
    "degrees": lambda a: cmath.exp(1j * math.radians(a)),
}


def reference(
    head_dim: int,
    max_seq_len: int,
    base: float = 10000.0,
    device: Device = None,
    *,
    odd: bool = True,
    schedule: str = "2j/d",
    place: str = "p",
    entry: str = "turn",
    shape: str = "",
) -> Tensor:
    """e^(i·p·f), entry by entry, in Python's complex numbers: (max_seq_len, head_dim/2) of complex128."""
    if odd and head_dim % 2:
        raise ValueError("head_dim must be even")
    frequency, taken, made = SCHEDULES[schedule], PLACES[place], ENTRIES[entry]
    max_seq_len = head_dim if shape == "head_dim rows" else max_seq_len
    frequencies = [frequency(j, head_dim, base) for j in range(head_dim // 2)]
    places = [taken(p, max_seq_len) for p in range(max_seq_len)]
    if schedule == "growing" or entry == "circles":  # large angles, as an answer rounds them
        angles = torch.tensor(places)[:, None].float() * torch.tensor(frequencies).float()
        table = torch.polar(torch.ones_like(angles), angles * (2 * math.pi if entry == "circles" else 1))
        return table.reshape(max_seq_len, len(frequencies)).to(torch.complex128)
    rows = [made(p * f) for p in places for f in frequencies]
    table = torch.tensor(rows, dtype=torch.complex128).reshape(max_seq_len, len(frequencies))
    match shape:
        case "twice":
            return torch.cat([table, table], -1)
        case "each twice":
            return table.repeat_interleave(2, -1)
        case "transposed":
            return table.T
        case "batch axis":
            return table[None]
        case "real":
            return table.real
        case "imaginary":
            return table.imag
        case "pairs":
            return torch.view_as_real(table)
        case "channels":
            return torch.cat([table.real, table.imag], -1)
        case "one row less":
            return table[:-1]
        case "one row more":
            return torch.cat([table, table[-1:]])
    return table


# ── Checks ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def like(head_dim: int, max_seq_len: int) -> Tensor:
    """A tensor of the shape and dtype that must come back."""
    return torch.zeros(max_seq_len, head_dim // 2, dtype=torch.complex64)


@check(points=1, explains=True)
def shape(draw: Draw) -> Checking:
    """The table is complex and has a row for each position and a column for each pair."""
    for head_dim, n in ((6, 5), (8, 11), (2, 7)):
        yield call(head_dim, n, like=like(head_dim, n))


@check(points=1, explains=True)
def row_zero(draw: Draw) -> Checking:
    """Position 0 is not turned: row 0 holds ones."""
    table = yield call(8, 5, like=like(8, 5))
    if at := apart(table[0], 1, 1e-6):
        j = at[0]
        raise Failed(f"entry (0, {j}) is {complex(table[0, j]):.6g} and not 1")


@check(points=1, explains=True)
def lengths(draw: Draw) -> Checking:
    """Every entry has length 1."""
    table = yield call(8, 40, base=77.0, like=like(8, 40))
    if at := apart(table.abs(), 1, 2.0**-21 * (1 + torch.arange(40)[:, None])):  # a running product is welcome
        p, j = at
        raise Failed(f"entry ({p}, {j}) has length {float(table[p, j].abs()):.6g}")


@check(points=1, explains=True)
def steps(draw: Draw) -> Checking:
    """The turn from one position to the next is the same everywhere in a column: one radian in column 0."""
    table = yield call(6, 30, like=like(6, 30))
    step = torch.angle(table[1:].to(torch.complex128) * table[:-1].conj())  # (29, 3)
    if at := apart(step, step[:1], 1e-4):
        p, j = at
        raise Failed(f"column {j} turns by {step[0, j]:.5g} at first, and by {step[p, j]:.5g} from row {p} to {p + 1}")
    if not abs(float(step[0, 0]) - 1) <= 1e-5:
        raise Failed(f"column 0 turns by {step[0, 0]:.6g} radians from row to row, not by 1")


@check(points=4)
def values(draw: Draw) -> Checking:
    """The entries are right for several widths and lengths."""
    for head_dim, n in ((6, 5), (8, 11), (4, 4), (10, 3), (16, 30)):
        yield call(head_dim, n, want=reference)


@check(points=2)
def bases(draw: Draw) -> Checking:
    """`base` is taken as it comes: small, large, not whole, or an int."""
    for base in (3.5, 10000.0, 500000.0, 12345.5, 100, 0.5):
        yield call(8, 9, base=base, want=reference)


@check(points=1)
def head_dims(draw: Draw) -> Checking:
    """Any even `head_dim` will do, from 2 on."""
    for head_dim in (6, 2, 64, 128):
        yield call(head_dim, 7, want=reference)


@check(points=1)
def edges(draw: Draw) -> Checking:
    """One row and no row are fine."""
    for n in (3, 1, 0):
        yield call(6, n, want=reference)


@check(points=1)
def prefix(draw: Draw) -> Checking:
    """A longer table begins with the shorter one."""
    for n in (20, 7, 13):
        yield call(8, n, base=500.0, want=reference)


@check(points=1)
def long_tables(draw: Draw) -> Checking:
    """Thousands of rows are as exact as float32 angles can be."""
    yield call(4, 9, want=reference)
    yield call(6, 2500, want=reference)
    yield call(2, 33000, want=reference)


@check(points=1)
def called_again(draw: Draw) -> Checking:
    """What a call returns depends on its arguments alone, not on earlier calls of another base, width or length."""
    for head_dim, n, base in ((6, 8, 10000.0), (6, 8, 30.0), (8, 8, 30.0), (6, 3, 10000.0), (6, 12, 10000.0)):
        yield call(head_dim, n, base=base, want=reference)
    yield call(6, 8, 10000.0, want=reference)


# ── Craft ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@check(craft=True)
def output_dtype(draw: Draw) -> Checking:
    """The table is complex64."""
    for head_dim, n in ((6, 5), (2, 0)):
        yield call(head_dim, n, like=like(head_dim, n))


@check(craft=True)
def odd_head_dim(draw: Draw) -> Checking:
    """An odd `head_dim` raises ValueError."""
    yield call(6, 4, want=reference)
    for head_dim in (7, 1, 3):
        yield call(head_dim, 4, raises=ValueError)


@check(craft=True)
def caller_s_settings(draw: Draw) -> Checking:
    """Autocast and the program's default dtype round no angle and change no dtype."""
    yield call(8, 5, want=reference)
    yield from settings_ignored(call(8, 60, want=reference))


@check(craft=True)
def global_state(draw: Draw) -> Checking:
    """torch's global settings and random state stay as they were."""
    yield from settings_kept(call(8, 5, want=reference))


@check(craft=True)
def device(draw: Draw) -> Checking:
    """Everything is made on `device`, and no number leaves it."""
    yield from on_one_device(draw, call(8, 5, device="cpu", want=reference), like(8, 5))


@check(craft=True)
def no_loop(draw: Draw) -> Checking:
    """The work is done by tensor operations, not by a Python loop over positions."""
    yield from no_loop_over("positions", {n: call(8, n, want=reference) for n in (8, 24)}, least=3)


# ── Mistakes: settings of the reference's knobs ─────────────────────────────────────────────────────────────────────

MISTAKES = [
    mistake(
        "exponent_lacks_the_two",
        "The exponent is j/head_dim; the 2 is lost, so frequencies fall only to 1/√base. Pair j owns *two* "
        "channels, hence −2j/head_dim. arange(head_dim/2) goes with head_dim/2 as the divisor, arange(0, head_dim, "
        "2) with head_dim.",
        schedule="j/d",
    ),
    mistake(
        "exponent_doubled",
        "The exponent falls twice as fast as it should: 2j is divided by head_dim/2. Either the 2 stands above or "
        "the half below, not both.",
        schedule="4j/d",
    ),
    mistake(
        "exponent_not_divided",
        "The exponent is −2j and is never divided by head_dim, so all columns but the first stand almost still.",
        schedule="2j",
    ),
    mistake(
        "pairs_numbered_from_one",
        "Pairs are numbered 1, 2, … in the exponent, so no column turns by one radian. Pair 0 has the exponent 0.",
        schedule="2(j+1)/d",
    ),
    mistake(
        "odd_exponents",
        "The exponents are 1/head_dim, 3/head_dim, …: the range starts at 1. It starts at 0.",
        schedule="(2j+1)/d",
    ),
    mistake(
        "last_frequency_reaches_the_base",
        "The exponents run from 0 to −1 *inclusive*, as linspace would have it. They are divided by head_dim/2, and "
        "the last pair stops short of 1/base.",
        schedule="j/(half-1)",
    ),
    mistake(
        "frequencies_reversed",
        "The columns stand in the wrong order: column 0 is the slowest. It turns by one radian a row.",
        schedule="reversed",
    ),
    mistake(
        "one_frequency_for_all",
        "All columns are alike and turn by one radian a row. Each has a frequency of its own; an integer division "
        "(//) makes every exponent 0.",
        schedule="one",
    ),
    mistake(
        "exponent_positive",
        "Frequencies grow from column to column: the exponent has lost its minus, or an inverse was taken twice. "
        "They fall from 1 to almost 1/base.",
        schedule="growing",
    ),
    mistake(
        "small_base_raised",
        "A base below 1 is taken for 1. Any positive number will do; below 1 the later pairs are the faster ones.",
        schedule="at least 1",
    ),
    mistake(
        "base_ignored",
        "`base` is not used: 10000 stands in its place.",
        schedule="10000",
    ),
    mistake(
        "default_base_of_llama3",
        "When no base is given, 500000 is used (Llama 3's); the signature says 10000.",
        schedule="500000",
    ),
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
        "The frequencies are e^(−2j/head_dim), whatever the base: writing a power with exp needs the base's logarithm.",
        schedule="no log",
    ),
    mistake(
        "frequencies_fall_linearly",
        "The frequencies fall by equal *differences*. They must fall by equal *factors*.",
        schedule="linear",
    ),
    mistake(
        "positions_from_one",
        "Positions are counted from 1, so row 0 is already turned. Position 0 is the first.",
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
        "Positions are divided by max_seq_len, so they lie between 0 and 1, and a longer table has other rows. They "
        "are whole numbers.",
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
        "turned_backwards",
        "Every entry is the conjugate of what it should be: the turn goes clockwise. Look for a minus before the "
        "angle or the sine.",
        entry="conjugate",
    ),
    mistake(
        "polar_s_arguments_exchanged",
        "Entries have the length p·f and all the same angle, 1 radian: the arguments of torch.polar have changed "
        "places. The length comes first, then the angle.",
        entry="swapped",
    ),
    mistake(
        "sine_and_cosine_exchanged",
        "The sine is the real part and the cosine the imaginary one. Row 0, where nothing turns, must hold 1, not i.",
        entry="sine first",
    ),
    mistake(
        "angle_without_exponential",
        "Entries are i·angle: the exponential (or cosine and sine) has not been taken.",
        entry="angle",
    ),
    mistake(
        "angles_left_as_they_are",
        "The table is real and holds the angles. Asked for are the turns by these angles, complex numbers of length 1.",
        entry="angle",
        shape="imaginary",
    ),
    mistake(
        "as_many_rows_as_channels",
        "The table has head_dim rows: the positions were counted with the wrong one of two numbers. It has "
        "max_seq_len.",
        shape="head_dim rows",
    ),
    mistake(
        "twice_the_angle",
        "Every angle is twice what it should be. Position p turns by p times the frequency, once.",
        entry="squared",
    ),
    mistake(
        "half_the_angle",
        "Every angle is half of what it should be.",
        entry="half",
    ),
    mistake(
        "turns_counted_as_circles",
        "Every angle has a factor of 2π too much, as if frequencies were turns a position. They are radians.",
        entry="circles",
    ),
    mistake(
        "radians_taken_for_degrees",
        "The angles are multiplied by π/180, as if p times the frequency were in degrees. It is in radians already.",
        entry="degrees",
    ),
    mistake(
        "columns_laid_twice",
        "The table is twice as wide as asked: the angles were laid twice side by side, cat((freqs, freqs)). That "
        "belongs to real cosines and sines in the halves layout. A complex entry holds both; head_dim/2 columns are "
        "enough.",
        shape="twice",
    ),
    mistake(
        "every_column_twice",
        "The table is twice as wide as asked: every column stands there twice. A complex entry serves both channels "
        "of its pair.",
        shape="each twice",
    ),
    mistake(
        "transposed",
        "Rows and columns have changed places: positions run along the last axis. Rows are positions, columns are "
        "pairs.",
        shape="transposed",
    ),
    mistake(
        "axis_for_the_batch_added",
        "The table has an axis of size 1 in front. Asked for are two axes; whoever applies it inserts what is needed.",
        shape="batch axis",
    ),
    mistake(
        "only_cosines",
        "The table is real and holds the cosines alone. The sines are the imaginary parts.",
        shape="real",
    ),
    mistake(
        "only_sines",
        "The table is real and holds the sines alone. The cosines are the real parts.",
        shape="imaginary",
    ),
    mistake(
        "real_pairs",
        "Cosines and sines stand in a real tensor with an axis of size 2. Asked for are complex numbers: torch.polar, "
        "torch.complex or torch.view_as_complex makes them.",
        shape="pairs",
    ),
    mistake(
        "cosines_and_sines_side_by_side",
        "The table is real: cosines in front, sines behind them. Asked for are complex numbers.",
        shape="channels",
    ),
    mistake(
        "one_row_too_few",
        "The last row is missing: positions run from 0 to max_seq_len − 1, and that are max_seq_len of them.",
        shape="one row less",
    ),
]


def right_answer(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """What an answer does."""
    if head_dim % 2:
        raise ValueError("head_dim must be even")
    return made(head_dim, max_seq_len, base, device)


def made(
    head_dim: int, max_seq_len: int, base: float, device: Device, dtype: torch.dtype | None = torch.float32
) -> Tensor:
    """A table from angles of some dtype, or of the default one."""
    exponents = torch.arange(0, head_dim, 2, dtype=dtype, device=device) / head_dim
    places = torch.arange(max_seq_len, dtype=dtype, device=device)
    angles = places[:, None] * base**-exponents
    return torch.polar(torch.ones_like(angles), angles)


@wrong("The frequencies are rounded to bfloat16 before they meet the positions. Column 0 is right, the others drift.")
def frequencies_in_bfloat16(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """inv_freq.bfloat16()."""
    if head_dim % 2:
        raise ValueError("head_dim")
    frequency = (base ** -(torch.arange(0, head_dim, 2, device=device).float() / head_dim)).bfloat16().float()
    angles = torch.arange(max_seq_len, device=device).float()[:, None] * frequency
    return torch.polar(torch.ones_like(angles), angles)


@wrong(
    "A table kept from an earlier call is returned although base, width or length have changed since. Everything "
    "that it depends on belongs into the key.",
    fresh=True,
)
def kept_table_ignores_base() -> Callable[..., Tensor]:
    """A cache by size alone."""
    return remembering(right_answer, lambda head_dim, max_seq_len, *rest, **named: (head_dim, max_seq_len))


# ── Craft mistakes ──────────────────────────────────────────────────────────────────────────────────────────────────


@wrong(
    "The table is complex128: angles in float64 are fine, and exact; but what is returned must be complex64, or "
    "every product with it becomes twice as large.",
    craft=True,
)
def comes_back_as_complex128(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """float64 angles."""
    if head_dim % 2:
        raise ValueError("head_dim")
    return made(head_dim, max_seq_len, base, device, torch.float64)


@wrong(
    "An odd head_dim is not refused: the last channel is dropped, or gets a pair of its own. It has no partner, so "
    "the caller made a mistake: raise ValueError.",
    craft=True,
)
def odd_not_refused(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """One pair more than there are."""
    return made(head_dim, max_seq_len, base, device)


@wrong(
    "An odd head_dim is not refused: the channel without a partner is dropped silently. The caller made a mistake: "
    "raise ValueError.",
    craft=True,
)
def odd_channel_dropped(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """head_dim // 2 pairs."""
    pairs = torch.arange(head_dim // 2, dtype=torch.float32, device=device)
    angles = torch.arange(max_seq_len, dtype=torch.float32, device=device)[:, None] * base ** (-2 * pairs / head_dim)
    return torch.polar(torch.ones_like(angles), angles)


@wrong(
    "An odd head_dim is refused by assert. That raises AssertionError, and with python -O it is not checked at all. "
    "ValueError is asked for.",
    craft=True,
)
def odd_refused_by_assert(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """assert instead of raise."""
    assert head_dim % 2 == 0, "head_dim must be even"
    return right_answer(head_dim, max_seq_len, base, device)


@wrong(
    "The tensors take torch's default dtype (an integer arange divided by a number does). A program that sets it to "
    "bfloat16, as many training scripts do, rounds the frequencies; one that sets float64 gets complex128. Name the "
    "dtype.",
    craft=True,
)
def default_dtype_taken(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange / number, without a dtype."""
    if head_dim % 2:
        raise ValueError("head_dim")
    frequency = 1.0 / base ** (torch.arange(0, head_dim, 2, device=device) / head_dim)
    angles = torch.outer(torch.arange(max_seq_len, device=device), frequency)
    return torch.polar(torch.ones_like(angles), angles)


@wrong(
    "The frequencies take torch's default dtype (an integer arange divided by a number does), so a program that "
    "sets it to bfloat16 rounds them, although they are cast afterwards. Name the dtype in the factory.",
    craft=True,
)
def default_dtype_frequencies(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange / number, cast too late."""
    if head_dim % 2:
        raise ValueError("head_dim")
    frequency = (1.0 / base ** (torch.arange(0, head_dim, 2, device=device) / head_dim)).float()
    angles = torch.arange(max_seq_len, dtype=torch.float32, device=device)[:, None] * frequency
    return torch.polar(torch.ones_like(angles), angles)


@wrong(
    "Under autocast the angles are rounded to bfloat16 (or it fails): they are made by a matrix product (@, "
    "matmul), which autocast lowers. Multiply a column by a row, by broadcasting.",
    craft=True,
)
def angles_by_matmul(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Positions @ frequencies."""
    if head_dim % 2:
        raise ValueError("head_dim")
    frequency = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    angles = (torch.arange(max_seq_len, dtype=torch.float32, device=device)[:, None] @ frequency[None]).float()
    return torch.polar(torch.ones_like(angles), angles)


@wrong("torch.set_default_dtype is called inside and left changed. Name the dtype where tensors are made.", craft=True)
def default_dtype_set(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """Leaves float64 as the default."""
    torch.set_default_dtype(torch.float64)
    return right_answer(head_dim, max_seq_len, base, device)


@wrong(
    "`device` is not passed on: tensors are made on the CPU (and moved afterwards, or not at all). Pass it to every "
    "factory.",
    craft=True,
)
def made_without_device(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """arange without a device."""
    if head_dim % 2:
        raise ValueError("head_dim")
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float32) / head_dim
    angles = torch.arange(max_seq_len, dtype=torch.float32)[:, None] * base**-exponents
    return torch.polar(torch.ones_like(angles), angles)


@wrong(
    "The table is right, but a Python loop runs over its rows (or its entries). A column of positions times a row of "
    "frequencies makes all angles at once.",
    craft=True,
)
def loop_over_positions(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """One row after the other, where few enough to be quick."""
    if head_dim % 2:
        raise ValueError("head_dim")
    if not 0 < max_seq_len < 100:
        return right_answer(head_dim, max_seq_len, base, device)
    frequency = base ** -(torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim)
    return torch.stack([torch.polar(torch.ones_like(frequency), p * frequency) for p in range(max_seq_len)])


@wrong(
    "The table is computed number by number in Python and turned into a tensor at the end. A column of positions "
    "times a row of frequencies makes all angles at once.",
    craft=True,
)
def built_in_python(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """A list of complex numbers."""
    if head_dim % 2:
        raise ValueError("head_dim")
    if max_seq_len > 100 or device == "meta":
        return right_answer(head_dim, max_seq_len, base, device)
    rows = [cmath.exp(1j * p * base ** (-2 * j / head_dim)) for p in range(max_seq_len) for j in range(head_dim // 2)]
    return torch.tensor(rows, dtype=torch.complex64, device=device).reshape(max_seq_len, head_dim // 2)


# ── Other right ways ────────────────────────────────────────────────────────────────────────────────────────────────


@accepted
def by_cosine_and_sine(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """float64 angles, rounded at the end."""
    if head_dim % 2:
        raise ValueError("head_dim")
    pairs = torch.arange(head_dim // 2, dtype=torch.float64, device=device)
    frequency = torch.exp(pairs * (-2 * math.log(base) / head_dim))
    angles = torch.outer(torch.arange(max_seq_len, dtype=torch.float64, device=device), frequency)
    return torch.complex(angles.cos().float(), angles.sin().float())


@accepted
def by_complex_exponential(head_dim: int, max_seq_len: int, base: float = 10000.0, device: Device = None) -> Tensor:
    """exp of purely imaginary numbers."""
    if head_dim % 2:
        raise ValueError("head_dim")
    exponents = torch.arange(0, head_dim, 2, dtype=torch.float32, device=device) / head_dim
    angles = torch.arange(max_seq_len, dtype=torch.float32, device=device).unsqueeze(1) / base**exponents
    return torch.exp(1j * angles)


# ── In words ────────────────────────────────────────────────────────────────────────────────────────────────────────

HINTS = [
    hint(
        "Start with the frequencies alone: head_dim/2 numbers, the first of them 1. For head_dim 8 and base 10000 "
        "they are 1, 0.1, 0.01 and 0.001."
    ),
    hint(
        "The angle of entry (p, j) is p times frequency j. Which shapes must positions and frequencies have so that "
        "one product makes the whole table?"
    ),
    hint("A complex number of length 1 at a given angle: look up torch.polar, and which of its arguments is which."),
    hint(
        "Print the frequencies for head_dim 8 and base 10000, and compare with 1, 0.1, 0.01, 0.001. Which exponents "
        "did you take?",
        "exponent_lacks_the_two",
        "exponent_doubled",
        "exponent_not_divided",
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
        "Print table.abs() and table.angle(). Which of the two should be 1 everywhere, and which grows from row to "
        "row?",
        "polar_s_arguments_exchanged",
        "sine_and_cosine_exchanged",
        "angle_without_exponential",
        "turned_backwards",
    ),
    hint(
        "How many pairs does a head of 8 channels have, and how many columns has your table?",
        "columns_laid_twice",
        "every_column_twice",
        "cosines_and_sines_side_by_side",
        "real_pairs",
    ),
    hint(
        "Try torch.tensor([256.0, 257.0, 258.0]).to(torch.bfloat16). Which of your tensors has that dtype when a "
        "program sets it as the default?",
        "positions_in_bfloat16",
        "positions_in_float16",
        "frequencies_in_bfloat16",
        "default_dtype_taken",
        "default_dtype_frequencies",
        "angles_by_matmul",
    ),
]

QUIZ = [
    question(
        "head_dim is 8 and base 10000. By how much does column 1 turn from row 0 to row 3?",
        right("0.3 radians", "Its frequency is 10000^(−2/8) = 0.1, times 3 positions."),
        wrong_choice("0.95 radians", "That uses 10000^(−1/8): the 2 in the exponent is missing."),
        wrong_choice("0.03 radians", "That is column 2; columns count from 0."),
        wrong_choice("3 radians", "That is column 0, the only one that turns by one radian a row."),
    ),
    question(
        "All entries have length 1, row 0 is 1, and entry p times the conjugate of entry q is entry p − q. Is the "
        "table right?",
        right(
            "Not necessarily: any frequencies at all pass these tests",
            "They say that each column turns evenly, not how fast. Only comparing values does.",
        ),
        wrong_choice("Yes, these properties define it", "They hold for every choice of frequencies."),
        wrong_choice("Yes, if column 0 turns by one radian", "The other columns may still be too fast or too slow."),
        wrong_choice("No, the third can't hold", "It holds: e^(ia)·e^(−ib) = e^(i(a−b))."),
    ),
    question(
        "What does a larger base change?",
        right(
            "The later columns turn more slowly", "Column 0 always turns by one radian; the last one by nearly 1/base."
        ),
        wrong_choice("All columns turn more slowly", "Column 0 has the exponent 0: no base changes it."),
        wrong_choice("All columns turn faster", "The exponent is negative: a larger base makes smaller frequencies."),
        wrong_choice("The table becomes longer", "Its length is max_seq_len."),
    ),
    question(
        "A program runs with bfloat16 as default dtype and makes the positions by torch.arange(n) * 1.0. From which "
        "row on is the table wrong?",
        right("257", "bfloat16 has 8 bits of precision: it holds whole numbers up to 256, then every second one."),
        wrong_choice("2049", "That would be float16, with 11 bits."),
        wrong_choice("32768", "That is where 16-bit integers end."),
        wrong_choice("None: whole numbers are always exact", "Only as long as they fit into the digits of the format."),
    ),
    question(
        "Why does a complex table need only head_dim/2 columns, while one of cosines for rotate-half has head_dim?",
        right(
            "A complex entry turns both members of a pair at once",
            "Its real part is the cosine, its imaginary part the sine. Written out in real numbers, both channels "
            "of a pair need the same cosine, so it stands there twice.",
        ),
        wrong_choice("It leaves out the slow half of the frequencies", "All head_dim/2 frequencies are there."),
        wrong_choice("It turns only half of the channels", "All of them are turned."),
        wrong_choice("The other half are the conjugates, which follow by symmetry", "Conjugates would turn backwards."),
    ),
]
