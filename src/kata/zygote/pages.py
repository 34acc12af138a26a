"""Memory in huge pages: each fork copies the table of its parent's pages, and larger ones make a shorter table."""

import ctypes
from collections.abc import Iterator
from pathlib import Path

from kata.zygote.landlock import libc

MADV_COLLAPSE = 25  # Linux 6.1
HUGE = 2 * 2**20
MAPS = Path("/proc/self/maps")


def collapse() -> int:
    """Puts this process's own memory into huge pages and returns how many bytes; where a system can't, it is left."""
    try:
        lines = MAPS.read_text().splitlines()
    except OSError:
        return 0
    return sum(end - start for start, end in _private(lines) if not _advise(start, end - start))


def _private(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The whole huge pages of every writable mapping that is no file's."""
    for line in lines:
        where, rights, _, _, inode, *name = line.split(maxsplit=5)
        start, end = (int(address, 16) for address in where.split("-"))
        start, end = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        if rights == "rw-p" and inode == "0" and start < end and name in ([], ["[heap]"]):
            yield start, end


def _advise(start: int, size: int) -> int:
    call = libc().madvise
    call.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    result: int = call(start, size, MADV_COLLAPSE)
    return result
