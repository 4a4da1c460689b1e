"""Figures that compare numbers of players: one row for each count, on one scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from registan.core.messages import say
from registan.lab.course import Course, course_of
from registan.lab.estimates import Estimate, mean, share
from registan.lab.report.figures import Writer
from registan.lab.report.findings import Findings
from registan.lab.report.pictures import PERCENT, Chart, Row
from registan.lab.sample import Sample


def by_count(writer: Writer, reports: Sequence[Findings]) -> None:
    """Show how the game changes with the number of players."""
    samples: list[tuple[Findings, Sample, Course]] = []
    for found in reports:
        assert found.sample is not None
        samples.append((found, found.sample, course_of(found.sample.trace, found.sample.results)))

    def margin(sample: Sample) -> Estimate:
        ranked = -np.sort(-sample.results.scores, axis=1)
        return mean(ranked[:, 0] - ranked[:, 1])

    figures: dict[str, Callable[[Findings, Sample, Course], Estimate | None]] = {
        "first": lambda f, s, c: advantage(f),
        "margin": lambda f, s, c: margin(s),
        "length": lambda f, s, c: mean(s.results.decisions),
        "decided": lambda f, s, c: mean(100 * c.decided),
        "leads": lambda f, s, c: mean(c.lead_changes),
        "comebacks": lambda f, s, c: share(c.comeback).times(100),
        "choices": lambda f, s, c: mean(c.choices),
        "forced": lambda f, s, c: share(c.forced).times(100),
        "kings": lambda f, s, c: share(f.kings.makes.astype(float)).times(100) if f.kings else None,
    }
    for key, figure in figures.items():
        unit = PERCENT if key in ("decided", "comebacks", "forced", "kings") else ""
        if key == "first":
            unit = "\N{NO-BREAK SPACE}" + say(writer.lang, "lab.points")
        found_ = [(f.run.players, figure(f, s, c)) for f, s, c in samples]
        known = [(players, value) for players, value in found_ if value is not None]
        if not known:
            continue
        rows = [(writer.say("players", n=players), writer.interval(value, unit)) for players, value in known]
        marks = [Row(row[0], [value], [row[1]]) for row, (_, value) in zip(rows, known)]
        picture = Chart(marks, 0.0 if key == "first" else None, bars=key != "first", unit=unit)
        heads = (writer.say("counts.players"), writer.say(f"counts.{key}.title"))
        writer.add(f"counts.{key}", writer.say(f"counts.{key}.text"), picture, rows, "page", heads)


def advantage(found: Findings) -> Estimate | None:
    """Return how much more often the first player wins than par, in percentage points; None if nobody begins."""
    if found.first is None:
        return None
    wins = share(found.first.shares()[:, 0]).times(100)
    par = 100 / found.run.players
    return Estimate(wins.value - par, wins.low - par, wins.high - par)
