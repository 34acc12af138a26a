"""The system calls that tensor work needs, and those that no answer has an honest use for; in groups, with reasons.

Found by tracing the whole suite: every worked answer, accepted variant and known mistake, and the odd corners of torch
(vmap, autocast, inference mode, meta tensors, complex and half precision, linear algebra, FFT, late imports).

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


GROUPS = (
    Group(
        "answer",
        "allow",
        "calls arrive and answers leave over one socket, prints over another; files are read",
        "read readv pread64 preadv write writev recvfrom close lseek dup",
    ),
    Group(
        "files",
        "allow",
        "Python finds a module by looking at its files; Landlock decides what can be opened",
        "stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64 getcwd "
        "fadvise64 statfs fstatfs",
    ),
    Group(
        "memory",
        "allow",
        "tensors are mapped, grown and given back; a kernel of tensor work is compiled into memory",
        "mmap munmap mremap mprotect brk mincore membarrier",
    ),
    Group(
        "time",
        "allow",
        "clocks are read and waited for",
        "clock_getres gettimeofday time nanosleep clock_nanosleep times getrusage",
    ),
    Group(
        "itself",
        "allow",
        "a process may know what it is and what machine it is on",
        "getpid gettid getppid getpgrp getuid geteuid getgid getegid getresuid getresgid getgroups uname "
        "sysinfo sched_yield getcpu getrlimit get_mempolicy arch_prctl",
    ),
    Group(
        "random",
        "allow",
        "seeds",
        "getrandom",
    ),
    Group(
        "locks",
        "allow",
        "Python's and torch's locks, and what the C library sets up",
        "futex set_robust_list set_tid_address rseq",
    ),
    Group(
        "signals",
        "allow",
        "its own handlers, masks and stacks: how a crash ends",
        "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack restart_syscall",
    ),
    Group(
        "waiting",
        "allow",
        "waiting for a socket, for a signal or for a while",
        "poll ppoll select pselect6 pause alarm setitimer getitimer rt_sigsuspend rt_sigtimedwait",
    ),
    Group(
        "end",
        "allow",
        "a process may end itself",
        "exit exit_group",
    ),
    Group(
        "part",
        "part",
        "allowed with some arguments only, see RULES",
        "open openat sendto fcntl ioctl prctl madvise prlimit64 sched_getaffinity clock_gettime kill tgkill",
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
    Rule("fcntl", 1, (0, 1, 2, 3, 1030)),  # duplicate, flags of a descriptor, status flags as they are
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
