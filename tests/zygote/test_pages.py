"""Memory before forks: whole huge pages, nothing free below what is new, and never a reason to fail."""

import subprocess
import sys
from pathlib import Path

import pytest

from kata.zygote import pages
from kata.zygote.start import environment

MAPS = """\
7f0000000000-7f0000600000 rw-p 00000000 00:00 0
7f0000700000-7f0000900000 rw-p 00000000 00:00 0
7f0001000000-7f0002000000 r-xp 00000000 08:01 77   /usr/lib/libtorch_cpu.so
7f0003000000-7f0004000000 rw-p 00000000 08:01 77   /usr/lib/libtorch_cpu.so
7f0005000000-7f0006000000 rw-s 00000000 00:01 9    /memfd:shared (deleted)
550000100000-550000500000 rw-p 00000000 00:00 0    [heap]
7ffe00000000-7ffe00400000 rw-p 00000000 00:00 0    [stack]
"""


NOTHING_FREE = """
import ctypes, os, random
from kata.zygote import pages
texts = ["x" * random.Random(n).randint(600, 9000) for n in range(9000)]
del texts[::3]
held = [bytearray([n % 251]) * (600 + n) for n in range(3000)]
pages.ready()
heap = pages.libc().mallinfo2()
assert heap.fordblks - heap.keepcost <= 2 * pages.SPARE, (heap.fordblks, heap.keepcost)
touched = os.sysconf("SC_PAGE_SIZE")
with open("/proc/self/pagemap", "rb") as table:
    above = pages._top(pages.libc()) + pages.HEADER
    assert above % pages.HUGE == 0
    table.seek(above // touched * 8)
    assert not int.from_bytes(table.read(8), "little") >> 63
more = [bytes([n % 251]) * (600 + n) for n in range(9000)]
assert all(set(one) == {n % 251} for n, one in enumerate(more))
assert all(set(one) == {n % 251} and len(one) == 600 + n for n, one in enumerate(held))
print("kept")
"""


def test_whole_huge_pages_of_private_memory_and_no_others() -> None:
    found = [(hex(start), hex(end)) for start, end in pages._private(MAPS.splitlines(), 0x5500_0045_0000)]
    assert found == [("0x7f0000000000", "0x7f0000600000"), ("0x550000200000", "0x550000400000")]
    found = [(hex(start), hex(end)) for start, end in pages._private(MAPS.splitlines(), 0x5500_0021_0000)]
    assert found == [("0x7f0000000000", "0x7f0000600000")]  # what is above the heap's top is new


def run(code: str) -> str:
    """What a process of its own prints, with the memory settings of a zygote."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_is_left_to_copy_and_everything_is_kept() -> None:
    assert run(NOTHING_FREE) == "kept\n"


def test_a_system_without_maps_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "MAPS", tmp_path / "none")
    assert (c := pages._glibc()) and pages._collapse(c) == 0


def test_a_system_that_refuses_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MADV_COLLAPSE", 9999)
    assert (c := pages._glibc()) and pages._collapse(c) == 0


def test_another_c_library_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "libc", lambda: object())
    assert pages.ready() == 0
