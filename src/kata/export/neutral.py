"""Foreign text in the files of others: no formula, no control or bidi character, no name that leads elsewhere."""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from kata.words import harmless

FORMULA = ("=", "+", "-", "@", "|", "%", "\t", "\r", "\n", "＝", "＋", "－", "＠")
CELL_CAP = 8 * 1024


def cell(text: str) -> str:
    """Text for a cell of a table: one that a spreadsheet could take for a formula gets an apostrophe in front."""
    clean = harmless(text, CELL_CAP)
    return f"'{clean}" if clean.lstrip(" ").startswith(FORMULA) else clean


def file_name(text: str) -> str:
    """A name for a file: letters, digits, dots, dashes and underscores; never hidden, never empty."""
    plain = unicodedata.normalize("NFKD", text)
    safe = re.sub(r"[^A-Za-z0-9._-]+", "_", "".join(c for c in plain if not unicodedata.combining(c)))
    return safe.lstrip(".")[:100] or "_"


def file_names(texts: Iterable[str]) -> dict[str, str]:
    """A name for each; those that would share one, as `ann@x` and `ann_x`, end with what tells them apart."""
    plain = {text: file_name(text) for text in texts}
    shared = Counter(name.lower() for name in plain.values())
    return {text: name if shared[name.lower()] == 1 else _marked(name, text) for text, name in plain.items()}


def _marked(name: str, text: str) -> str:
    return f"{name[:91]}-{hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}"
