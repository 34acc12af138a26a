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

X86_64, AARCH64 = 0, 1
MACHINES = {"x86_64": X86_64, "aarch64": AARCH64}
NUMBERS: dict[str, tuple[int | None, int | None]] = {  # on x86_64 and aarch64
    "read": (0, 63),
    "write": (1, 64),
    "open": (2, None),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "ioctl": (16, 29),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "access": (21, None),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "mincore": (27, 232),
    "madvise": (28, 233),
    "dup": (32, 23),
    "pause": (34, None),
    "nanosleep": (35, 101),
    "getitimer": (36, 102),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "exit": (60, 93),
    "kill": (62, 129),
    "uname": (63, 160),
    "fcntl": (72, 25),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "gettimeofday": (96, 169),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "ptrace": (101, 117),
    "getuid": (102, 174),
    "syslog": (103, 116),
    "getgid": (104, 176),
    "setuid": (105, 146),
    "setgid": (106, 144),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getppid": (110, 173),
    "getpgrp": (111, None),
    "setreuid": (113, 145),
    "setregid": (114, 143),
    "getgroups": (115, 158),
    "setgroups": (116, 159),
    "setresuid": (117, 147),
    "getresuid": (118, 148),
    "setresgid": (119, 149),
    "getresgid": (120, 150),
    "setfsuid": (122, 151),
    "setfsgid": (123, 152),
    "capset": (126, 91),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigqueueinfo": (129, 138),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "personality": (135, 92),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "modify_ldt": (154, None),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "arch_prctl": (158, None),
    "adjtimex": (159, 171),
    "chroot": (161, 51),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "lookup_dcookie": (212, 18),
    "getdents64": (217, 61),
    "set_tid_address": (218, 96),
    "restart_syscall": (219, 128),
    "fadvise64": (221, 223),
    "clock_settime": (227, 112),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "tgkill": (234, 131),
    "get_mempolicy": (239, 236),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "migrate_pages": (256, 238),
    "openat": (257, 56),
    "newfstatat": (262, None),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "unshare": (272, 97),
    "set_robust_list": (273, 99),
    "move_pages": (279, 239),
    "preadv": (295, 69),
    "rt_tgsigqueueinfo": (297, 240),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "prlimit64": (302, 261),
    "name_to_handle_at": (303, None),
    "open_by_handle_at": (304, None),
    "clock_adjtime": (305, 266),
    "setns": (308, 268),
    "getcpu": (309, 168),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "seccomp": (317, 277),
    "getrandom": (318, 278),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "membarrier": (324, 283),
    "statx": (332, 291),
    "rseq": (334, 293),
    "pidfd_send_signal": (424, 424),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "pidfd_open": (434, 434),
    "clone3": (435, 435),
    "close_range": (436, 436),
    "openat2": (437, 437),
    "pidfd_getfd": (438, 438),
    "faccessat2": (439, 439),
    "process_madvise": (440, 440),
    "epoll_pwait2": (441, 441),
    "mount_setattr": (442, 442),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}
