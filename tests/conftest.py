"""What many tests share: a throwaway track, its grader, and one engine of real processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from kata.model import Grader
from kata.zygote.launch import Engine
from tests import tiny

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A track with one problem."""
    return tiny.write(tmp_path_factory.mktemp("track"))


@pytest.fixture(scope="session")
def grader(root: Path) -> Grader:
    """The tiny problem's grader."""
    return tiny.grader(root)


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """Processes that several tests use one after the other."""
    with Engine() as started:
        yield started
