"""A run in parts that can be played anywhere, with all that is to be kept of them: results, records, decisions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from registan.bots import find_bot
from registan.core.match import Match
from registan.core.record import dumps
from registan.lab.order import Order
from registan.lab.policies import KINDS
from registan.lab.simulate import CHUNK, Results, Run, chunk, one, outcome
from registan.lab.workers import HERE, in_order, spread

STEP_BY_STEP = 10
"""Games in a part when quick bots play move by move."""
FAR = 8
"""Games of thinking bots in a part that is sent to another machine."""

DECISION = {"game": int, "number": int, "seat": int, "action": int, "move": str, "legal": int}
"""The columns of a decision: of which game, its number in it, who, the action's number, the move as JSON and how many
moves were legal."""


@dataclass(frozen=True)
class Part:
    """Some games of a run, and what is to be kept of them besides the results."""

    order: Order
    bots: tuple[str, ...]
    first: int
    games: int
    threads: int = 1
    record: bool = False
    legal: bool = False
    states: bool = False
    decisions: bool = False


@dataclass
class Done:
    """What came of a part."""

    results: Results
    records: list[bytes] = field(default_factory=list)
    decisions: list[tuple[Any, ...]] = field(default_factory=list)


def play_part(part: Part) -> Done:
    """Play the games of a part."""
    game, box, options = part.order.find()
    bots = [find_bot(name) for name in part.bots]
    order = part.order
    run = Run(game, box, order.players, options, bots, part.first + part.games, order.seed, order.first)
    if not (part.record or part.decisions):
        return Done(chunk(run, part.first, part.games, part.threads))
    played: list[Match] = []
    done = Done(None)  # type: ignore[arg-type]
    for number in range(part.first, part.first + part.games):

        def watch(match: Match, seat: int, action: int, number: int = number) -> None:
            move = json.dumps(game.moves.write(box, match.state, seat, action), ensure_ascii=False)
            legal = len(match.actions(seat))
            done.decisions.append((number, match.moves_played, seat, action, move, legal))

        match = one(run, number, watch=watch if part.decisions else None)
        played.append(match)
        if part.record:
            extra: dict[str, Any] = {"seed": run.seed, "number": number, "bots": list(part.bots)}
            done.records.append(dumps(match.record(part.legal, part.states, **extra)) + b"\n")
    done.results = outcome(run, played)
    return done


def play_parts(whole: Part, workers: int = 1, on: str = HERE) -> Iterator[Done]:
    """Play all games of a part in smaller ones, and yield what comes of them in order."""
    quick = all(name in KINDS for name in whole.bots)
    size = FAR if on != HERE else 1
    if quick:
        size = STEP_BY_STEP if whole.record or whole.decisions else CHUNK
        if size == CHUNK and on == HERE:
            # Compiled games hold no lock: threads serve, and start at once.
            whole, workers = replace(whole, threads=workers), 1
    starts = range(whole.first, whole.first + whole.games, size)
    parts = [replace(whole, first=i, games=min(size, whole.first + whole.games - i)) for i in starts]
    yield from in_order(spread(play_part, parts, workers, on))
