"""The system calls that tensor work needs, and those that no answer has an honest use for; in groups, with reasons.

Found by tracing the whole suite (`python -m tests.zygote.trace`): every worked answer, cold and warm, every right file,
a part of the wrong ones, and the odd corners of torch (vmap, autocast, inference mode, meta tensors, complex and half
precision, linear algebra, FFT, late imports).

What stands in no group is known and not needed, and is refused with EPERM: making processes and threads, starting
programs, sockets, pipes, making, renaming and removing files, changing their owner, mode or times, shared memory,
priorities. A number above LAST is newer than this table and does not exist as far as an answer is concerned.
"""

import errno
import os
from typing import Literal

from msgspec import Struct

Verdict = Literal["allow", "part", "unknown", "kill"]
LAST = 450


class Group(Struct, frozen=True):
    """System calls with one verdict, and the reason for it."""

    name: str
    verdict: Verdict
    reason: str
    calls: str
    traced: bool = True  # of calls that are allowed: whether the suite makes them, else the reason says who does


GROUPS = (
    Group(
        "answer",
        "allow",
        "calls arrive and answers leave over one socket, prints over another; files are read",
        "read write recvfrom close lseek",
    ),
    Group(
        "files",
        "allow",
        "Python finds a module by looking at its files; Landlock decides what can be opened",
        "newfstatat getdents64 getcwd",
    ),
    Group(
        "memory",
        "allow",
        "tensors are mapped and given back; a kernel of tensor work is compiled into memory",
        "mmap munmap mprotect brk",
    ),
    Group(
        "waiting",
        "allow",
        "Python's and torch's locks, and time.sleep",
        "futex clock_nanosleep",
    ),
    Group(
        "part",
        "part",
        "allowed with some arguments only, see RULES: reading, answering the judge, a heap that shrinks, processors",
        "openat sendto ioctl madvise sched_getaffinity",
    ),
    Group(
        "elsewhere",
        "allow",
        "the same by another name, for older and other C libraries and processors",
        "stat fstat lstat statx access faccessat faccessat2 readv writev pread64 preadv nanosleep",
        traced=False,
    ),
    Group(
        "paths",
        "allow",
        "os.path.realpath, which libraries call to find their own files",
        "readlink readlinkat",
        traced=False,
    ),
    Group(
        "growth",
        "allow",
        "a large block that grows is moved, by realloc",
        "mremap",
        traced=False,
    ),
    Group(
        "clocks",
        "allow",
        "clocks are read by a call where the kernel shares no page for it, and as CPU time",
        "clock_getres gettimeofday time times getrusage",
        traced=False,
    ),
    Group(
        "itself",
        "allow",
        "a process may know what it is and what machine it is on: asked for by logging, random, platform and BLAS",
        "getpid gettid getppid getpgrp getuid geteuid getgid getegid uname sysinfo sched_yield getcpu getrlimit "
        "arch_prctl",
        traced=False,
    ),
    Group(
        "random",
        "allow",
        "seeds: of what libraries import, torch.seed(), random.seed()",
        "getrandom",
    ),
    Group(
        "signals",
        "allow",
        "its own handlers, masks and stacks: how a crash ends, and how a stopped call goes on",
        "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall",
        traced=False,
    ),
    Group(
        "end",
        "allow",
        "a process may end itself; those of honest answers are ended by the judge",
        "exit exit_group",
        traced=False,
    ),
    Group(
        "rare",
        "part",
        "allowed with some arguments only, see RULES: its own limits, clocks and signals, names of threads",
        "open fcntl prctl prlimit64 clock_gettime kill tgkill",
        traced=False,
    ),
    Group(
        "probed",
        "unknown",
        "probed by libraries, which fall back to an older call when told that it does not exist",
        "clone3 openat2 close_range epoll_pwait2",
    ),
    Group(
        "others",
        "kill",
        "looks into or changes other processes",
        "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_open pidfd_getfd "
        "pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo migrate_pages move_pages",
    ),
    Group(
        "walls",
        "kill",
        "changes the walls that a process lives in",
        "unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick "
        "mount_setattr personality setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid "
        "setgroups capset",
    ),
    Group(
        "kernel",
        "kill",
        "talks to parts of the kernel that tensor work never needs, where its bugs have been",
        "bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register keyctl add_key "
        "request_key init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff "
        "syslog acct quotactl iopl ioperm modify_ldt lookup_dcookie open_by_handle_at name_to_handle_at "
        "fanotify_init seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self",
    ),
    Group(
        "clock",
        "kill",
        "sets the machine's clock or name",
        "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname",
    ),
)


class Rule(Struct, frozen=True):
    """What an argument must be: one of some values (with `unless`: none of these bits set), else an error number.

    Several rules for one call must all hold. Values are compared in 32 bits, 0 in all 64.
    """

    call: str
    argument: int
    values: tuple[int, ...]
    unless: bool = False
    refusal: int = errno.EPERM


WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND  # and O_TMPFILE, which is no use without
OWN_PID = -1  # stands for the number of the process that the filter is for

RULES = (
    Rule("open", 1, (WRITING,), unless=True, refusal=errno.EACCES),
    Rule("openat", 2, (WRITING,), unless=True, refusal=errno.EACCES),
    Rule("sendto", 4, (0,)),  # to the judge, at the other end; to no other address
    Rule("fcntl", 1, (1, 2, 3)),  # flags of a descriptor, status flags as they are
    Rule("ioctl", 1, (0x5401, 0x5413, 0x541B, 0x5450, 0x5451), refusal=errno.ENOTTY),  # isatty, its size, what waits
    Rule("prctl", 0, (15, 16, 0x53564D41)),  # the names of threads and of mapped memory
    Rule("madvise", 2, (0, 1, 2, 3, 4, 8, 14, 15)),  # as root others could poison the machine's memory
    Rule("prlimit64", 0, (0, OWN_PID)),
    Rule("prlimit64", 2, (0,)),  # limits are read, not set
    Rule("sched_getaffinity", 0, (0, OWN_PID)),
    Rule("clock_gettime", 0, (1 << 31,), unless=True),  # not the clocks of other processes
    Rule("kill", 0, (OWN_PID,)),  # itself, and not as a group
    Rule("tgkill", 0, (OWN_PID,)),  # abort() and raise()
)
