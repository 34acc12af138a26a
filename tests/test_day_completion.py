"""Completion in real shells: commands, numbers and names of problems, files."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import day

SHELLS = ("bash", "zsh", "fish")
BASH = """
source <(kata completion bash)
COMP_WORDS=({words}); COMP_CWORD={last}; COMP_TYPE=9; COMP_LINE="{line}"; COMP_POINT=${{#COMP_LINE}}
_kata_completion kata; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = """
kata completion fish | source
complete -C "{line}"
"""


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    """A folder with a program `kata`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "kata").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kata "$@"\n')
    (folder / "kata").chmod(0o755)
    return folder


def environment(root: Path, bin: Path) -> dict[str, str]:
    """An environment in which that program is found."""
    env = day.environment(root)
    return env | {"PATH": f"{bin}:{env['PATH']}", "HOME": str(bin)}


def asked(root: Path, shell: str, *words: str) -> list[str]:
    """What click's protocol answers for a line."""
    line = " ".join(words)
    more = {"_KATA_COMPLETE": f"{shell}_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    if shell == "fish":
        more["COMP_CWORD"] = words[-1]
    done = subprocess.run(day.KATA, env=day.environment(root, **more), capture_output=True, text=True, check=False)
    return done.stdout.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_and_answers(tmp_path: Path, shell: str) -> None:
    """Every shell gets a script, and answers in its own form: numbers, names, commands, files where no problem fits."""
    root = day.two_problems(tmp_path)
    done = day.kata("completion", shell, cwd=tmp_path, root=root)
    assert done.returncode == 0 and "_KATA_COMPLETE" in done.stdout
    assert any("7" in word for word in asked(root, shell, "kata", "hint", ""))
    assert any("double_and_shift" in word for word in asked(root, shell, "kata", "grade", "dou"))
    assert any("watch" in word for word in asked(root, shell, "kata", "wa"))
    assert any("file" in word for word in asked(root, shell, "kata", "grade", "./x"))


def test_in_bash(tmp_path: Path, bin: Path) -> None:
    """The script, sourced by a real bash, completes."""
    root = day.two_problems(tmp_path)
    lines = {"kata hint ": "7", "kata show tr": "triple", "kata prog": "progress"}
    for line, wanted in lines.items():
        words = line.split(" ")
        quoted = " ".join(f'"{word}"' for word in words)
        script = BASH.format(words=quoted, last=len(words) - 1, line=line)
        env = environment(root, bin)
        done = subprocess.run(["bash", "-c", script], env=env, capture_output=True, text=True, check=False)
        assert wanted in done.stdout.split(), done.stderr


def test_in_fish(tmp_path: Path, bin: Path) -> None:
    """The script is one that a real fish completes with, where there is a fish; its protocol is proven above."""
    if (fish := shutil.which("fish")) is None:
        return
    root = day.two_problems(tmp_path)
    env = environment(root, bin)
    script = FISH.format(line="kata show tr")
    done = subprocess.run([fish, "--no-config", "-c", script], env=env, capture_output=True, text=True, check=False)
    assert "triple" in done.stdout, done.stderr


def test_in_zsh(tmp_path: Path, bin: Path) -> None:
    """The script is one that a real zsh takes without complaint, where there is a zsh."""
    if (zsh := shutil.which("zsh")) is None:
        return
    root = day.two_problems(tmp_path)
    script = 'autoload -U compinit; compinit -u -D; eval "$(kata completion zsh)"; print $_comps[kata]'
    done = subprocess.run(
        [zsh, "-f", "-c", script], env=environment(root, bin), capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "_kata_completion", done.stderr
