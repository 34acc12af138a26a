"""Writing files so that nobody ever sees half of one."""

import os
import tempfile
from pathlib import Path

from kata.errors import KataError


def write(path: Path, content: bytes) -> None:
    """Puts a whole file in place at once; raises KataError where that can't be done."""
    try:
        if path.exists() and not path.is_file():  # a pipe or a device is written to, never replaced
            path.write_bytes(content)
            return
        place = path.resolve()  # a link stays a link
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as wrong:
        raise KataError(f"{path} can't be written: {wrong.strerror or wrong}") from None
