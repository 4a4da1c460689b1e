"""Two variants of a game, played with the same deals: what changes, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.core import batch, chance
from registan.core.engine import Engine
from registan.core.game import Ints
from registan.lab.estimates import Estimate, mean, share
from registan.lab.measures import Measure, measures
from registan.lab.run import Run
from registan.lab.sample import Sample

DEALS = 20
"""So many deals are laid side by side to see whether both variants get the same ones."""


@dataclass(frozen=True)
class Difference:
    """A figure in both variants, and the difference between them, paired game by game."""

    measure: Measure
    base: Estimate
    variant: Estimate
    difference: Estimate

    @property
    def clear(self) -> bool:
        """Whether chance alone would hardly explain the difference."""
        return not self.difference.low <= 0 <= self.difference.high

    def written(self) -> dict[str, Any]:
        """Return it as plain data."""
        figures = {name: getattr(self, name).written() for name in ("base", "variant", "difference")}
        return {"measure": self.measure.name, **figures, "clear": self.clear}


def compare(base: tuple[Run, Sample], variant: tuple[Run, Sample]) -> list[Difference]:
    """Return how the variant differs from the base, for all that both have.

    Game number i of both has the same seed, so the games are pairs; whatever they share drops out of the difference.
    An ending or a kind of move that occurs in one of them only counts as 0 in the other.
    """
    one, other = ({m.name: m for m in measures(*side)} for side in (base, variant))
    n = min(len(base[1].results), len(variant[1].results))
    found = []
    order = list(dict.fromkeys(m.key for m in (*one.values(), *other.values())))
    for name in sorted({**one, **other}, key=lambda name: order.index(name.partition(".")[0])):
        here = one.get(name) or other[name]
        if here.key not in ("ending", "use") and not (name in one and name in other):
            continue
        a, b = (side[name].values[:n] if name in side else np.zeros(n) for side in (one, other))
        level = share if here.percent and here.key != "first" else mean
        found.append(Difference(here, level(a), level(b), paired(a, b)))
    return found


def paired(base: Ints, variant: Ints) -> Estimate:
    """Return the mean of variant minus base, with the interval of the differences of pairs."""
    return mean(np.asarray(variant, float) - np.asarray(base, float))


def same_deals(base: Run, variant: Run) -> float:
    """Return in what share of games both variants begin with the same deal, judged by the setups of their records."""
    if base.players != variant.players:
        return 0.0
    setups = []
    for run in (base, variant):
        states = batch.blank(run.game, DEALS, run.players, dict(run.options), run.first_seat)
        for i in range(DEALS):
            chance.seed(states[i].rng, run.seed, 2 * (run.first + i))
        Engine(run.game, run.box).setup(states)
        written = [run.game.moves.write_setup(run.box, s) for s in states]
        setups.append([_without_box(setup, run.box.key) for setup in written])
    return sum(int(a == b) for a, b in zip(*setups)) / DEALS


def _without_box(setup: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a setup without the fields that only name the box."""
    return {name: value for name, value in setup.items() if value != key}
