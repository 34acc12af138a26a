"""The command line and environment of every process that we start: clean at exec, free of the current folder."""

import os
import sys
from pathlib import Path
from typing import Any

TORCH = (2, 13)  # what CI runs, and what pyproject.toml asks for
TROUBLE = "kata-torch: "  # begins what a process says on stderr when it ends for want of a torch

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
    "KATA_SANDBOX",
)
# Tensors of up to 32 MiB come from a heap that keeps what was freed, in huge pages where there are any: by default
# glibc maps and unmaps each one, and the page faults of that took a third of the time of a class.
MALLOC = ("mmap_threshold=33554432", "trim_threshold=536870912", "top_pad=8388608", "hugetlb=1")


def command(module: str, *args: str) -> list[str]:
    """The command line that runs `main` of a module of the zygote package with these arguments."""
    folders = [folder for folder in sys.path if folder]
    code = f"import sys; sys.path[:] = {folders!r}; from kata.zygote.{module} import main; main(*sys.argv[1:])"
    return [sys.executable, "-s", "-P", "-B", "-X", "utf8", "-c", code, *args]


def root() -> str:
    """A folder that always exists, for processes that must not stand in the learner's."""
    return Path.cwd().anchor if os.name == "nt" else "/"


def import_torch() -> Any:
    """Imports torch, or ends the process with the sentence that `torch_trouble` finds on its stderr."""
    try:
        import torch
    except Exception as wrong:  # a torch that is broken fails in any way it likes
        text = str(wrong).strip() or type(wrong).__name__
        sys.exit(TROUBLE + without_torch(text.splitlines()[0]))
    found = str(getattr(torch, "__version__", "unknown"))
    if too_old(found):
        sys.exit(TROUBLE + old_torch(found))
    return torch


def too_old(found: str) -> bool:
    """Whether a version of torch is older than what kata needs."""
    parts = [int(part) if part.isdigit() else 0 for part in found.split("+")[0].split(".")[:2]]
    return tuple(parts) < TORCH


def without_torch(why: str) -> str:
    """What to say and to do where torch can't be imported."""
    return f"PyTorch can't be imported by {sys.executable} ({why}). Install it into this environment: {_install()}"


def old_torch(found: str) -> str:
    """What to say and to do where torch is too old."""
    return f"PyTorch {found} of {sys.executable} is older than {_wanted()}, which kata needs. Mend it: {_install()}"


def _wanted() -> str:
    return ".".join(map(str, TORCH))


def _install() -> str:
    return f"{sys.executable} -m pip install 'torch>={_wanted()}' --index-url https://download.pytorch.org/whl/cpu"


def torch_trouble(stderr: str) -> str | None:
    """The sentence that `import_torch` left on the stderr of a process of ours."""
    lines = [line for line in stderr.splitlines() if line.startswith(TROUBLE)]
    return lines[0].removeprefix(TROUBLE) if lines else None


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
        "GLIBC_TUNABLES": ":".join(f"glibc.malloc.{name}" for name in MALLOC),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }
