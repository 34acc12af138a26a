"""What a learner's child may not do: prepared once in the zygote, entered by each child before it sees any source."""

import contextlib
import ctypes
import os
import platform
import signal
import socket
import struct
import sys
import tempfile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kata.model import Level
from kata.zygote import landlock, readable, seccomp
from kata.zygote.levels import Standing, standing

resource: Any
try:
    import resource
except ImportError:  # Windows
    resource = None

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
FILE_CAP = 0
OPEN_FILES = 64
CPU_SECONDS = 3600  # of a whole child; the judge's own limits are for single calls
STACK = 8 * 2**20
NOBODY = 65534
ENVIRONMENT = {"TORCHINDUCTOR_CACHE_DIR": "/", "LOGNAME": "answer"}  # else torch.func makes a folder, by user's name
CAPABILITIES_3 = 0x20080522


class Confinement(Struct, frozen=True):
    """The level that children are kept at, and the prepared rule set and filter."""

    level: Level
    reason: str = ""
    rules: int = -1  # the descriptor of a Landlock rule set
    filter: seccomp.Filter | None = None
    uid: int = 0  # of another user, where children can become one
    folders: dict[str, set[str]] = {}  # what the import system may know of each folder on sys.path
    parent: int = 0  # the process that children must not outlive


def prepare() -> Confinement:
    """Builds what every child will enter; a step that is not possible here lowers the level and says why."""
    found = standing()
    parent, folders = os.getpid(), readable.importable()
    if found.level == "strict":
        try:
            rules = landlock.ruleset(readable.paths())
        except OSError as why:
            found = Standing("seccomp", f"Landlock refused its rules: {why}")
        else:
            return Confinement("strict", found.reason, rules, seccomp.build(platform.machine()), 0, folders, parent)
    if found.level == "seccomp":
        uid = NOBODY if os.geteuid() == 0 and _is_known(NOBODY) and _readable_by_others() else 0
        return Confinement("seccomp", found.reason, -1, seccomp.build(platform.machine()), uid, folders, parent)
    return Confinement("process", found.reason, parent=parent)


def _is_known(uid: int) -> bool:
    """Whether a process may become this user: in a container's own user namespace there may be root alone."""
    try:
        with open("/proc/self/uid_map") as ranges, open("/proc/self/setgroups") as groups:  # noqa: PTH123
            starts = [(int(first), int(count)) for first, _, count in map(str.split, ranges)]
            return groups.read().strip() == "allow" and any(first <= uid < first + count for first, count in starts)
    except OSError:  # a kernel without user namespaces
        return True


def widened(found: Confinement, packages: tuple[str, ...]) -> Confinement:
    """The same confinement for children whose problem allows more packages; each has its own rule set."""
    if found.level == "process" or not packages:
        return found
    rules = landlock.ruleset(readable.paths(packages)) if found.rules >= 0 else -1
    return replace(found, rules=rules, folders=readable.importable(packages))


def _readable_by_others() -> bool:
    """Whether another user could still import from where Python and torch lie."""
    folders = [sys.base_prefix, *(folder for folder in sys.path if os.path.isdir(folder))]  # noqa: PTH112
    for folder in folders:
        while folder != "/":
            if not os.stat(folder).st_mode & 0o001:  # noqa: PTH116
                return False
            folder = os.path.dirname(folder)  # noqa: PTH120
    return True


def enter(confinement: Confinement) -> None:
    """Gives everything up, for good; what fails raises, and the child must not see any source."""
    if confinement.level == "process":
        return
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
        score.write("1000")
    readable.freeze_imports(confinement.folders)
    if confinement.uid:
        os.setgroups([])
        os.setresgid(confinement.uid, confinement.uid, confinement.uid)
        os.setresuid(confinement.uid, confinement.uid, confinement.uid)
    _drop_capabilities()
    die_with_parent(confinement.parent)  # again: becoming another user forgets it
    seccomp.prctl(PR_SET_DUMPABLE, 0)
    seccomp.prctl(seccomp.SET_NO_NEW_PRIVILEGES, 1)
    if confinement.rules >= 0:
        landlock.restrict(confinement.rules)
    if confinement.filter is not None:
        seccomp.install(confinement.filter)


def _drop_capabilities() -> None:
    if landlock.libc().capset(struct.pack("=Ii", CAPABILITIES_3, 0), bytes(24)) < 0:
        raise OSError(ctypes.get_errno(), "capabilities can't be given up")


def detach(keep: set[int]) -> None:
    """Leaves the parent's session, terminal, descriptors, folder, environment and signal handlers behind."""
    with contextlib.suppress(OSError):
        os.setsid()
    for name in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(name, signal.SIG_DFL if name != signal.SIGPIPE else signal.SIG_IGN)
    os.environ.clear()
    os.environ.update(ENVIRONMENT)
    tempfile.tempdir = "/"  # torch's compiler asks for a temporary folder as soon as it is imported
    os.chdir("/")
    close_all_but(keep)


def close_all_but(keep: set[int]) -> None:
    """Closes every descriptor above stderr that is not in `keep`."""
    last = 2
    for fd in sorted(fd for fd in keep if fd > 2):
        os.closerange(last + 1, fd)
        last = fd
    os.closerange(last + 1, max(4096, last + 2))


def die_with_parent(parent: int = 0) -> None:
    """Asks the kernel to kill this process when its parent ends (Linux); ends it when that has happened already."""
    if sys.platform == "linux":
        seccomp.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if parent and os.getppid() != parent:
            os._exit(1)


def redirect(output: socket.socket) -> None:
    """Sends stdout and stderr to the judge, who keeps the first part; stdin is empty."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    if null > 2:
        os.close(null)
    os.dup2(output.fileno(), 1)
    os.dup2(output.fileno(), 2)
    utf8 = {"encoding": "utf-8", "errors": "backslashreplace"}
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False, **utf8)  # type: ignore[call-overload]  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False, **utf8)  # type: ignore[call-overload]  # noqa: SIM115


def limit(memory_mib: int) -> None:
    """Caps memory (beyond what is mapped already), file sizes, open files and core dumps, where the system can."""
    if resource is None:
        return
    mapped, data = _mapped_bytes()
    extra = memory_mib * 2**20
    wanted = {"FSIZE": FILE_CAP, "NOFILE": OPEN_FILES, "CORE": 0, "CPU": CPU_SECONDS, "STACK": STACK, "MEMLOCK": 0}
    if mapped:
        wanted |= {"AS": mapped + extra, "DATA": data + extra}
    for name, most in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            kind = getattr(resource, f"RLIMIT_{name}")
            hard = resource.getrlimit(kind)[1]
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (least, least))


def half_of_memory() -> int:
    """Half of this machine's memory in MiB; without bound where that can't be told."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**21
    except (ValueError, OSError, AttributeError):
        return sys.maxsize


def _mapped_bytes() -> tuple[int, int]:
    """The bytes that this process has mapped, in all and as data of its own; zeros where that can't be told."""
    try:
        with open("/proc/self/statm", "rb") as pages:  # noqa: PTH123
            words = pages.read().split()
    except OSError:
        return 0, 0
    size = os.sysconf("SC_PAGE_SIZE")
    return int(words[0]) * size, int(words[5]) * size
