"""The files of a zip, read in memory: nothing is ever extracted, so nothing can land outside."""

import io
import stat
import struct
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import IO

from kata.classroom.entries import FILES, READ_CAP, Entry, capped, shown, skipped, too_far
from kata.classroom.model import Note
from kata.errors import KataError
from kata.workspace import Unreadable

RATIO = 200  # unpacked size over packed size: no text of a person compresses so well
HARMLESS_SIZE = 2**20
Archive = Callable[[], zipfile.ZipFile]  # opens it again
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def opened(path: Path) -> Iterator[Entry | Note]:
    """Every regular file of a zip on disk; raises KataError where it is none."""
    try:
        archive = zipfile.ZipFile(path)
    except Exception as wrong:  # of damaged bytes zipfile makes any exception it likes
        raise KataError(f"{path} can't be read as a zip: {wrong}") from None
    yield from _members(archive, (), lambda: archive)


def nested(entry: Entry) -> Iterator[Entry | Note]:
    """The files of a zip that lies among the submissions, as if it were a folder; one inside it stays closed."""
    try:
        archive = _unpacked(entry)
    except Exception as wrong:
        yield Note("refused", shown(entry.parts), f"can't be read as a zip: {wrong}")
        return
    yield from _members(archive, entry.parts, lambda: _unpacked(entry))


@lru_cache(maxsize=1)
def _unpacked(entry: Entry) -> zipfile.ZipFile:
    """A zip among the submissions; only the one that is read just now is in memory, however many there are."""
    return zipfile.ZipFile(io.BytesIO(entry.read()))


def _members(archive: zipfile.ZipFile, above: tuple[str, ...], again: Archive) -> Iterator[Entry | Note]:
    infos = archive.infolist()
    if len(infos) > FILES:
        yield Note(
            "refused",
            shown(above),
            f"holds {len(infos):,} files, and of a zip at most {FILES:,} are looked at: unpack it",
        )
        return
    if not infos:
        yield Note("refused", shown(above), "is a zip that holds nothing")
    seen: set[tuple[str, ...]] = set()
    for info in infos:
        if not info.filename.endswith("/"):  # is_dir() wants a name to be there
            yield _member(again, info, above, seen)


def _member(
    archive: Archive, info: zipfile.ZipInfo, above: tuple[str, ...], seen: set[tuple[str, ...]]
) -> Entry | Note:
    name = _name(info)
    inside = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
    parts = (*above, *inside)
    if not inside:
        return Note("refused", shown(above), "holds a file without a name")
    if any(map(skipped, inside)) and ".." not in inside:
        return Note("ignored", shown(parts), "left behind by a system or an editor")
    if trouble := _trouble(info, name, inside, parts, parts in seen):
        return Note("refused", shown(parts), trouble)
    seen.add(parts)
    return Entry(parts, lambda: _read(archive, info), _time(info))


def _name(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")  # macOS writes UTF-8 without saying so
    except UnicodeError:
        return info.filename


def _trouble(info: zipfile.ZipInfo, name: str, inside: tuple[str, ...], parts: tuple[str, ...], twice: bool) -> str:
    """Why a member is not read, or nothing."""
    mode = info.external_attr >> 16
    packed = max(1, info.compress_size)
    if name.startswith(("/", "\\")) or ".." in inside or name[1:2] == ":" or not inside:
        return "its name leads out of the archive"
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "is a link or device; only regular files are read"
    if info.flag_bits & 1:
        return "is encrypted"
    if info.compress_type not in METHODS:
        return "is packed in a way that is not read here"
    if info.file_size > HARMLESS_SIZE and info.file_size > RATIO * packed:
        return f"unpacks to {info.file_size:,} bytes from {packed:,}: a zip bomb"
    return "stands in the archive twice" if twice else too_far(parts)


def _read(archive: Archive, info: zipfile.ZipInfo) -> bytes:
    try:
        with archive().open(info) as file:
            return capped(_some(file, READ_CAP + 1))
    except Unreadable:
        raise
    except Exception as wrong:
        raise Unreadable("unreadable", f"can't be unpacked: {wrong}") from None


def _some(file: IO[bytes], most: int) -> bytes:
    data = bytearray()
    while len(data) < most and (chunk := file.read(min(2**16, most - len(data)))):
        data += chunk
    return bytes(data)


def _time(info: zipfile.ZipInfo) -> datetime | None:
    """When a member was changed, as unpacking would say: its exact time, else its clock's, which knows no zone."""
    try:
        exact = _exact(info.extra)
        return datetime.fromtimestamp(exact, UTC) if exact is not None else datetime(*info.date_time).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _exact(extra: bytes) -> int | None:
    """The seconds in the extra field UT, which the tools of Linux and macOS write."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == 0x5455 and size >= 5 and len(extra) >= 9 and extra[4] & 1:
            return int(struct.unpack_from("<i", extra, 5)[0])
        extra = extra[4 + size :]
    return None
