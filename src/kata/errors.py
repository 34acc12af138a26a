"""The one error class that a user meets, and two that become something else on their way."""

from kata.model import ErrorKind


class KataError(Exception):
    """Something that the user can put right; its text says what was done, what was expected and what to do next."""


class OwnFault(Exception):
    """Something that only kata's authors can put right: exit 3, never blamed on the learner."""


class Unreadable(Exception):
    """A file that can't be judged, and of which kind; its text becomes the report's."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind
