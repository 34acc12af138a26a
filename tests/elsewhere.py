"""Runs the tests where kata is a guest: as a user without rights, or in a container without user namespaces.

    python tests/elsewhere.py nobody [pytest's arguments]
    python tests/elsewhere.py bubblewrap [pytest's arguments]

Wants root (to become nobody) and, for the second, bubblewrap. The interpreter, its packages and the checkout are linked
or copied to a folder outside root's home that everyone can read and nobody but root can write.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[1]
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
BUBBLEWRAP = (
    *("bwrap", "--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net", "--die-with-parent"),
    *("--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
)
OWN = ("kata", "__editable__", "torch_kata")  # of our own installation, which names another checkout
LAUNCHER = "#!{python}\nimport sys\nfrom kata.__main__ import main\nsys.exit(main())\n"


class Place(Struct, frozen=True):
    """A copy of everything that a run needs."""

    python: Path
    checkout: Path
    home: Path


@contextmanager
def elsewhere() -> Iterator[Place]:
    """An interpreter with its packages and a copy of the checkout, for everyone to read, and a home for nobody."""
    folder = Path(tempfile.mkdtemp(prefix="kata-", dir="/opt"))
    folder.chmod(0o755)
    try:
        place = Place(_interpreter(folder), folder / "checkout", folder / "home")
        _checkout(place.checkout)
        _install(place)
        place.home.mkdir()
        place.home.chmod(0o777)  # also for a root of a container, to whom nobody's files are closed
        yield place
    finally:
        shutil.rmtree(folder)


def _interpreter(folder: Path) -> Path:
    """A virtual environment of a linked copy of this interpreter."""
    _link(Path(sys.base_prefix), folder / "python")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = folder / "python" / "bin" / version
    _find_library_beside(base)
    subprocess.run([base, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    return folder / "venv" / "bin" / "python"


def _find_library_beside(python: Path) -> None:
    """Lets a linked interpreter find its own libpython: the path that is written into it may be closed to others."""
    old = f"{sys.base_prefix}/lib\0".encode()
    code = python.read_bytes().replace(old, b"$ORIGIN/../lib".ljust(len(old), b"\0"))
    python.unlink()  # a link: the interpreter itself stays as it is
    python.write_bytes(code)
    python.chmod(0o755)


def _install(place: Place) -> None:
    """All packages of this interpreter, and kata from the copied checkout, as an editable installation has it."""
    packages = next((place.python.parents[1] / "lib").glob("python3*")) / "site-packages"
    packages.rmdir()
    _link(Path(sysconfig.get_path("purelib")), packages)
    for entry in packages.iterdir():
        if entry.name.startswith(OWN) and entry.suffix != ".dist-info":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    (packages / "kata-elsewhere.pth").write_text(f"{place.checkout / 'src'}\n")
    launcher = place.python.with_name("kata")
    launcher.write_text(LAUNCHER.format(python=place.python))
    launcher.chmod(0o755)


def _link(source: Path, target: Path) -> None:
    subprocess.run(["cp", "-al", source, target], check=True)


def _checkout(target: Path) -> None:
    """The files that git does not ignore, as they are now."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-zco", "--exclude-standard"], check=True, capture_output=True, text=True
    )
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)


def run(place: Place, before: tuple[str, ...], *words: str) -> int:
    """Runs pytest in a place, below a command that takes rights away, and returns its exit code."""
    environment = {"HOME": str(place.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    environment["HYPOTHESIS_STORAGE_DIRECTORY"] = str(place.home / ".hypothesis")  # the checkout can't be written
    command = [*before, str(place.python), "-m", "pytest", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=place.checkout, env=environment, check=False).returncode


def main(where: str, *words: str) -> int:
    """Runs pytest with these arguments as nobody or in a container."""
    before = {"nobody": NOBODY, "bubblewrap": BUBBLEWRAP}[where]
    with elsewhere() as place:
        return run(place, before, *words)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
