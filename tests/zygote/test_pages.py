"""Huge pages: found among the mappings, and never a reason to fail."""

from pathlib import Path

import pytest

from kata.zygote import pages

MAPS = """\
7f0000000000-7f0000600000 rw-p 00000000 00:00 0
7f0000700000-7f0000900000 rw-p 00000000 00:00 0
7f0001000000-7f0002000000 r-xp 00000000 08:01 77   /usr/lib/libtorch_cpu.so
7f0003000000-7f0004000000 rw-p 00000000 08:01 77   /usr/lib/libtorch_cpu.so
7f0005000000-7f0006000000 rw-s 00000000 00:01 9    /memfd:shared (deleted)
550000100000-550000500000 rw-p 00000000 00:00 0    [heap]
7ffe00000000-7ffe00400000 rw-p 00000000 00:00 0    [stack]
"""


def test_whole_huge_pages_of_private_memory_and_no_others() -> None:
    found = [(hex(start), hex(end)) for start, end in pages._private(MAPS.splitlines())]
    assert found == [("0x7f0000000000", "0x7f0000600000"), ("0x550000200000", "0x550000400000")]


def test_memory_keeps_what_it_holds() -> None:
    held = bytearray(b"\x5a" * 3 * pages.HUGE)
    pages.collapse()
    assert held.count(b"\x5a") == 3 * pages.HUGE


def test_a_system_without_maps_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(pages, "MAPS", tmp_path / "none")
    assert pages.collapse() == 0


def test_a_system_that_refuses_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MADV_COLLAPSE", 9999)
    assert pages.collapse() == 0
