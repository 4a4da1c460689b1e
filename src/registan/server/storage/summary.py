"""What lists show of a table, stored beside its log."""

from __future__ import annotations

import msgspec

from registan.tables.table import Table


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
    """Those of them whose decision the table waits for."""
    seats: list[str]
    """What is shown of each seat: a name, a bot's level, or nothing for an open seat."""


def summarize(table: Table) -> TableSummary:
    """Return the summary of a table as it is now."""
    asked = [seat.who for i, seat in enumerate(table.seats) if seat.by_hand and table.asked(i)]
    return TableSummary(
        table=table.created.table,
        game=table.created.game,
        status=table.status,
        listed=table.created.listed,
        touched=table.touched,
        people=sorted({seat.who for seat in table.seats if seat.who}),
        asked=asked,
        seats=[seat.name or seat.level for seat in table.seats],
    )
