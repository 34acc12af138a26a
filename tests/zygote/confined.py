"""A process like the zygote, for tests: forks children that are confined as learners' are and run a text."""

import json
import os
import socket
import subprocess
import sys
from functools import partial
from typing import Any

from msgspec import Struct

PLANTED = "planted-beside-the-child-91ce"


class Ending(Struct, frozen=True):
    """How a child ended (negative: by a signal), and what it printed."""

    code: int
    text: str


class Zygote:
    """Children at a level; `python` may be another interpreter, and `before` a command that starts it."""

    def __init__(
        self,
        level: str = "strict",
        before: tuple[str, ...] = (),
        python: str = sys.executable,
        folders: tuple[str, ...] = (),
    ) -> None:
        places = [os.path.abspath(folder) for folder in sys.path if folder]  # noqa: PTH100
        add = f"sys.path[:] = {places!r}" if not folders else f"sys.path[:] += {list(folders)!r}"
        code = f"import sys; {add}; from tests.zygote.confined import serve; serve()"
        self._process = subprocess.Popen(
            [*before, python, "-s", "-P", "-B", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "KATA_SANDBOX": level, "PYTHONHASHSEED": "0"},
            cwd="/",
            text=True,
        )
        self.level = json.loads(self._read())

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def run(self, text: str, memory_mib: int = 256) -> Ending:
        """Runs a text in a fresh child; what it prints is all that comes back."""
        assert self._process.stdin is not None
        print(json.dumps([text, memory_mib]), file=self._process.stdin, flush=True)
        return Ending(*json.loads(self._read()))

    def printed(self, text: str) -> str:
        """What a text prints in a child that ends well."""
        ending = self.run(text)
        assert ending.code == 0, ending
        return ending.text.strip()

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def serve() -> None:
    """Runs as the zygote."""
    import torch

    from kata.zygote import confine

    torch.set_num_threads(1)
    confinement = confine.prepare()
    _say(confinement.level)
    for line in sys.stdin:
        text, memory_mib = json.loads(line)
        ours, theirs = socket.socketpair()
        if not (pid := os.fork()):
            _child(theirs, text, memory_mib, confinement)
        theirs.close()
        told = b"".join(iter(partial(ours.recv, 65536), b""))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        ours.close()
        _say([code, told.decode("utf-8", "replace")])


def _say(value: Any) -> None:
    print(json.dumps(value), flush=True)


def _child(output: socket.socket, text: str, memory_mib: int, confinement: Any) -> None:
    code = 1
    try:
        from kata.zygote import child, confine

        confine.detach({output.fileno(), confinement.rules})
        confine.redirect(output)
        output.close()
        confine.limit(memory_mib)
        confine.enter(confinement)
        child.hide()
        exec(compile(text, "answer.py", "exec"), {"__name__": "answer"})
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)
