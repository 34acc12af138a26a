"""What a child takes out of an answer's reach before it runs one."""

import subprocess
import sys

import pytest

from kata.zygote import start

HIDE = """
import kata.zygote.child as child
{more}
child.hide()
import sys
print([name for name, module in sys.modules.items() if name.split(".")[0] == "kata" and module])
try:
    import kata.model
except ImportError:
    print("refused")
"""


@pytest.mark.parametrize(
    "more", ["", "import kata.judge, kata.verify, kata.export.canvas, kata.screen, kata.commands.grade"]
)
def test_no_module_of_ours_is_left_for_an_answer(more: str) -> None:
    line = [sys.executable, "-c", HIDE.format(more=more)]
    done = subprocess.run(line, env=start.environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\nrefused\n"), done.stderr
