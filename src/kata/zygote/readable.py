"""What a learner's process may read, one by one: Python, its standard library, torch and what torch itself imports."""

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.machinery import FileFinder, ModuleSpec
from importlib.util import find_spec
from pathlib import Path

PACKAGES = (  # torch, what it imports sooner or later, and what the wire needs; never a folder of packages as a whole
    *("torch", "torchgen", "functorch", "numpy", "numpy.libs", "typing_extensions.py"),
    *("sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock", "fsspec", "msgspec", "nvidia", "triton"),
)
SYSTEM = (  # read by the C library, the loader and torch's look at the processor
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/etc/ld.so.cache", "/etc/localtime"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/devices/system/node", "/usr/share/zoneinfo"),
)
OTHERS = ("site-packages", "dist-packages")


def paths(more: Iterable[str] = ()) -> Iterator[str]:
    """Every file and folder that may be read, those of more packages included."""
    for name in more:
        yield from _places(name)
    yield from SYSTEM
    yield sys.executable
    for folder in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}:
        yield from _without_packages(Path(folder))
    if multiarch := sysconfig.get_config_var("MULTIARCH"):
        yield from (f"/lib/{multiarch}", f"/usr/lib/{multiarch}")
    for folder in ("/lib64", "/usr/lib64", f"{sys.base_prefix}/lib"):
        yield from _libraries(Path(folder))
    for folder in sys.path:
        yield from (f"{folder}/{name}" for name in PACKAGES)
        if folder.endswith((".zip", "lib-dynload")):
            yield folder


def _places(package: str) -> Iterator[str]:
    """Where a package lies, and the libraries that were packed with it; nothing where there is none."""
    spec = _spec(package)
    if spec is not None and spec.submodule_search_locations is not None:
        for folder in spec.submodule_search_locations:
            yield from (folder, f"{folder}.libs")
    elif spec is not None and spec.has_location and spec.origin is not None:
        yield spec.origin


def _spec(package: str) -> ModuleSpec | None:
    try:
        return find_spec(package)
    except (ImportError, ValueError):
        return None


def missing(packages: Iterable[str]) -> list[str]:
    """Those of some packages that this interpreter does not find."""
    return [name for name in packages if _spec(name) is None]


def _without_packages(stdlib: Path) -> Iterator[str]:
    """The standard library, entry by entry where other packages lie inside it."""
    if not any((stdlib / name).is_dir() for name in OTHERS):
        yield str(stdlib)
        return
    with os.scandir(stdlib) as entries:
        yield from (entry.path for entry in entries if entry.name not in OTHERS)


def _libraries(folder: Path) -> Iterator[str]:
    """Shared libraries, one by one where other things lie beside them."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        found = list(entries)
    if any(entry.name.startswith("python") for entry in found):
        yield from (entry.path for entry in found if ".so" in entry.name)
    else:
        yield str(folder)


def importable(more: Iterable[str] = ()) -> dict[str, set[str]]:
    """What lies in the folders on sys.path; of folders of packages only what may be read."""
    allowed = {name.split(".")[0] for name in PACKAGES} | set(more)
    listed = {folder: set(os.listdir(folder)) for folder in sys.path if os.path.isdir(folder)}  # noqa: PTH112, PTH208
    return {
        folder: {name for name in names if name.split(".")[0] in allowed} if folder.endswith(OTHERS) else names
        for folder, names in listed.items()
    }


def freeze_imports(folders: dict[str, set[str]]) -> None:
    """Tells the import system for good what lies in the folders on sys.path: it may not list them any more."""
    for folder, names in folders.items():
        finder = sys.path_importer_cache.get(folder)
        if isinstance(finder, FileFinder):
            finder._path_cache = names  # type: ignore[attr-defined]
            finder._fill_cache = lambda: None  # type: ignore[attr-defined]
