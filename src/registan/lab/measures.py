"""The figures by which two variants of a game are compared: one value per game each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from registan.core.game import Ints
from registan.core.messages import ending_reasons, listing, number, say, say_optional
from registan.lab.course import course_of, uses_of
from registan.lab.estimates import Estimate
from registan.lab.run import Run
from registan.lab.sample import Sample
from registan.lab.trace import kind_names, kind_table


@dataclass(frozen=True)
class Measure:
    """Something measured in every game."""

    key: str
    """What it is: `score`, `margin`, `forced` and so on."""
    part: str
    """Which of several: a rank, a seat, an ending, a kind of move; empty if there is one only."""
    values: Ints
    percent: bool = False
    """Whether it is a share, to be shown in per cent."""

    @property
    def name(self) -> str:
        """Its name in JSON."""
        return f"{self.key}.{self.part}" if self.part else self.key

    def label(self, lang: str, game: str) -> str:
        """Return its name for people."""
        part = self.part
        if self.key == "ending":
            part = listing(lang, ending_reasons(lang, game, int(part)) or [say(lang, "ending.number", n=part)])
        elif self.key == "use":
            part = kind_name(lang, game, part)
        return say(lang, f"lab.measure.{self.key}", part=part)

    def words(self, lang: str, value: float) -> str:
        """Return a value of it as text, grouped and in its unit."""
        shown = value * 100 if self.percent else value
        return number(lang, shown, self._digits(shown)) + ("\N{NO-BREAK SPACE}%" if self.percent else "")

    def change(self, lang: str, by: Estimate) -> str:
        """Return a difference of two values with its interval; shares differ by percentage points."""
        shown = by.times(100) if self.percent else by
        digits = self._digits(shown.value)
        nearest = min(abs(shown.low), abs(shown.high))
        while not shown.low <= 0 <= shown.high and round(nearest, digits) == 0 and digits < 6:
            digits += 1  # a clear difference does not read 0
        value, low, high = (("+" if x > 0 else "") + number(lang, x, digits) for x in vars(shown).values())
        unit = "\N{NO-BREAK SPACE}" + say(lang, "lab.points") if self.percent else ""
        return say(lang, "lab.interval", value=value + unit, low=low, high=high)

    def _digits(self, shown: float) -> int:
        return 1 if self.percent or abs(shown) >= 10 else 2


def kind_name(lang: str, game: str, kind: str) -> str:
    """Return what a kind of move is called."""
    return say_optional(lang, f"{game}.lab.kind.{kind}") or kind


def measures(run: Run, sample: Sample) -> list[Measure]:
    """Return everything that is compared, for the games of a run."""
    results, trace = sample.results, sample.trace
    course = course_of(trace, results)
    ranked = -np.sort(-results.scores, axis=1)
    won = results.shares()
    found = [Measure("rank", str(i + 1), ranked[:, i]) for i in range(run.players)]
    found += [Measure("seat_score", str(seat), results.scores[:, seat]) for seat in range(run.players)]
    found += [Measure("seat_wins", str(seat), won[:, seat], True) for seat in range(run.players)]
    if run.first_seat is not None:
        found.append(Measure("first", "", won[:, run.first_seat] - 1 / run.players, True))
    found += [
        Measure("margin", "", ranked[:, 0] - ranked[:, 1]),
        Measure("decisions", "", results.decisions),
        Measure("turns", "", course.turns),
        Measure("lead_changes", "", course.lead_changes),
        Measure("decided", "", course.decided, True),
        Measure("comeback", "", course.comeback, True),
        Measure("choices", "", course.choices),
        Measure("forced", "", course.forced, True),
    ]
    for ending in np.unique(results.over):
        found.append(Measure("ending", str(ending), (results.over == ending).astype(float), True))
    names = kind_names(run.game)
    uses = uses_of(trace, results, kind_table(run.game, run.players), len(names))
    found += [Measure("use", name, use.used) for name, use in zip(names, uses)]
    return found
