"""What many tests share: a throwaway track, its grader, and one engine of real processes."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from kata.model import Grader
from kata.zygote.launch import Engine
from tests import tiny

torch.set_num_threads(1)
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job has its programs ignore Ctrl-C


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
