"""A zip is read in memory, and what could hurt is named and stays packed."""

import contextlib
import io
import re
import stat
import struct
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kata.classroom import archive
from kata.classroom.entries import Entry
from kata.classroom.model import Note
from kata.errors import KataError
from kata.workspace import Unreadable


def zipped(members: dict[str, bytes | zipfile.ZipInfo]) -> bytes:
    """A zip of these members; a ZipInfo stands for itself, with the bytes of its comment."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            if isinstance(content, bytes):
                made.writestr(name, content)
            else:
                made.writestr(content, content.comment)
    return data.getvalue()


def looked_at(data: bytes, path: Path) -> tuple[dict[str, bytes], dict[str, str]]:
    """What is read, and what is noted, by path."""
    path.write_bytes(data)
    items = list(archive.opened(path))
    read = {"/".join(item.parts): item.read() for item in items if isinstance(item, Entry)}
    return read, {item.path: item.text for item in items if isinstance(item, Note)}


def link(name: str, target: bytes) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    info.comment = target
    return info


def test_names_that_lead_out_links_bombs_and_leftovers(tmp_path: Path) -> None:
    members: dict[str, bytes | zipfile.ZipInfo] = {
        "ana/04.py": b"mine",
        "../../evil.py": b"x",
        "/etc/cron.d/evil": b"x",
        "C:\\evil.py": b"x",
        "ana\\..\\..\\evil.py": b"x",
        "ana/link.py": link("ana/link.py", b"/etc/passwd"),
        "ana/bomb.py": b"0" * 2**24,
        "__MACOSX/ana/._04.py": b"x",
        "ana/" + "n" * 300 + ".py": b"long",
        "a/" * 14 + "deep.py": b"x",
    }
    read, notes = looked_at(zipped(members), tmp_path / "x.zip")
    assert read == {"ana/04.py": b"mine", "ana/" + "n" * 300 + ".py": b"long"}
    assert sorted(re.sub("from [0-9,]+", "from little", text) for text in notes.values()) == sorted(
        ["its name leads out of the archive"] * 4
        + ["is a link or device; only regular files are read", "left behind by a system or an editor"]
        + ["unpacks to 16,777,216 bytes from little: a zip bomb", "lies more than 12 folders deep"]
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.zip"]  # nothing was unpacked anywhere


def test_a_size_that_is_a_lie_costs_no_more_than_the_cap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "READ_CAP", 1000)
    data = zipped({"a.py": b"0" * 10**6})
    data = data.replace(struct.pack("<I", 10**6), struct.pack("<I", 900))
    (tmp_path / "x.zip").write_bytes(data)
    (entry,) = archive.opened(tmp_path / "x.zip")
    assert isinstance(entry, Entry)
    try:
        assert len(entry.read()) <= 1001
    except Unreadable as wrong:
        assert "can't be unpacked" in str(wrong)


def test_twice_encrypted_and_strange_methods(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        made.writestr("a.py", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            made.writestr("a.py", b"2")
        made.writestr("b.py", b"3", compress_type=zipfile.ZIP_BZIP2)
    read, notes = looked_at(data.getvalue(), tmp_path / "x.zip")
    assert read == {"a.py": b"1"}
    assert notes == {"a.py": "stands in the archive twice", "b.py": "is packed in a way that is not read here"}
    locked = bytearray(zipped({"c.py": b"4"}))
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert looked_at(bytes(locked), tmp_path / "y.zip")[1] == {"c.py": "is encrypted"}


def test_a_zip_in_a_zip_is_opened_once(tmp_path: Path) -> None:
    inner = zipped({"04.py": b"mine", "again.zip": b"PK"})
    entry = Entry(("ana.zip",), lambda: inner)
    found = list(archive.nested(entry))
    assert [item.parts for item in found if isinstance(item, Entry)] == [("ana.zip", "04.py"), ("ana.zip", "again.zip")]
    (note,) = archive.nested(Entry(("ana.zip",), lambda: b"no zip"))
    assert isinstance(note, Note) and "can't be read as a zip" in note.text


def test_macos_and_utf8_names(tmp_path: Path) -> None:
    data = zipped({"Åsa/04.py": b"x"})
    assert list(looked_at(data, tmp_path / "x.zip")[0]) == ["Åsa/04.py"]
    unflagged = bytearray(data)
    unflagged[7] &= ~8
    unflagged[unflagged.index(b"PK\x01\x02") + 9] &= ~8
    assert list(looked_at(bytes(unflagged), tmp_path / "x.zip")[0]) == ["Åsa/04.py"]


def test_what_is_no_zip(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(KataError, match="can't be read as a zip"):
        list(archive.opened(tmp_path / "x.zip"))


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 255), st.booleans())
@example(146, 0, False)  # a file without a name
def test_a_damaged_zip_raises_nothing_of_its_own(at: int, byte: int, cut: bool) -> None:
    data = bytearray(zipped({"ana/04.py": b"def f(): pass\n" * 9, "bob/04.py": b"x"}))
    data[at % len(data)] = byte
    entry = Entry(("x.zip",), lambda: bytes(data[: at % len(data)] if cut else data))
    for item in archive.nested(entry):
        if isinstance(item, Entry):
            with contextlib.suppress(Unreadable):
                item.read()


def test_of_many_zips_only_the_one_that_is_read_is_in_memory() -> None:
    opened: list[str] = []

    def lying(name: str) -> Entry:
        data = zipped({f"{name}.py": name.encode(), "more.py": b"more"})

        def read() -> bytes:
            opened.append(name)
            return data

        return Entry((f"{name}.zip",), read)

    members = [member for name in ("ana", "bob") for member in archive.nested(lying(name))]
    assert opened == ["ana", "bob"]
    assert [member.read() for member in members if isinstance(member, Entry)] == [b"ana", b"more", b"bob", b"more"]
    assert opened == ["ana", "bob", "ana", "bob"]


def test_a_zip_that_holds_nothing_is_named() -> None:
    assert [*archive.nested(Entry(("ana", "work.zip"), lambda: zipped({})))] == [
        Note("refused", "ana/work.zip", "is a zip that holds nothing")
    ]


def dated(extra: bytes) -> datetime | None:
    info = zipfile.ZipInfo("ana/04.py", (2026, 10, 12, 23, 30, 0))
    info.extra = extra
    (member,) = archive.nested(Entry(("x.zip",), lambda: zipped({"ana/04.py": info})))
    assert isinstance(member, Entry)
    return member.time


UT = struct.pack("<HHBi", 0x5455, 5, 1, 1_791_840_000)


def test_a_date_is_what_unpacking_would_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a zone it is this machine's: 23:30 is before a due date at 23:59 of the same place."""
    monkeypatch.setenv("TZ", "CET-1")
    time.tzset()
    try:
        clock = datetime(2026, 10, 12, 22, 30, tzinfo=UTC)
        assert dated(b"") == dated(struct.pack("<HHB", 0x5455, 1, 0)) == clock
        assert dated(UT) == dated(struct.pack("<HHI", 0x7875, 4, 0) + UT) == datetime.fromtimestamp(1_791_840_000, UTC)
    finally:
        monkeypatch.undo()
        time.tzset()
