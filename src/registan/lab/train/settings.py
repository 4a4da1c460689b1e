"""How a game is learned: what can be set, and what `net.py` of a game sets."""

from __future__ import annotations

from dataclasses import dataclass, replace

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.core.game import Game


@dataclass(frozen=True)
class Settings:
    """The parameters of a training run; docs/learning.md has the measurements."""

    first: int = policies.FIRST
    second: int = policies.SECOND
    value_first: int = nets.FIRST
    value_second: int = nets.SECOND
    """How wide the layers of both nets are: a search asks the second one for every seat in every simulation."""
    samples: int = 65536
    """Samples that a round of self-play makes, at most."""
    passes: int = 2
    """How often the net that chooses learns from a sample."""
    batch: int = 512
    rate: float = 2e-3
    """The step size of the net that chooses at the start; it falls to `rate_end`."""
    rate_end: float = 5e-5
    clip: float = 0.2
    """How far the odds of an action may move in a round, as a share."""
    variety: float = 0.01
    """How much it counts at the start that choices vary; that falls to `variety_end`."""
    variety_end: float = 0.002
    average: float = 1e-2
    """The share of the newest weights in the average that plays."""
    value_share: float = 0.25
    """The share of the decisions that the net that judges learns from, besides quiet positions."""
    value_batch: int = 256
    value_rate: float = 3e-4
    """Its step size at the start; it falls to a tenth."""
    value_decay: float = 1e-2
    value_average: float = 2e-3
    lamda: float = 0.97
    margin: float = 0.3
    look: float = 0.1
    """The share of quiet positions that the net that judges learns from."""
    alone: float = 0.5
    """The share of games in which all seats learn."""
    greedy: float = 0.2
    tuned: float = 0.15
    """The shares of games against bots that play at a glance; in the rest, earlier nets sit beside the learner."""
    past: int = 6
    """How many earlier nets are kept to play against."""
    inputs: int = 220
    choices: int = 8
    """Room for inputs that are not 0 and for actions, on average."""
    usual: float = 0.75
    """The share of games with `players` players; the other numbers of players share the rest."""
    players: int = 4


def settings_of(game: Game) -> Settings:
    """Return how a game is learned, with what its `net.py` sets."""
    found = replace(Settings(), players=min(4, game.players[-1]))
    return replace(found, **getattr(game.part("net"), "TRAIN", {}))
