"""The results of finished games, and the ratings that follow from them.

A rating is stored with the game after which it holds, so a player's rating is that of the latest rated game. It depends
on earlier games only, in the order of their ends. Whoever stores a result rates every game from the first unrated one
on: however many processes do so at the same time, and whenever one of them fails, the same numbers come out.
"""

from __future__ import annotations

from typing import Any

import msgspec

from registan.server.logs import log
from registan.server.storage.store import Store
from registan.server.storage.summary import DELETED, summaries
from registan.tables import events as e
from registan.tables.ratings import Rating, rated, shared
from registan.tables.results import Result, counts, results_of
from registan.tables.table import Table, replay

UNKNOWN = (
    "SELECT id FROM tables WHERE status = 'over' AND NOT EXISTS (SELECT 1 FROM results WHERE table_id = id) ORDER BY id"
)
AFTER = "(ended > $2 OR (ended = $2 AND table_id >= $3))"
BEFORE = "(ended < $2 OR (ended = $2 AND table_id < $3))"


class Played(msgspec.Struct):
    """A finished game of a person: one row of the results."""

    table: str
    game: str
    ended: int
    seat: int
    place: int
    points: int
    share: float
    players: int
    rated: bool
    rating: Rating | None


class Results:
    """The results of all finished games of a house, in its store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def keep(self, table: Table) -> None:
        """Store the results of a finished game, and rate it if it counts."""
        made = table.created
        rows = results_of(table)
        for row in rows:
            await self._store.execute(
                "INSERT INTO results VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, NULL)"
                " ON CONFLICT (table_id, seat) DO UPDATE SET who = excluded.who, place = excluded.place,"
                " points = excluded.points, share = excluded.share, mean = NULL, spread = NULL",
                made.table, row.seat, row.who, row.level, made.game, table.ended_at, row.place, row.points, row.share,
                int(counts(table)),
            )  # fmt: skip
        await self._store.execute(
            "DELETE FROM results WHERE table_id = $1 AND EXISTS (SELECT 1 FROM tables WHERE id = $1 AND status = $2)",
            made.table, DELETED,
        )  # fmt: skip
        if rows and counts(table):
            await self.rate(made.game)

    async def fill(self) -> None:
        """Store the results of games that were finished before there were results."""
        for (table,) in await self._store.fetch(UNKNOWN):
            try:
                await self.keep(replay([e.loads(data) for data in await self._store.log(table)]))
            except Exception as error:  # a version that we do not have, or a damaged log
                log.warning("a finished game has no results", table=table, why=repr(error))

    async def rate(self, game: str) -> None:
        """Rate the games of a kind, from the first unrated one on."""
        first = await self._store.fetch(
            "SELECT ended, table_id FROM results WHERE game = $1 AND rated = 1 AND mean IS NULL"
            " ORDER BY ended, table_id LIMIT 1",
            game,
        )
        if not first:
            return
        tables = await self._store.fetch(
            f"SELECT DISTINCT ended, table_id FROM results WHERE game = $1 AND rated = 1 AND {AFTER}"
            " ORDER BY ended, table_id",
            game, *first[0],
        )  # fmt: skip
        for ended, table in tables:
            await self._rate(game, ended, table)

    async def _rate(self, game: str, ended: int, table: str) -> None:
        rows = await self._store.fetch(
            "SELECT seat, who, level, place FROM results WHERE table_id = $1 ORDER BY seat", table
        )
        before = [await self._before(game, ended, table, who, level) for _, who, level, _ in rows]
        after = rated(before, [row[3] for row in rows], [bool(row[1]) for row in rows])
        for seat, who, level, _ in rows:
            same = [rating for rating, row in zip(after, rows) if (row[1], row[2]) == (who, level)]
            mean, spread = shared(same)
            await self._store.execute(
                "UPDATE results SET mean = $3, spread = $4 WHERE table_id = $1 AND seat = $2", table, seat, mean, spread
            )

    async def _before(self, game: str, ended: int, table: str, who: str, level: str) -> Rating:
        rows = await self._store.fetch(
            f"SELECT mean, spread FROM results WHERE game = $1 AND rated = 1 AND {BEFORE} AND who = $4 AND level = $5"
            " AND mean IS NOT NULL ORDER BY ended DESC, table_id DESC LIMIT 1",
            game, ended, table, who, level,
        )  # fmt: skip
        return Rating(*rows[0]) if rows else Rating()

    # Reading.

    async def of(self, who: str) -> list[Played]:
        """Return all finished games of a person, the latest first.

        A game whose end the person must not know yet is not among them, and no rating tells of it.
        """
        rows = await self._store.fetch(
            "SELECT table_id, game, ended, seat, place, points, share,"
            " (SELECT count(*) FROM results other WHERE other.table_id = mine.table_id), rated, mean, spread"
            " FROM results mine WHERE who = $1 ORDER BY ended DESC, table_id, seat",
            who,
        )
        games, hidden = [_played(row) for row in rows], await self._unknown(who)
        since = min((game.ended for game in games if game.table in hidden), default=None)
        for game in games:
            if since is not None and game.ended >= since:
                game.rating = None
        return [game for game in games if game.table not in hidden]

    async def _unknown(self, who: str) -> set[str]:
        """Return the tables where a person is asked quietly after the end, which is therefore still unknown there."""
        sql = "SELECT card, id FROM people JOIN tables ON id = table_id WHERE who = $1 AND status = 'ending'"
        return {one.table for one in summaries(await self._store.fetch(sql, who)) if who in one.quiet}

    async def seats(self, table: str) -> list[Result]:
        """Return the results of all seats at a table."""
        rows = await self._store.fetch(
            "SELECT seat, who, level, place, points, share FROM results WHERE table_id = $1 ORDER BY seat", table
        )
        return [Result(*row) for row in rows]

    async def opponents(self, who: str) -> list[tuple[str, str]]:
        """Return at which tables a person had which opponents: the level of a bot, "" for people."""
        rows = await self._store.fetch(
            "SELECT DISTINCT mine.table_id, other.level FROM results mine JOIN results other"
            " ON other.table_id = mine.table_id AND other.who <> $1 WHERE mine.who = $1",
            who,
        )
        return [(table, level) for table, level in rows]

    async def bots(self, who: str) -> list[tuple[str, str, Rating, int]]:
        """Return the rating of each level of bots by game, and in how many rated games it played, for a person.

        Nothing while there is a game whose end the person must not know yet.
        """
        if await self._unknown(who):
            return []
        rows = await self._store.fetch(
            "SELECT game, level, count(DISTINCT table_id) FROM results WHERE rated = 1 AND who = ''"
            " AND mean IS NOT NULL GROUP BY game, level ORDER BY game, level"
        )
        return [(game, level, await self._before(game, 1 << 62, "", "", level), count) for game, level, count in rows]


def _rating(mean: Any, spread: Any) -> Rating | None:
    return None if mean is None else Rating(mean, spread)


def _played(row: Any) -> Played:
    table, game, ended, seat, place, points, share, players, counted, mean, spread = row
    return Played(table, game, ended, seat, place, points, share, players, bool(counted), _rating(mean, spread))
