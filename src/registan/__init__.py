"""Registan: play, study and script three Silk-Road games.

>>> import registan
>>> match = registan.new("khiva", players=4, seed=7)
>>> match.play(0, match.legal(0)[0])
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from registan.core.match import Match
    from registan.core.vector import Batch
    from registan.lab.standings import Standings

__version__ = "0.1.0"
__all__ = ["Batch", "__version__", "arena", "new", "replay"]


def __getattr__(name: str) -> Any:
    """Import `Batch` on first use: whoever plays one game needs none of it."""
    if name == "Batch":
        from registan.core.vector import Batch

        return Batch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def new(
    game: str,
    players: int | None = None,
    seed: int | None = None,
    box: str | Path | None = None,
    *,
    first: int | None = None,
    **options: Any,
) -> Match:
    """Start a game and return its match. The same seed deals the same game.

    Without `players`, as many play as usually do. `box` is a key or a file; `first` is the seat of the start player or
    first doyen (S4, M4), drawn by lot by default. The rules run as machine code if it is on disk already, where
    `registan warm` puts it.
    """
    from registan.core import engine
    from registan.core.box import find_box
    from registan.core.chance import Stream
    from registan.core.match import Match
    from registan.core.registry import find

    found = find(game)
    stream = None if seed is None else Stream.from_seed(seed)
    compiled = True if engine.at_hand(found) else None
    seats = found.usual if players is None else players
    return Match(found, find_box(found, box), seats, options, stream, compiled).deal(first)


def replay(record: dict[str, Any], box: str | Path | None = None) -> Match:
    """Replay a game record, checking every line; raise BadRecord where it does not fit the rules."""
    from registan.core.record import replay
    from registan.core.registry import find

    return replay(record, find, box)


def arena(
    game: str,
    bots: Sequence[str | type | object],
    players: int | None = None,
    games: int = 200,
    seed: int = 0,
    box: str | Path | None = None,
    *,
    workers: int = 1,
    **options: Any,
) -> Standings:
    """Let bots play against each other, every deal from every seat, and return the standings with their intervals.

    A bot is a name (`registan bots` lists them), a class or an object. By default there are 4 players, or as many as
    the game allows. With several workers, other processes import the bots, as `multiprocessing` does.
    """
    from registan.core.registry import find
    from registan.lab.arena import Arena, play_arena
    from registan.lab.run import make_run
    from registan.lab.standings import standings

    seats = min(4, find(game).players[-1]) if players is None else players
    contest = Arena(make_run(game, seats, bots, games, seed, box, options))
    result = standings(contest, [played for some in play_arena(contest, set(), workers) for played in some])
    assert result is not None
    return result
