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
    quiet: dict[str, int] = {}
    """Who is asked quietly, and since when: they see nothing later in lists either."""
    ending: bool = False
    """Whether the game is over for everybody but somebody who is asked quietly."""

    @property
    def work(self) -> str:
        """The status by which the house knows whether there is still work to do; nobody else sees it."""
        return "ending" if self.ending else self.status


def summarize(table: Table) -> TableSummary:
    """Return the summary of a table as it is now."""
    asked = [seat.who for i, seat in enumerate(table.seats) if seat.by_hand and table.asked(i)]
    quiet = table.match.asked_quietly if table.match is not None else ()
    return TableSummary(
        table=table.created.table,
        game=table.created.game,
        status="over" if table.status == "running" and table.ended else table.status,
        listed=table.created.listed,
        touched=table.touched,
        people=sorted({seat.who for seat in table.seats if seat.who}),
        asked=asked,
        seats=[seat.name or seat.level for seat in table.seats],
        quiet={table.seats[seat].who: table.quiet_since[seat] for seat in quiet if table.seats[seat].who},
        ending=table.ended and not table.finished,
    )
