"""The extrapolation experiment: its task, its encodings and its picture, without the minutes of a whole run."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch

from kata import track
from kata.export.png import png
from kata.lab.decoder import HEADS, Decoder
from kata.lab.encodings import Functions, rescaled, rotate, trained
from kata.lab.experiment import Result
from kata.lab.sources import NEEDED, TRAINED
from kata.lab.task import LONGEST, accuracy, batch
from kata.zygote.events import Curve

ROOT = track.default_root()


def worked(number: int) -> Callable[..., Any]:
    problem = track.find(ROOT, str(number))
    spec = importlib.util.spec_from_file_location(f"worked_{number}", problem.answer)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = getattr(module, problem.functions[0])
    return function


@pytest.fixture(scope="module")
def functions() -> Functions:
    return {number: worked(number) for number in NEEDED}


def test_what_is_known_can_be_read_off_the_past() -> None:
    inputs, targets, known = batch(torch.Generator().manual_seed(0), 8, 40)
    assert inputs.shape == targets.shape == known.shape == (8, 40)
    assert torch.equal(inputs[:, 1:], targets[:, :-1])
    for row in range(8):
        period = int((~known[row]).sum()) + 1
        assert period <= LONGEST
        assert torch.equal(targets[row, period - 1 :], torch.cat((inputs[row, :1], targets[row]))[: 40 - period + 1])


def test_accuracy_counts_the_known_half() -> None:
    targets = torch.zeros(1, 4, dtype=torch.int64)
    known = torch.tensor([[True, True, True, False]])
    assert accuracy(torch.tensor([[1, 1, 0, 1]]), targets, known) == 1.0
    assert accuracy(torch.tensor([[0, 0, 1, 0]]), targets, known) == 0.0


def test_every_encoding_runs_and_only_a_table_ends(functions: Functions) -> None:
    torch.manual_seed(0)
    model = Decoder(TRAINED)
    ids = torch.randint(0, 16, (2, TRAINED))
    for encoding in [*trained(functions), *rescaled(functions, 4.0, TRAINED)]:
        assert model(ids, encoding).shape == (2, TRAINED, 16)
        if encoding.learned:
            with pytest.raises(IndexError):
                model(ids.repeat(1, 2), encoding)
        else:
            assert model(ids.repeat(1, 2), encoding).shape == (2, 2 * TRAINED, 16)


def test_rotation_is_that_of_problem_29(functions: Functions) -> None:
    x = torch.randn(2, HEADS, 9, 16)
    inv_freq = 10000.0 ** (-torch.arange(0, 16, 2) / 16)
    torch.testing.assert_close(rotate(x, inv_freq), functions[29](x, 10000.0), rtol=1e-4, atol=1e-5)


def test_the_future_is_hidden(functions: Functions) -> None:
    model, ids = Decoder(TRAINED), torch.randint(0, 16, (1, 20))
    changed = ids.clone()
    changed[0, 10:] = 3
    for encoding in trained(functions):
        same = model(ids, encoding)[:, :10], model(changed, encoding)[:, :10]
        torch.testing.assert_close(*same)


def test_the_picture_is_a_png() -> None:
    pytest.importorskip("matplotlib")
    curves = (Curve("RoPE", (32, 64, 128), (0.9, 0.9, 0.5)), Curve("learned", (32, 64, 128), (0.9, 0.9, None)))
    assert png(Result(64, curves, (29,), 1.0)).startswith(b"\x89PNG")


def test_the_command_stays_free_of_torch() -> None:
    code = "import sys, kata.commands.lab; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
