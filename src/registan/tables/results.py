"""How a finished game ended for each of its seats."""

from __future__ import annotations

from typing import NamedTuple

from registan.tables.table import Table


class Result(NamedTuple):
    """How a game ended for a seat."""

    seat: int
    who: str
    """The person's identity, empty for a bot."""
    level: str
    """The bot's level, empty for a person."""
    place: int
    """From 1; seats in the same place are tied."""
    points: int
    share: float
    """The share of the win: 1, 0, or a part of it in a tie."""


def results_of(table: Table) -> list[Result]:
    """Return the results of a game that was played to its end, otherwise none.

    Whoever has left the game, or let the time run out and not come back, has lost to everybody else, whatever the bot
    in that place has achieved.
    """
    match = table.match
    if match is None or not table.ended or not match.over or table.status == "abandoned":
        return []
    winners = match.winners()
    points = [int(score["total"]) for score in match.scores()]
    gone = [seat.kind == "person" and not seat.by_hand for seat in table.seats]
    keys = [(gone[i], i not in winners, -points[i]) for i in range(match.players)]
    return [
        Result(
            seat=i,
            who=held.who if held.kind == "person" else "",
            level=held.level,
            place=1 + sum(other < keys[i] for other in keys),
            points=points[i],
            share=1 / len(winners) if i in winners and not gone[i] else 0.0,
        )
        for i, held in enumerate(table.seats)
    ]


def counts(table: Table) -> bool:
    """Whether a game counts for ratings: the table says so, and nobody had several seats."""
    people = [seat.who for seat in table.seats if seat.kind == "person"]
    return table.created.rated and len(people) == len(set(people))
