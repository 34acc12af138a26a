"""What a confined child can read, and that it can write nothing."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kata.track import default_root
from kata.zygote import landlock, readable
from tests.zygote.confined import Zygote

ROOT = default_root()


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def refused(zygote: Zygote, *statements: str) -> list[str]:
    """The statements that went through although they should not have."""
    lines = [f"try:\n    {line}\n    print({line!r})\nexcept OSError:\n    pass" for line in statements]
    return zygote.printed("import os\n" + "\n".join(lines)).splitlines()


def test_shelves_kata_and_everyones_files_are_unreadable(zygote: Zygote) -> None:
    stubs = sorted((ROOT / "grader").glob("*.py"))
    assert stubs
    files = [*stubs, *sorted((ROOT / "solutions").glob("*.py")), Path(landlock.__file__), Path("/etc/passwd")]
    assert refused(zygote, *(f"open({str(file)!r})" for file in files)) == []
    folders = [
        ROOT,
        ROOT / "grader",
        Path(landlock.__file__).parent,
        Path("/"),
        Path("/tmp"),
        Path("/proc"),
        Path.home(),
    ]
    assert refused(zygote, *(f"os.listdir({str(folder)!r})" for folder in folders)) == []


def test_its_own_proc_is_unreadable(zygote: Zygote) -> None:
    names = ("environ", "cmdline", "maps", "mem", "stat", "root/etc/passwd", "cwd/etc/passwd")
    assert refused(zygote, *(f"open('/proc/self/{name}', 'rb')" for name in names)) == []


def test_folders_of_packages_are_not_readable_as_a_whole(zygote: Zygote) -> None:
    others = [folder for folder in sys.path if folder.endswith(readable.OTHERS)]
    assert others
    assert refused(zygote, *(f"os.listdir({folder!r})" for folder in others)) == []
    assert zygote.printed("try:\n    import pytest\nexcept ModuleNotFoundError as no:\n    print(no)") == (
        "No module named 'pytest'"
    )


def test_kata_can_not_be_imported(zygote: Zygote) -> None:
    text = "import sys\nfor name in ('kata', 'kata.track', 'kata.zygote.child'):\n"
    text += "    try:\n        __import__(name)\n"
    text += "        print(name)\n    except ImportError:\n        pass\n"
    text += "print([n for n in sys.modules if n.split('.')[0] == 'kata'])"
    assert zygote.printed(text) == "['kata']"
    text = "import sys\ndel sys.modules['kata']\n"
    text += "try:\n    import kata\nexcept (ImportError, OSError):\n    print('no')"
    assert zygote.printed(text) == "no"


def test_nothing_can_be_written_even_where_everyone_may(zygote: Zygote) -> None:
    tries = (
        "open('/tmp/kata-test-left', 'w')",
        "open('/dev/shm/kata-test-left', 'w')",
        "os.mkdir('/tmp/kata-test-left')",
        "os.open('/tmp', os.O_TMPFILE | os.O_RDWR)",
        "os.truncate('/etc/hostname', 0)",
        "os.unlink('/etc/hostname')",
        "os.mknod('/tmp/kata-test-left')",
        "os.mkfifo('/tmp/kata-test-left')",
        "os.setxattr('/tmp', 'user.x', b'')",
    )
    assert refused(zygote, *tries) == []
    assert not os.path.lexists("/tmp/kata-test-left")


WORK = """
import torch, numpy as np
x = torch.randn(2, 3, 8, requires_grad=True)
(x @ x.transpose(1, 2)).softmax(-1).sum().backward()
with torch.autocast("cpu", dtype=torch.bfloat16):
    torch.randn(64, 64) @ torch.randn(64, 64)
torch.func.vmap(lambda t: t.sin().sum())(torch.randn(3, 4))
torch.func.grad(lambda t: t.sin().sum())(torch.randn(3))
with torch.inference_mode():
    torch.randn(3).exp()
torch.zeros(3, device="meta") + 1
q = torch.randn(1, 2, 8, 16)
torch.nn.functional.scaled_dot_product_attention(q, q, q)
torch.nn.functional.scaled_dot_product_attention(q.bfloat16(), q.bfloat16(), q.bfloat16())
torch.polar(torch.ones(3), torch.ones(3)), torch.fft.fft(torch.randn(8)), torch.linalg.svd(torch.randn(4, 4))
torch.randn(300, 300).half() @ torch.randn(300, 300).half()
torch.nn.LSTM(3, 4)(torch.randn(5, 1, 3)), torch.nn.TransformerEncoderLayer(8, 2, 16)(torch.randn(3, 1, 8))
torch.from_numpy(np.linalg.svd(np.ones((3, 3)))[0]), torch.randn(3).numpy()
torch.optim.Adam([x]).step()
torch.utils.checkpoint.checkpoint(lambda t: t.sin(), x, use_reentrant=False).sum().backward()
torch.use_deterministic_algorithms(True)
import random, typing, dataclasses, functools, time, json, decimal, threading, sqlite3, ssl, lzma, zoneinfo
time.localtime(), time.sleep(0.001), random.random(), zoneinfo.ZoneInfo("UTC")
from torch.utils._python_dispatch import TorchDispatchMode
class Mode(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))
with Mode():
    torch.ones(3) + 1
print("done")
"""


@pytest.mark.parametrize("level", ["strict", "seccomp"])
def test_tensor_work_and_late_imports_go_on(level: str) -> None:
    made = Zygote(level)
    try:
        assert made.level == level
        assert made.run(WORK, 1024).text.strip().endswith("done")
    finally:
        made.close()


def test_this_kernel_is_asked_for_its_version() -> None:
    assert landlock.version() >= 1
