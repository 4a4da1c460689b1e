"""The notices that are still to be delivered, in the store, so that they survive a restart."""

from __future__ import annotations

import msgspec

from registan.server.storage.store import Store


class Notice(msgspec.Struct):
    """It is a person's turn: which turn of which seat, and how far the delivery has got."""

    table: str
    seat: int
    turn: int
    who: str
    tries: int
    left: list[str] | None
    """The addresses where it must still arrive; None before the first attempt."""


class NoticeQueue:
    """The notices of a house, at most one per seat."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, notice: Notice, due: int | None) -> None:
        """Add a notice unless its turn has one; without a time the turn's notice counts as delivered."""
        newer = "<" if due is not None else "<="
        await self._store.execute(
            "INSERT INTO notices VALUES ($1, $2, $3, $4, $5, 0, NULL)"
            " ON CONFLICT (table_id, seat) DO UPDATE SET turn = excluded.turn, who = excluded.who,"
            f" due = excluded.due, tries = 0, rest = NULL WHERE notices.turn {newer} excluded.turn",
            notice.table, notice.seat, notice.turn, notice.who, due,
        )  # fmt: skip

    async def due(self, at: int, most: int) -> list[Notice]:
        """Return up to `most` notices that are due."""
        rows = await self._store.fetch(
            "SELECT table_id, seat, turn, who, tries, rest FROM notices WHERE due <= $1 ORDER BY due LIMIT $2", at, most
        )
        return [Notice(row[0], row[1], row[2], row[3], row[4], _left(row[5]) if row[5] else None) for row in rows]

    async def next_due(self) -> int | None:
        """Return when the next notice is due."""
        rows = await self._store.fetch("SELECT min(due) FROM notices WHERE due IS NOT NULL")
        return rows[0][0] if rows else None

    async def take(self, notice: Notice, at: int, again: int) -> bool:
        """Reserve a notice for this process until `again`; False if another process was faster."""
        changed = await self._store.execute(
            "UPDATE notices SET due = $5, tries = tries + 1 WHERE table_id = $1 AND seat = $2 AND turn = $3"
            " AND due <= $4",
            notice.table, notice.seat, notice.turn, at, again,
        )  # fmt: skip
        return changed == 1

    async def settle(self, notice: Notice, due: int | None, left: list[str] | None, tries: int) -> None:
        """Store the outcome of an attempt: when to try again (None for never), and at which addresses."""
        await self._store.execute(
            "UPDATE notices SET due = $4, rest = $5, tries = $6 WHERE table_id = $1 AND seat = $2 AND turn = $3",
            notice.table, notice.seat, notice.turn, due, msgspec.json.encode(left) if left else None, tries,
        )  # fmt: skip


def _left(data: bytes) -> list[str] | None:
    """Return the addresses where a notice must still arrive; all of them if what is stored is damaged."""
    try:
        return msgspec.json.decode(data, type=list[str])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
