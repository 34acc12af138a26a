"""What filling in a platform's own file came to."""

from msgspec import Struct


class Filled(Struct, frozen=True):
    """The file with its one column filled in, and what a person should know about it."""

    data: bytes
    column: str
    filled: int
    unmatched: tuple[str, ...]  # rows of the file that mean nobody, or whom nobody graded
    left: tuple[str, ...]  # students with a mark that the file doesn't have
    refused: tuple[str, ...] = ()  # rows that the platform would not take
