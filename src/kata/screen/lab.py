"""An experiment as it runs, and its result as coloured blocks."""

from types import TracebackType

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from kata.lab.experiment import Result
from kata.screen.console import styled
from kata.zygote.events import Curve, Step

BLOCKS = "▁▂▃▄▅▆▇█"


class LabScreen:
    """One bar for each model that is trained; plain lines without a terminal."""

    def __init__(self, console: Console) -> None:
        columns = TextColumn("{task.description:<24}"), BarColumn(), TextColumn("loss {task.fields[loss]:.3f}")
        self._progress = Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal)
        self._console, self._tasks = console, dict[str, object]()

    def __enter__(self) -> "LabScreen":
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()

    def watch(self, event: Step | Curve) -> None:
        """Moves a bar, or says that a model is measured."""
        if isinstance(event, Curve):
            if not self._console.is_terminal:
                self._console.print(f"  {event.name}: {_numbers(event)}")
            return
        if event.name not in self._tasks:
            self._tasks[event.name] = self._progress.add_task(event.name, total=1.0, loss=event.loss)
        self._progress.update(self._tasks[event.name], completed=event.share, loss=event.loss)  # type: ignore[arg-type]


def _numbers(curve: Curve) -> str:
    cells = zip(curve.lengths, curve.accuracies, strict=True)
    return ", ".join(f"{length}: {'no row' if value is None else f'{value:.2f}'}" for length, value in cells)


def result(console: Console, told: Result) -> None:
    """Accuracy by length, a row for each encoding."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("tokens")
    for length in told.curves[0].lengths:
        mark = " (trained)" if length == told.trained_length else ""
        table.add_column(f"{length}{mark}", justify="right")
    table.add_column("whose function")
    for curve in told.curves:
        whose = "" if curve.problem is None else f"yours ({curve.problem})" if curve.problem in told.own else "ours"
        table.add_row(curve.name, *map(_cell, curve.accuracies), Text(whose, "dim"))
    console.print(table)
    console.print(styled(("Share of tokens predicted rightly, of those that the text so far determines. ", "dim")))
    console.print(
        styled(
            (f"{told.seconds:.0f} s. Trained on {told.trained_length} tokens; the tuned ones briefly on more.", "dim")
        )
    )


def _cell(value: float | None) -> Text:
    if value is None:
        return Text("no row", "dim")
    style = "green" if value > 0.9 else "yellow" if value > 0.6 else "red"
    return Text(f"{value:4.2f} {BLOCKS[min(7, int(value * 8))] * 2}", style)
