"""The command line and environment of every process that we start: clean at exec, free of the current folder."""

import os
import sys
from pathlib import Path

KEPT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "LD_LIBRARY_PATH",
    "OPENBLAS_CORETYPE",
)


def command(module: str, *args: str) -> list[str]:
    """The command line that runs `main` of a module of the zygote package with these arguments."""
    folders = [folder for folder in sys.path if folder]
    code = f"import sys; sys.path[:] = {folders!r}; from kata.zygote.{module} import main; main(*sys.argv[1:])"
    return [sys.executable, "-s", "-P", "-B", "-X", "utf8", "-c", code, *args]


def root() -> str:
    """A folder that always exists, for processes that must not stand in the learner's."""
    return Path.cwd().anchor if os.name == "nt" else "/"


def leave_folder() -> None:
    """Takes the current folder off sys.path, where a learner's torch.py, numpy.py or kata.py may lie."""
    try:
        here = Path.cwd()
    except OSError:  # it was deleted
        here = None
    sys.path[:] = [folder for folder in sys.path if folder and Path(folder).is_absolute() and Path(folder) != here]


def environment() -> dict[str, str]:
    """One torch thread, a fixed hash seed, and of the caller's environment only what a process needs to run."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return kept | {
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }
