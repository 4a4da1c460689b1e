"""How a game is learned: what can be set, and what `net.py` of a game sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from registan.bots.net import FIRST, SECOND
from registan.core.game import Game


@dataclass(frozen=True)
class Settings:
    """The parameters of a training run; docs/learning.md has the measurements."""

    first: int = FIRST
    second: int = SECOND
    samples: int = 32768
    """Samples that a round of self-play makes."""
    passes: float = 1.5
    """How often a sample is learned from, on average."""
    batch: int = 256
    rate: float = 1e-3
    """The step size at the start; it falls to `rate_end`."""
    rate_end: float = 1e-4
    decay: float = 1e-2
    average: float = 2e-3
    """The share of the newest weights in the average that plays."""
    watch: float = 0.08
    """The share of the run that learns from games at a glance, with the tuned eye, before self-play."""
    stray: float = 0.15
    """The share of the decisions in these games that are not what looks best, but mostly something good."""
    sparse: float = 0.05
    """The share of their positions that are kept: how many games there are counts for more."""
    heat: float = 0.03
    heat_end: float = 0.01
    lamda: float = 0.85
    margin: float = 0.3
    keep: float = 1.0
    look: float = 1.0
    """The share of quiet positions that the net of the search learns from."""
    value_first: int = 128
    value_second: int = SECOND
    """How wide the layers of that net are: a search asks it for every seat in every simulation."""
    guesses: int = 2
    """In how many worlds an action that reveals something is tried."""
    closer: int = 24
    """How many actions the net looks at."""
    alone: float = 0.4
    """The share of games in which all seats learn."""
    greedy: float = 0.35
    """The share of games against greedy bots; in the rest, earlier nets sit beside the learner."""
    past: int = 6
    """How many earlier nets are kept to play against."""
    inputs: int = 220
    """Room for inputs that are not 0, on average."""
    frozen: bool = False
    """Whether the net that chooses stays as it is, and only the one that judges positions learns."""
    usual: float = 0.5
    """The share of games with `players` players; the other numbers of players share the rest."""
    players: int = 4


def settings_of(game: Game) -> Settings:
    """Return how a game is learned, with what its `net.py` sets."""
    found = replace(Settings(), players=min(4, game.players[-1]))
    return replace(found, **getattr(game.part("net"), "TRAIN", {}))
