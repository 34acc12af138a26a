"""The table of system calls beside what learners' children make of it, traced over the whole suite; needs strace."""

from collections import Counter
from pathlib import Path

import pytest

from tests.zygote import trace

CALLS = """\
openat(AT_FDCWD, ""..., O_RDONLY) = 9
prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {len=412, filter=0x55}) = 0
sendto(8, ""..., 33, 0, NULL, 0)        = 33
newfstatat(AT_FDCWD, ""..., 0x7ffd, 0) = -1 ENOENT (No such file or directory)
recvfrom(8,  <unfinished ...>)          = ?
socket(AF_UNIX, SOCK_STREAM, 0)         = -1 EPERM (Operation not permitted)
+++ killed by SIGKILL +++
"""


def test_what_a_child_does_once_it_is_confined_is_counted(tmp_path: Path) -> None:
    (tmp_path / "call.1").write_text(CALLS)
    (tmp_path / "call.2").write_text("read(3, 0, 1) = 1\n")  # a judge
    found = trace.counted(tmp_path)
    assert (found.children, found.refused) == (1, Counter(["socket"]))
    assert found.made == Counter(["sendto", "newfstatat", "recvfrom"])


def test_every_difference_has_a_sentence() -> None:
    made = Counter(trace.calls("allow", "part", traced=True) - {"brk"}) + Counter(["readlink", "fork"])
    told = trace.lacks(trace.Traced(1, made, Counter(["socket"])))
    assert told == [
        "fork goes through and is not in the table",
        "socket is tried and refused: needed or not?",
        "brk is never made",
        "readlink is made after all",
    ]


@pytest.mark.slow
def test_the_table_is_what_the_suite_needs() -> None:
    found = trace.traced([])
    assert found.children > 300
    assert trace.lacks(found) == []
