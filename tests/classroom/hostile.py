"""Everything hostile that a folder or zip of submissions can hold besides Python."""

import os
import shutil
import stat
import zipfile
from pathlib import Path


def hand_in_everything(honest: Path, folder: Path) -> Path:
    """The honest submissions with hostile ones among them, as a folder."""
    shutil.copytree(honest, folder)
    victim = next(folder.rglob("*.py"))
    (folder / "zed").mkdir()
    (folder / "zed" / "04_sliding_window_mask.py").symlink_to(victim)
    (folder / "yan").symlink_to(victim.parent, target_is_directory=True)
    os.mkfifo(folder / "mal1" / "pipe.py")
    (folder / "mal2" / "link.py").symlink_to("/etc/passwd")
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "04_sliding_window_mask.py").write_text("raise SystemExit")
    (folder / "\u202e<script>\x1b[2J=1").mkdir()
    (folder / "\u202e<script>\x1b[2J=1" / "04.py").write_text("")
    for n in range(10_000):
        (folder / "mal3" / f"{n}.txt").touch()
    with zipfile.ZipFile(folder / "mal4" / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("zeros.py", b"0" * 2**26)
        bomb.writestr("../../../evil.py", "raise SystemExit")
        link = zipfile.ZipInfo("l.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        bomb.writestr(link, "/etc/passwd")
        bomb.writestr("n" * 300 + ".txt", "")
    return folder
