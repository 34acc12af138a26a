"""Curves of an experiment as a PNG; matplotlib comes with the extra `plot`."""

import io

from kata.errors import KataError
from kata.lab.experiment import Result


def png(told: Result) -> bytes:
    """Accuracy over length, one line an encoding; raises KataError where matplotlib is missing."""
    try:
        from matplotlib import colormaps
        from matplotlib.figure import Figure
    except ImportError:
        raise KataError("A PNG needs matplotlib: pip install 'torch-kata[plot]'") from None
    figure = Figure(figsize=(8, 5), dpi=120, layout="tight")
    axes = figure.subplots()
    axes.set_prop_cycle(color=[colormaps["tab20"](index) for index in range(20)])
    for curve in told.curves:
        points = [(x, y) for x, y in zip(curve.lengths, curve.accuracies, strict=True) if y is not None]
        axes.plot(
            *zip(*points, strict=True), marker="o", linestyle="--" if "tuned" in curve.name else "-", label=curve.name
        )
    axes.axvline(told.trained_length, color="grey", linewidth=1)
    axes.set(xscale="log", xlabel="tokens", ylabel="share predicted rightly", ylim=(0, 1.02))
    axes.set_xticks(told.curves[0].lengths, [str(length) for length in told.curves[0].lengths])
    axes.minorticks_off()
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    written = io.BytesIO()
    figure.savefig(written, format="png")
    return written.getvalue()
