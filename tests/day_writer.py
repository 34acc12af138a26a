"""A program that writes in a workspace until it is killed, and says after each write what is now on the disk.

python day_writer.py KIND HOME TRACK
"""

import sys
from itertools import count
from pathlib import Path

import filelock  # noqa: F401  so that the first write is no later than the others
from msgspec.structs import replace

from kata import folders, hints, progress, track
from kata.files import write
from kata.workspace import Workspace

NAME = "07_double_and_shift.py"


def main(kind: str, home: Workspace, root: Path) -> None:
    """Writes for ever."""
    problem, file = track.find(root, "7"), home.root / "problems" / NAME
    statements = [(root / f"{which}.txt").read_bytes() for which in ("old", "new")]
    print("ready", flush=True)
    for i in count(1):
        match kind:
            case "record":
                progress.change(home, problem, lambda entry, i=i: replace(entry, tries=i))  # type: ignore[misc]
            case "hint":
                hints.another(home, problem)
            case "reset":
                write(file, f"# answer {i}\n".encode())
                print(i, flush=True)
                folders.reset(home, problem)
                continue
            case "restore":
                (folders.reset if i % 2 else folders.restore)(home, problem)
            case "update":
                write(root / "problems" / NAME, statements[i % 2])
                folders.update(home, root)
            case "init":
                folders.init(home.root / str(i), root)
        print(i, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Workspace(Path(sys.argv[2])), Path(sys.argv[3]))
