"""Values and calls in words, and foreign text made harmless before it enters a report."""

import math
import re
import sys
import unicodedata
from typing import Any

from kata.model import Blocks, Call, Ghost, Given, Opaque, Seeded

TEXT_CAP = 16 * 1024
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
RUNNERS = re.compile(  # what the runners of GitHub, Azure and TeamCity obey when it is printed
    r":(?=:(?:notice|error|warning|debug|group|endgroup|echo|add-mask|add-path|add-matcher|remove-matcher|set-output"
    r"|set-env|save-state|stop-commands)\b)|#(?=#(?:\[|vso\[|teamcity\[))"
)


def harmless(text: str, limit: int = TEXT_CAP) -> str:
    """Text in which control, escape, bidi and unassigned characters are visible, addresses masked, commands broken."""
    cut = text if len(text) <= limit else text[:limit] + "…"
    shown = "".join(c if c in "\n\t" or unicodedata.category(c)[0] != "C" else _visible(c) for c in cut)
    return RUNNERS.sub(r"\g<0>·", ADDRESS.sub("0x…", shown))


def _visible(character: str) -> str:
    code = ord(character)
    if code < 32:
        return chr(0x2400 + code)  # ␛ and its like
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def describe(value: Any, deep: int = 3) -> str:
    """What a value is, in a few words: `float32 (2, 5, 3, 6)`, `None`, `a list of 3`; tuples `deep` levels."""
    if _is_tensor(value):
        device = f" on {value.device}" if isinstance(value, Ghost) else ""
        return f"{str(value.dtype).removeprefix('torch.')} {shape(value.shape)}{device}"
    match value:
        case Opaque():
            return f"{_article(value.kind)} {value.text}".strip()
        case Given():
            return value.name
        case Seeded():
            return "a torch.Generator"
        case Blocks():
            return f"an iterator of {describe(value.blocks)}"
        case tuple() if deep:
            shown = ", ".join(describe(item, deep - 1) for item in value[:4])
            return f"({shown}{', …' if len(value) > 4 else ''})"
        case tuple():
            return f"a tuple of {len(value)}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a dict of {len(value)}"
        case None | bool() | int() | float() | str():
            return repr(value)[:60]
    return _article(type(value).__name__)


def kind(value: Any) -> str:
    """The kind of a value, with its article: `a tensor`, `a tuple`, `None`."""
    if value is None:
        return "None"
    if _is_tensor(value):
        return "a tensor"
    return _article(value.kind if isinstance(value, Opaque) else type(value).__name__)


def _is_tensor(value: Any) -> bool:
    """Looked up without importing torch, which the command's own process never does."""
    torch = sys.modules.get("torch")
    return isinstance(value, Ghost) or (torch is not None and isinstance(value, torch.Tensor))


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def shape(size: Any) -> str:
    """A shape as a tuple: `(2, 5, 3, 6)`."""
    return str(tuple(size))


def spoken(call: Call, function: str, parameters: list[str]) -> str:
    """A call as the learner would write it, with shapes in place of numbers."""
    names = [*parameters, *("…" for _ in call.args)]
    given = [f"{names[i]}: {describe(a)}" if _shaped(a) else describe(a) for i, a in enumerate(call.args)]
    given += [f"{name}={describe(value)}" for name, value in call.kwargs.items()]
    under = "".join(f" under {name}" for name in call.under if name not in ("count", "audit", "hoard", "sizes"))
    place = " on the meta device" if call.on == "meta" else ""
    return f"{function}({', '.join(given)}){under}{place}"


def _shaped(value: Any) -> bool:
    return _is_tensor(value) or isinstance(value, list | dict | tuple | Blocks)


def number(value: complex) -> str:
    """A number with six significant digits; ints and bools as they are."""
    return f"{value:.6g}" if isinstance(value, float | complex) else str(value)


def finite(value: complex) -> float | int | bool | str:
    """A number as a Report may hold it: finite, or the string "nan", "inf" or "-inf"; complex ones as text."""
    if isinstance(value, int):
        return value
    if isinstance(value, complex):
        return str(value)
    return value if math.isfinite(value) else str(value)


def shorten(value: object, limit: int = 200) -> str:
    """A value's repr, cut to `limit`, in characters that can be sent; never raises."""
    try:
        text = repr(value)[: limit + 1].encode("utf-8", "backslashreplace").decode()
    except BaseException as raised:
        text = f"<its repr raised {type(raised).__name__}>"
    return text if len(text) <= limit else text[: limit - 1] + "…"
