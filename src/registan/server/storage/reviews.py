"""Reviews of finished tables, stored so that the second look is immediate."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from registan.server.logs import log
from registan.server.storage.store import Store
from registan.server.storage.summary import DELETED

PHASES = 3
"""A game is divided into so many parts: beginning, middle and end."""


class KindOfMove(msgspec.Struct):
    """How the moves of one kind in one part of the game were: how many, mistakes, and the chance to win they cost."""

    do: str
    phase: int
    moves: int = 0
    mistakes: int = 0
    cost: float = 0.0


class SeatFigures(msgspec.Struct):
    """What is kept of a review for the page of whoever had the seat."""

    accuracy: float | None
    decisions: int
    kinds: list[KindOfMove]


def figures_of(review: dict[str, Any], lines: int) -> list[SeatFigures]:
    """Return the figures of each seat, by kind of move and part of the game; `lines` is the length of the record."""
    found = []
    for seat in review["seats"]:
        kinds: dict[tuple[str, int], KindOfMove] = {}
        for row in review["decisions"]:
            if row["seat"] == seat["seat"]:
                key = str(row["played"].get("do", "")), min(PHASES - 1, PHASES * row["line"] // max(1, lines))
                kind = kinds.setdefault(key, KindOfMove(*key))
                kind.moves += 1
                kind.mistakes += bool(row["mistake"])
                kind.cost += max(0.0, row["cost"]["value"]) if row["mistake"] else 0.0
        accuracy = seat["accuracy"]["value"] if seat["accuracy"] else None
        found.append(SeatFigures(accuracy, seat["decisions"], [kinds[key] for key in sorted(kinds)]))
    return found


class ReviewStore:
    """The reviews of a house, in its store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, table: str, review_id: str, review: dict[str, Any], lines: int) -> None:
        """Store the review of a table, unless it was deleted meanwhile."""
        await self._store.execute(
            "INSERT INTO reviews VALUES ($1, $2, $3, $4, $5) ON CONFLICT (table_id, open_hands) DO UPDATE"
            " SET id = excluded.id, data = excluded.data, figures = excluded.figures",
            table, int(review["open_hands"]), review_id, zlib.compress(msgspec.json.encode(review), 6),
            msgspec.json.encode(figures_of(review, lines)),
        )  # fmt: skip
        await self._store.execute(
            "DELETE FROM reviews WHERE table_id = $1 AND EXISTS (SELECT 1 FROM tables WHERE id = $1 AND status = $2)",
            table, DELETED,
        )  # fmt: skip

    async def get(self, review_id: str) -> dict[str, Any] | None:
        """Return a stored review."""
        for (data,) in await self._store.fetch("SELECT data FROM reviews WHERE id = $1 LIMIT 1", review_id):
            try:
                return dict(msgspec.json.decode(zlib.decompress(data)))
            except (msgspec.MsgspecError, zlib.error) as error:  # it can be computed again
                log.error("review cannot be read", why=repr(error))
        return None

    async def figures(self, who: str) -> dict[tuple[str, int], SeatFigures]:
        """Return the figures of a person's seats in reviewed games, by table and seat, as players could judge."""
        rows = await self._store.fetch(
            "SELECT reviews.table_id, results.seat, reviews.figures FROM reviews JOIN results"
            " ON results.table_id = reviews.table_id WHERE results.who = $1 AND reviews.open_hands = 0",
            who,
        )
        return {(table, seat): msgspec.json.decode(data, type=list[SeatFigures])[seat] for table, seat, data in rows}
