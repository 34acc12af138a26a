"""Memory before a great many forks: each copies the table of its parent's pages, and every page that it writes to.

So memory lies in huge pages, whose table is short, and forks find nothing free in their parent's heap: what they take
is new, and comes in huge pages that are only cleared. glibc alone; where another C library runs, memory is left alone.
"""

import ctypes
from collections.abc import Iterable, Iterator
from pathlib import Path

from kata.zygote.landlock import libc

MADV_DONTNEED = 4
MADV_COLLAPSE = 25  # Linux 6.1
HUGE = 2 * 2**20
MAPS = Path("/proc/self/maps")
HEADER = 16  # bytes before each piece of the heap
SPARE = 2**17  # bytes that stay free for the parent itself
FIELDS = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"


class _Heap(ctypes.Structure):
    """What glibc tells about its heap (struct mallinfo2)."""

    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS.split()]


def ready() -> int:
    """Makes this process's memory ready for forks and returns how many bytes are in huge pages now."""
    c = _glibc()
    if c is None:
        return 0
    _use_up(c)
    spare = c.malloc(SPARE)
    _clear_above(c)
    c.free(spare)
    return _collapse(c)


def _glibc() -> ctypes.CDLL | None:
    c = libc()
    if not hasattr(c, "mallinfo2"):  # glibc 2.33
        return None
    c.mallinfo2.restype = _Heap
    c.sbrk.restype = c.malloc.restype = ctypes.c_void_p
    c.sbrk.argtypes, c.malloc.argtypes, c.free.argtypes = [ctypes.c_ssize_t], [ctypes.c_size_t], [ctypes.c_void_p]
    c.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return c


def _top(c: ctypes.CDLL) -> int:
    """Where the free end of the heap begins, if that lies where a heap usually ends."""
    top: int = c.sbrk(0) - c.mallinfo2().keepcost
    return top


def _use_up(c: ctypes.CDLL) -> None:
    """Takes every free piece below the heap's free end, large ones first, for good."""
    heap = c.mallinfo2()
    top, left, size = _top(c), heap.fordblks - heap.keepcost, HUGE
    while size and left > 0:
        piece = c.malloc(size)
        if piece >= top:  # there is none of this size left
            c.free(piece)
            size //= 2
        else:
            left -= size


def _clear_above(c: ctypes.CDLL) -> None:
    """Lets the free end begin with a huge page, and gives back what was touched of it."""
    top = _top(c)
    if c.malloc(-(top + 2 * HEADER) % HUGE) == top + HEADER:  # it is where we think
        above = _top(c) + HEADER
        c.madvise(above, c.sbrk(0) - above, MADV_DONTNEED)


def _collapse(c: ctypes.CDLL) -> int:
    try:
        with MAPS.open() as lines:
            found = list(_private(lines, _top(c)))
    except OSError:
        return 0
    return sum(end - start for start, end in found if not c.madvise(start, end - start, MADV_COLLAPSE))


def _private(lines: Iterable[str], top: int) -> Iterator[tuple[int, int]]:
    """The whole huge pages of every writable mapping that is no file's, of the heap those that are in use."""
    for line in lines:
        where, rights, _, _, inode, *name = line.split(maxsplit=5)
        start, end = (int(address, 16) for address in where.split("-"))
        if name == ["[heap]"]:
            end = min(end, top)
        start, end = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        if rights == "rw-p" and inode == "0" and start < end and name in ([], ["[heap]"]):
            yield start, end
