"""Which of a folder's files were saved: however an editor saves, and whatever else it leaves lying about."""

import ast
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Event, Thread

STEP_MS, DEBOUNCE_MS = 10, 200
SETTLING, PATIENCE = 0.05, 0.4  # seconds: between two looks at a file that is not whole, and in all


class Saves:
    """Tells the name of each of the given files that changes, until it is closed."""

    def __init__(self, folder: Path, names: Iterable[str], tell: Callable[[str], None]) -> None:
        self._folder, self._names, self._tell = folder, frozenset(names), tell
        self._stop = Event()
        self._thread = Thread(target=self._watch, name="kata saves", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        from watchfiles import watch

        def ours(change: object, path: str) -> bool:
            return Path(path).name in self._names

        options = {"debounce": DEBOUNCE_MS, "step": STEP_MS, "rust_timeout": 500, "recursive": False}
        for changes in watch(self._folder, watch_filter=ours, stop_event=self._stop, **options):  # type: ignore[arg-type]
            for name in sorted({Path(path).name for _, path in changes}):
                self._tell(name)

    def close(self) -> None:
        """Ends the watch."""
        self._stop.set()
        self._thread.join(timeout=2)


def settled(file: Path) -> bytes | None:
    """The bytes of a file that was just saved; one that is no whole Python file is looked at until it rests."""
    content, until = _bytes(file), time.monotonic() + PATIENCE
    while not _whole(content) and time.monotonic() < until:
        time.sleep(SETTLING)
        before, content = content, _bytes(file)
        if content == before and content:
            break
    return content


def _bytes(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _whole(content: bytes | None) -> bool:
    if not content:
        return False
    try:
        ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
