"""What lists show of a table, stored beside its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from registan.server.logs import log
from registan.tables import events as e
from registan.tables.table import Table, replay

DELETED = "deleted"
"""The status of what is left of a table that was deleted."""
PARTS = ("events", "snapshots", "saves", "notices", "switches", "people", "results", "reviews")
"""Where a database has parts of a table, by `table_id`: all of them go when it is deleted."""


class TableSummary(msgspec.Struct):
    """A table in a list. It is shown only if the table is public, or to the people who sit there."""

    table: str
    game: str
    status: str
    listed: bool
    touched: int
    people: list[str]
    """Who sits there."""
    asked: list[str]
    """Those of them whose decision the table waits for, or whose contribution to the deal."""
    seats: list[str]
    """What is shown of each seat: a name, a bot's level, or nothing for an open seat."""
    quiet: dict[str, int] = {}
    """Who is asked quietly, and since when: they see nothing later in lists either."""
    ending: bool = False
    """Whether the game is over for everybody but somebody who is asked quietly."""
    host: str = ""
    """Who created it."""
    rated: bool = False
    """Whether it counts for ratings."""

    @property
    def theirs(self) -> set[str]:
        """The people in whose lists the table is."""
        return {who for who in (*self.people, self.host) if who}

    @property
    def work(self) -> str:
        """The status by which the house knows whether there is still work to do; nobody else sees it."""
        return "ending" if self.ending else self.status


_decode = msgspec.json.Decoder(TableSummary).decode


def summaries(rows: Iterable[Sequence[Any]]) -> list[TableSummary]:
    """Return stored summaries from rows of a summary and the id of its table.

    One that is damaged is left out, so that it hides nobody else's table. The next event replaces it.
    """
    found = []
    for data, table in rows:
        try:
            found.append(_decode(data))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            _report(table, repr(error))
    return found


@lru_cache(maxsize=1000)
def _report(table: str, why: str) -> None:
    """Log a damaged summary, once."""
    log.error("summary cannot be read", table=table, why=why)


def recovered(table: str, data: bytes, events: list[bytes]) -> TableSummary | None:
    """Return a stored summary, made again from the log if it is damaged; None if that cannot be read either."""
    for summary in summaries([(data, table)]):
        return summary
    try:
        return summarize(replay([e.loads(event) for event in events]))
    except Exception as error:
        log.error("table cannot be read", table=table, why=repr(error))
        return None


def tombstone(summary: TableSummary) -> TableSummary:
    """Return what stays of a table that was deleted: its id, so that links to it say so, and nothing of its people."""
    return TableSummary(
        table=summary.table, game=summary.game, status=DELETED, listed=False, touched=summary.touched,
        people=[], asked=[], seats=[],
    )  # fmt: skip


def summarize(table: Table) -> TableSummary:
    """Return the summary of a table as it is now."""
    asked, ended = {*table.all_asked, *table.awaited}, table.ended
    quiet = table.match.asked_quietly if table.match is not None else ()
    return TableSummary(
        table=table.created.table,
        game=table.created.game,
        status="over" if table.status == "running" and ended else table.status,
        listed=table.created.listed,
        touched=table.touched,
        people=sorted({seat.who for seat in table.seats if seat.who}),
        asked=[seat.who for i, seat in enumerate(table.seats) if seat.by_hand and i in asked],
        seats=[seat.name or seat.level for seat in table.seats],
        quiet={table.seats[seat].who: table.quiet_since[seat] for seat in quiet if table.seats[seat].who},
        ending=ended and not table.finished,
        host=table.created.host,
        rated=table.created.rated,
    )
