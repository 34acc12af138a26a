"""How a process is ended, and how one that ended on its own is spoken of."""

import os
import signal


def kill(pid: int) -> None:
    """Ends a process with the group that it may lead; alone where there are no groups."""
    for send in (getattr(os, "killpg", None), os.kill):
        try:
            if send is not None:
                send(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        except OSError:
            continue


def cause(code: int) -> str:
    """An exit code in words; negative codes are signals."""
    if code >= 0:
        return f"it ended its own process with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"its process was ended by {name}"
