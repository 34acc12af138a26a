"""Single keys from a terminal, which is left as it was found."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from types import FrameType


def present() -> bool:
    """Whether keys can be read: stdin and stdout are a terminal of a kind that we know."""
    return sys.stdin.isatty() and sys.stdout.isatty() and _has_termios()


def _has_termios() -> bool:
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return True


@contextmanager
def read(tell: Callable[[str], None]) -> Iterator[None]:
    """Tells each key while it is entered; Ctrl-C interrupts as ever, and after Ctrl-Z and fg keys work again."""
    if not present():
        yield
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def again(number: int, frame: FrameType | None) -> None:
        with suppress(termios.error):
            tty.setcbreak(fd, termios.TCSADRAIN)

    resumed = signal.signal(signal.SIGCONT, again)
    try:
        tty.setcbreak(fd, termios.TCSADRAIN)  # what was typed ahead stays
        Thread(target=_loop, args=(fd, tell), name="kata keys", daemon=True).start()
        yield
    finally:
        signal.signal(signal.SIGCONT, resumed)
        with suppress(termios.error):
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _loop(fd: int, tell: Callable[[str], None]) -> None:
    with suppress(OSError):
        while data := os.read(fd, 64):
            for character in data.decode("utf-8", "ignore"):
                tell(character)
    tell("q")  # the terminal is gone
