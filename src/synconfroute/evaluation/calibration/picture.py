"""A curve as a PNG."""

from collections.abc import Sequence
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.curve import Point


def save_picture(file: Path, points: Sequence[Point], chosen: Point, title: str) -> None:
    """Draw quality and local share over the threshold, with the chosen point.

    Raises:
        EvaluationError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise EvaluationError(
            "A picture needs matplotlib: pip install 'synconfroute[eval]'."
        ) from None
    figure = Figure(figsize=(8, 4.5), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    quality = figure.subplots()
    share = quality.twinx()
    alone = chosen.escalated_right is None
    thresholds = [point.threshold for point in points]
    heights = [(point.precision if alone else point.pass_at_1) for point in points]
    quality.plot(
        thresholds,
        [float("nan") if height is None else 100 * height for height in heights],
        color="#1b6ca8",
        linewidth=2,
    )
    share.plot(
        thresholds, [100 * point.local_share for point in points], color="#c77d2e", linestyle="--"
    )
    quality.axvline(chosen.threshold, color="#555555", linewidth=1)
    height = chosen.precision if alone else chosen.pass_at_1
    quality.plot([chosen.threshold], [100 * (height or 0.0)], "o", color="#1b6ca8")
    quality.set_xlabel("threshold")
    quality.set_ylabel("right among the kept, %" if alone else "pass@1, %", color="#1b6ca8")
    share.set_ylabel("kept locally, %", color="#c77d2e")
    share.set_ylim(0, 102)
    quality.set_xlim(0, 1)
    quality.grid(alpha=0.25)
    quality.set_title(title, fontsize=10)
    try:
        figure.savefig(file, format="png")
    except OSError as error:
        raise EvaluationError(f"{file} cannot be written: {error.strerror}.") from None
