"""What a whole submission may send and print, beside the caps of single replies: far more than honest answers do."""

import msgspec
from msgspec import Struct

REPLIES_CAP = 512 * 2**20
OUTPUT_CAP = 8 * 2**20  # of one check
PRINTED_CAP = 32 * 2**20  # of all checks
OUTPUT_KEPT = 15 * 1024  # with the note on what was left out still below the cap of a report's texts


class Budget(Struct):
    """The bytes that came so far: of replies, of prints, and the first prints since they were last taken."""

    replies: int = 0
    printed: int = 0
    total: int = 0
    kept: bytearray = msgspec.field(default_factory=bytearray)

    def replied(self, data: bytes) -> None:
        """Counts what came over the channel."""
        self.replies += len(data)

    def prints(self, data: bytes) -> None:
        """Counts what was printed and keeps the first part."""
        self.printed += len(data)
        self.total += len(data)
        self.kept += data[: max(0, OUTPUT_KEPT - len(self.kept))]

    def spent(self) -> str:
        """Why no further check is begun; empty while there is something left."""
        if self.replies > REPLIES_CAP:
            return f"it sent back more than {REPLIES_CAP // 2**20} MiB, which is all that one submission may send"
        if self.printed > PRINTED_CAP:
            return f"it printed more than {PRINTED_CAP // 2**20} MiB, which is all that one submission may print"
        return ""

    def over(self) -> str:
        """Why the answer's process is ended now; empty while it may go on."""
        return self.spent() or (f"it printed more than {OUTPUT_CAP // 2**20} MiB" if self.total > OUTPUT_CAP else "")

    def take(self) -> str:
        """What was printed since the last time, as text, and how much was left out."""
        text, left = bytes(self.kept).decode("utf-8", "replace"), self.total - len(self.kept)
        self.kept, self.total = bytearray(), 0
        return f"{text}\n… and {left:,} more bytes" if left else text
