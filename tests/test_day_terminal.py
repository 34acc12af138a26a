"""A learner's first day in a real terminal: init → grade → hint → edit → watch → pass → solution → quiz → next."""

import sys
from pathlib import Path

from tests import day
from tests.terminal import Terminal, agrees

PROMPT = "$ "
NAME = "07_double_and_shift.py"


class Shell(Terminal):
    """A shell in which `kata` is a command."""

    def __init__(self, folder: Path, root: Path) -> None:
        bin = folder / "bin"
        bin.mkdir()
        (bin / "kata").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kata "$@"\n')
        (bin / "kata").chmod(0o755)
        env = day.environment(root)
        env |= {"PATH": f"{bin}:{env['PATH']}", "PS1": PROMPT, "HISTFILE": "", "BASH_SILENCE_DEPRECATION_WARNING": "1"}
        self._count = 0
        super().__init__(["bash", "--norc", "--noprofile", "--noediting"], folder, env)
        self.wait(lambda text: text.endswith(PROMPT.rstrip()))

    def run(self, line: str) -> str:
        """Runs one command on a clean screen, and returns what it shows."""
        self._count += 1
        done = f"(done {self._count})"
        self.send(f"clear; {line}; echo '{done}'\n")
        return self.wait(lambda text: text.endswith(f"{done}\n$")).removesuffix(f"{done}\n$").rstrip("\n")


def watched(shell: Shell, words: str) -> str:
    """What a watch shows once these words are there, down to its keys."""
    return shell.wait(lambda text: words in text and text.endswith("q quit"))


def test_the_first_day(tmp_path: Path) -> None:
    """Every screen is one that was read line by line."""
    root = day.two_problems(tmp_path / "track")
    (tmp_path / "wrong.py").write_text(day.MINUS)
    (tmp_path / "right.py").write_text(day.RIGHT)
    (tmp_path / "crash.py").write_text(day.RIGHT.replace("2 * x", "x.twice()"))
    (tmp_path / "broken.py").write_text(day.RIGHT.replace("2 * x", "2 *+* x"))
    with Shell(tmp_path, root) as shell:
        agrees("01_outside", shell.run("kata hint 7; kata grade 7"))
        agrees("02_init", shell.run("kata init mine"))
        agrees("03_list", shell.run("cd mine; kata list"))
        agrees("04_show", shell.run("kata show double"))
        agrees("05_stub", shell.run("kata grade 7"))
        shell.run(f"cp ../wrong.py problems/{NAME}")
        agrees("06_wrong", shell.run("kata grade 7"))
        agrees("07_hint", shell.run("kata hint 7"))
        agrees("08_hints", shell.run("kata hint 7; kata hint 7; kata hint 7; kata hint 7; kata hint 7 --again"))
        agrees("09_too_early", shell.run("kata solution 7; kata diff 7"))
        shell.send("clear; kata watch 7\n")
        agrees("10_watch", watched(shell, "7 · Double"))
        shell.send("h")
        agrees("11_watch_hint", watched(shell, "There is no further hint"))
        (tmp_path / "right.py").replace(tmp_path / "mine" / "problems" / NAME)
        agrees("12_watch_pass", watched(shell, "a worked answer"))
        shell.send("a")
        agrees("13_watch_answer", watched(shell, "kata quiz 7"))
        shell.send("n")
        agrees("14_watch_next", watched(shell, "8 · Triple"))
        shell.send("q")
        shell.wait(lambda text: text.endswith("\n$"))
        agrees("15_solution", shell.run("kata solution 7"))
        agrees("16_diff", shell.run("kata diff 7"))
        shell.send("clear; kata quiz 7 --seed 1\n")
        shell.shows("Your answer")
        shell.send("a\n")
        agrees("17_quiz", shell.wait(lambda text: "right" in text and text.endswith("\n$")).removesuffix("\n$"))
        agrees("18_next", shell.run("kata next"))
        agrees("19_progress", shell.run("kata list; kata progress"))
        agrees("20_reset", shell.run("kata reset 7; kata reset 7 --restore; kata update"))
        agrees("22_pass", shell.run("kata grade 7; kata hint 7"))
        shell.run(f"cp ../crash.py problems/{NAME}")
        agrees("23_crash", shell.run("kata grade 7"))
        shell.run(f"cp ../broken.py problems/{NAME}")
        agrees("24_broken", shell.run("kata grade 7"))
        agrees("25_all", shell.run("kata grade --all"))
        agrees("21_names", shell.run("kata show doubel; kata show t; kata show 99; kata grad 7"))
