"""Our own faults: one sentence for the user, and the traceback in a file."""

import tempfile
import traceback
from pathlib import Path

from kata.errors import OwnFault


def here() -> bool:
    """Whether the current folder still exists; what is named relative to one that was deleted can't be found."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def saved(fault: Exception) -> str:
    """A sentence about a fault of ours, and where its traceback was saved."""
    text = f"{fault}\n" if isinstance(fault, OwnFault) else ""
    text += "".join(traceback.format_exception(fault))
    last = str(fault).strip().splitlines()[-1:] or [type(fault).__name__]
    try:
        with tempfile.NamedTemporaryFile("w", prefix="kata-fault-", suffix=".txt", delete=False) as file:
            file.write(text)
        where = f"The traceback is in {file.name}; please send it to kata's authors."
    except OSError:
        where = "Its traceback could not be saved."
    return f"This is our own fault, not yours ({last[0][:200]}). {where}"
