"""docs/readme.py: what counts as a change of README's output."""

import importlib.util
from types import ModuleType

import pytest

from tests.real import ROOT


@pytest.fixture(scope="module")
def readme() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readme", ROOT / "docs" / "readme.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_times_sandbox_and_last_digits_are_no_change(readme: ModuleType) -> None:
    one = "passed · 26/26 points · 0.4 s · sandbox: strict   1.338512 12 ms (2.0 a second)"
    other = "passed · 26/26 points · 12.0 s · sandbox: process   1.338509 9 ms (11 a second)"
    assert readme.steady(one) == readme.steady(other)
    for changed in (one.replace("26/26", "25/26"), one.replace("1.338", "1.358"), one.replace("passed", "failed")):
        assert readme.steady(changed) != readme.steady(one)


def test_blocks_are_filled_and_kept(readme: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readme, "output", lambda command: f"said {command} in 0.3 s")
    assert readme.block("$ kata list\nold\n") == "$ kata list\nsaid kata list in 0.3 s\n"
    kept = "$ kata list\nsaid kata list in 0.9 s\n"
    assert readme.block(kept) == kept
    assert readme.block("$ kata a\n$ kata b\n").count("said kata") == 2
    assert readme.block("$ pip install\nx\n") == "$ pip install\nx\n"


def test_only_console_blocks_are_looked_at(readme: ModuleType) -> None:
    text = "```sh\n$ kata no\n```\n\n```console\n$ kata yes\nx\n```\n"
    assert [found[1] for found in readme.BLOCK.finditer(text)] == ["$ kata yes\nx\n"]


def test_an_output_is_what_the_command_prints(readme: ModuleType) -> None:
    assert readme.output("kata --version").startswith("kata, version ")
    with pytest.raises(SystemExit, match="ended with 2"):
        readme.output("kata show 9999")
