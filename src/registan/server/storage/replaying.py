"""Replaying a whole database with the present code, to see what would differ from what is stored."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from registan.core.errors import BadInput, RegistanError
from registan.core.match import Written
from registan.server.storage.reading import Reader
from registan.server.storage.summary import DELETED, TableSummary, summarize
from registan.tables import events as e
from registan.tables import save
from registan.tables.snapshot import Snapshot
from registan.tables.table import Table

LONGEST = 200
"""Characters of a line that are quoted."""


class Stored(msgspec.Struct):
    """All that a database holds of a table. A save or snapshot comes with the number of events that it covers."""

    table: str
    seen: int
    summary: bytes
    events: list[bytes]
    snapshot: tuple[int, bytes] | None = None
    save: tuple[int, bytes] | None = None


class Result(msgspec.Struct):
    """What became of a table: ok, differs or unreadable; the event with which that begins; and why."""

    table: str
    game: str = ""
    version: int = 0
    result: str = "ok"
    event: int | None = None
    why: RegistanError | None = None


async def table_ids(reader: Reader) -> list[str]:
    """Return the ids of all tables that were not deleted."""
    return [row[0] for row in await reader.fetch("SELECT id FROM tables WHERE status <> $1 ORDER BY id", DELETED)]


async def stored_tables(reader: Reader, ids: list[str]) -> AsyncIterator[Stored]:
    """Yield what is stored of each table; a database of an older version has no saves."""
    for table in ids:
        [(seen, summary)] = await reader.fetch("SELECT seen, card FROM tables WHERE id = $1", table)
        events = await reader.fetch("SELECT data FROM events WHERE table_id = $1 ORDER BY seq", table)
        more: dict[str, Any] = {}
        for name in {"snapshots", "saves"} & reader.names:
            rows = await reader.fetch(f"SELECT seen, data FROM {name} WHERE table_id = $1", table)
            more[name.removesuffix("s")] = tuple(rows[0]) if rows else None
        yield Stored(table, seen, summary, [row[0] for row in events], **more)


class _Differs(Exception):
    """A difference, and the event with which it begins."""

    def __init__(self, event: int, key: str, **values: object) -> None:
        self.event, self.why = event, BadInput(key, **values)


def check(stored: Stored) -> Result:
    """Replay a table event by event, and compare it with its save, its snapshot and its summary."""
    result = Result(stored.table)
    try:
        _replay(stored, result)
    except _Differs as found:
        result.result, result.event, result.why = "differs", found.event, found.why
    return result


def _replay(stored: Stored, result: Result) -> None:
    table: Table | None = None
    made_by = _Origins()
    for number, data in enumerate(stored.events, 1):
        result.result, result.event = "unreadable", number
        try:
            event = e.loads(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            result.why = BadInput("house.check.fault", why=error)
            return
        try:
            if table is None:
                if not isinstance(event, e.Created):
                    result.why = BadInput("house.check.fault", why=type(event).__name__)
                    return
                result.game, result.version = event.game, event.version
                table = Table(event)
            table.add(event)
        except RegistanError as error:
            # A table that does not even begin is of a version that we do not have.
            result.result, result.why = "unreadable" if number == 1 else "differs", error
            return
        except Exception as error:  # whatever the rules do with a log that is not theirs
            result.result, result.why = "differs", BadInput("house.check.fault", why=repr(error))
            return
        if table.match is not None:
            made_by.note(number, table.match.written)
        if stored.save is not None and stored.save[0] == number:
            _compare_save(table, stored.save[1], made_by)
        if stored.snapshot is not None and stored.snapshot[0] == number:
            _compare_snapshot(table, stored.snapshot[1], made_by)
    if table is None or len(stored.events) != stored.seen:
        result.result, result.event = "unreadable", len(stored.events)
        result.why = BadInput("house.check.events", n=len(stored.events), seen=stored.seen)
        return
    result.result, result.event = "ok", None
    _compare_summary(table, stored)


class _Origins:
    """Which event wrote each line of the record that has not been taken back."""

    def __init__(self) -> None:
        self._lines: list[tuple[Written, int]] = []

    def note(self, event: int, written: list[Written]) -> None:
        """Note the lines as they are after an event."""
        del self._lines[len(written) :]
        while self._lines and self._lines[-1][0] is not written[len(self._lines) - 1]:
            self._lines.pop()
        self._lines += [(line, event) for line in written[len(self._lines) :]]

    def of(self, line: int, otherwise: int) -> int:
        """Return the event of a line."""
        return self._lines[line][1] if line < len(self._lines) else otherwise


def _compare_save(table: Table, data: bytes, made_by: _Origins) -> None:
    kept = save.opened(data)
    if kept is None:  # the house replays the log instead
        return
    if kept.status != table.status:
        raise _Differs(table.seq, "house.check.field", field="status", stored=kept.status, now=table.status)
    if kept.match is not None and table.match is not None:
        lines = [(written.line, written.after.tobytes()) for written in kept.match.written]
        _compare_lines(table, lines, made_by)
        if kept.match.state.tobytes() != table.match.state.tobytes():
            raise _Differs(table.seq, "house.check.state", line=len(lines))


def _compare_snapshot(table: Table, data: bytes, made_by: _Origins) -> None:
    try:
        made = msgspec.msgpack.decode(zlib.decompress(data), type=Snapshot)
    except (msgspec.MsgspecError, zlib.error) as error:
        raise _Differs(table.seq, "house.check.fault", why=error) from None
    _compare_lines(table, list(zip(made.lines, made.states[1:])), made_by)


def _compare_lines(table: Table, lines: list[tuple[Any, bytes]], made_by: _Origins) -> None:
    written = table.playing.written
    for i in range(max(len(lines), len(written))):
        stored = _text(lines[i][0]) if i < len(lines) else "–"
        now = _text(written[i].line) if i < len(written) else "–"
        if stored != now:
            raise _Differs(made_by.of(i, table.seq), "house.check.line", line=i + 1, stored=stored, now=now)
        if lines[i][1] != written[i].after.tobytes():
            raise _Differs(made_by.of(i, table.seq), "house.check.state", line=i + 1)


def _text(value: Any) -> str:
    text = msgspec.json.encode(value, order="deterministic").decode()
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _compare_summary(table: Table, stored: Stored) -> None:
    try:
        old = msgspec.json.decode(stored.summary, type=TableSummary)
    except msgspec.MsgspecError as error:
        raise _Differs(table.seq, "house.check.fault", why=error) from None
    new = summarize(table)
    for field in ("status", "asked", "seats"):
        before, now = getattr(old, field), getattr(new, field)
        if before != now:
            # People are secret identities, and names are their own: only a status is quoted.
            quoted = (before, now) if field == "status" else (len(before), len(now))
            raise _Differs(table.seq, "house.check.field", field=field, stored=quoted[0], now=quoted[1])
