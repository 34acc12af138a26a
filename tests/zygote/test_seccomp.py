"""The filter as data, and what it refuses, kills and allows."""

import platform
import struct
from collections.abc import Iterator

import pytest

from kata.zygote import seccomp
from kata.zygote.numbers import MACHINES, NUMBERS
from kata.zygote.syscalls import GROUPS, LAST, OWN_PID, RULES
from tests.zygote.confined import Zygote

CALL = "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def test_every_call_has_one_verdict_a_reason_and_a_number() -> None:
    names = [name for group in GROUPS for name in group.calls.split()]
    assert len(names) == len(set(names))
    assert set(names) == set(NUMBERS)
    assert all(group.reason for group in GROUPS)
    parts = {name for group in GROUPS if group.verdict == "part" for name in group.calls.split()}
    assert parts == {rule.call for rule in RULES}
    assert max(number for pair in NUMBERS.values() for number in pair if number is not None) <= LAST


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_libseccomp(machine: str) -> None:
    pyseccomp = pytest.importorskip("pyseccomp", reason="only a second opinion on the numbers")
    arch = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}[machine]
    for name, pair in NUMBERS.items():
        number = pyseccomp.resolve_syscall(arch, name)
        assert (number if number >= 0 else None) == pair[MACHINES[machine]], name


@pytest.mark.parametrize("machine", MACHINES)
def test_the_program_is_well_formed(machine: str) -> None:
    program = seccomp.build(machine)
    code = [seccomp.INSTRUCTION.unpack_from(program.code, at) for at in range(0, len(program.code), 8)]
    assert len(code) < 4096
    for at, (operation, yes, no, _) in enumerate(code):
        if operation != seccomp.RETURN and operation != seccomp.LOAD:
            assert at + 1 + max(yes, no) < len(code)
    assert code[-1][0] == seccomp.RETURN
    owned = [struct.unpack_from("=I", program.code, hole)[0] for hole in program.holes]
    assert owned == [OWN_PID & 0xFFFFFFFF] * sum(OWN_PID in rule.values for rule in RULES)


REFUSED = {
    "a fork": "import os; os.fork()",
    "a thread": "import threading; threading.Thread(target=print).start()",
    "a program": "import os; os.execv('/bin/true', ['true'])",
    "a socket": "import socket; socket.socket()",
    "a pair of sockets": "import socket; socket.socketpair()",
    "a pipe": "import os; os.pipe()",
    "a changed mode": "import os, sys; os.chmod(sys.executable, 0o777)",
    "a changed time": "import os, sys; os.utime(sys.executable)",
    "a new name": "import os; os.rename('/etc/hostname', '/etc/hostname2')",
    "a link": "import os; os.symlink('/etc', '/tmp/x')",
    "a session": "import os; os.setsid()",
    "a limit": "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    "another's limits": "import resource; resource.prlimit(1, resource.RLIMIT_CORE)",
    "another's end": "import os; os.kill(os.getppid(), 0)",
    "everyone's end": "import os; os.kill(-1, 0)",
    "a priority": "import os; os.nice(1)",
    "a memory file": "import os; os.memfd_create('x')",
    "a write": "open('/dev/null', 'w')",
    "another's clock": "import time, os; time.clock_gettime((~os.getppid() << 3) | 2)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_needed_is_refused(zygote: Zygote, name: str) -> None:
    text = f"try:\n    {REFUSED[name]}\nexcept (OSError, RuntimeError, ValueError) as no:\n    print('refused', no)\n"
    assert zygote.printed(text).startswith("refused")


X86 = platform.machine() == "x86_64"
KILLED = {
    "ptrace": "libc.ptrace(0, 0, 0, 0)",
    "unshare": "libc.unshare(0x10000000)",
    "setuid": "libc.setuid(0)",
    "chroot": "libc.chroot(b'/')",
    "bpf": f"libc.syscall({321 if X86 else 280}, 0, 0, 0)",
    "io_uring": "libc.syscall(425, 1, 0)",
    "another rule set": "libc.syscall(444, 0, 0, 1)",
    "another filter": "libc.syscall(317 if {X86} else 277, 0, 0, 0)".replace("{X86}", str(X86)),
    "reading others' memory": "libc.process_vm_readv(1, 0, 0, 0, 0, 0)",
}


@pytest.mark.parametrize("name", KILLED)
def test_what_has_no_honest_use_ends_the_process(zygote: Zygote, name: str) -> None:
    assert zygote.run(CALL + KILLED[name]).code == -31  # SIGSYS


@pytest.mark.skipif(not X86, reason="the other ways into this kernel exist on x86-64 only")
def test_other_ways_into_the_kernel_are_closed(zygote: Zygote) -> None:
    assert zygote.run(CALL + "libc.syscall(0x40000000 + 39)").code == -31
    old = (
        "import ctypes, mmap\n"
        "page = mmap.mmap(-1, 4096, prot=7)\n"
        "page.write(bytes.fromhex('b814000000cd80c3'))\n"  # getpid by int 0x80
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()\n"
    )
    assert zygote.run(old).code == -31


def test_what_is_newer_than_the_table_does_not_exist(zygote: Zygote) -> None:
    assert zygote.printed(CALL + "print(libc.syscall(451, 0, 0, 0), ctypes.get_errno())") == "-1 38"
    assert zygote.printed(CALL + "print(libc.syscall(5000), ctypes.get_errno())") == "-1 38"


def test_signals_to_itself_end_it_by_their_name(zygote: Zygote) -> None:
    assert zygote.run("import os; os.abort()").code == -6
    assert zygote.run("import os, signal; os.kill(os.getpid(), signal.SIGTERM)").code == -15
    assert zygote.run("import ctypes; ctypes.string_at(0)").code == -11
