"""Adding events to logs in SQLite: alone, or those of many tables with two statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import msgspec

from registan.server.storage.store import Conflict
from registan.server.storage.summary import TableSummary

Job = Callable[[sqlite3.Connection], object]
TOGETHER = 64
"""How many appends are written by one statement, at most."""


@dataclass(slots=True, eq=False)
class Append:
    """A job that adds events to a log."""

    summary: TableSummary
    seen: int
    events: list[bytes]

    def __call__(self, db: sqlite3.Connection) -> None:
        """Add them, alone."""
        table = self.summary.table
        if self.seen:
            sql = "UPDATE tables SET seen = ?, status = ?, listed = ?, touched = ?, card = ? WHERE id = ? AND seen = ?"
            done = db.execute(sql, (*self.row, table, self.seen))
        else:
            done = db.execute("INSERT OR IGNORE INTO tables VALUES (?, ?, ?, ?, ?, ?)", (table, *self.row))
        if not done.rowcount:
            raise Conflict
        db.executemany("INSERT INTO events VALUES (?, ?, ?)", self.rows)
        if not self.goes_on:
            people = [(who, table) for who in self.summary.theirs]
            db.executemany("INSERT OR IGNORE INTO people VALUES (?, ?)", people)

    @property
    def goes_on(self) -> bool:
        """Whether the table exists and nobody can sit down there any more: nothing else is written then."""
        return self.seen > 0 and self.summary.status != "open"

    @property
    def row(self) -> tuple[Any, ...]:
        """What the table is after it, in the order of the columns after the id."""
        summary = self.summary
        encoded = msgspec.json.encode(summary)
        return self.seen + len(self.events), summary.work, summary.listed, summary.touched, encoded

    @property
    def rows(self) -> list[tuple[str, int, bytes]]:
        """The events with their numbers."""
        return [(self.summary.table, self.seen + i, data) for i, data in enumerate(self.events, 1)]


def gathered(jobs: Sequence[Job]) -> Iterator[Job]:
    """Yield jobs that do the same in the same order; appends that follow each other are one job.

    After each statement this thread waits for Python's lock, which the event loop holds while it is busy. With
    statements for every single move, moves would wait for that, and the more there are, the longer.
    """
    run: dict[str, Append] = {}
    for job in jobs:
        new = job if type(job) is Append and job.goes_on else None
        if run and (new is None or new.summary.table in run or len(run) == TOGETHER):
            yield partial(_append_all, list(run.values()))
            run = {}
        if new is None:
            yield job
        else:
            run[new.summary.table] = new
    if run:
        yield partial(_append_all, list(run.values()))


def _append_all(appends: list[Append], db: sqlite3.Connection) -> None:
    """Add events to the logs of several running tables; raise Conflict if any has other events already."""
    found = [value for new in appends for value in (new.summary.table, new.seen, *new.row)]
    if db.execute(_update_sql(len(appends)), found).rowcount != len(appends):
        raise Conflict
    rows = [row for new in appends for row in new.rows]
    for start in range(0, len(rows), TOGETHER):
        some = rows[start : start + TOGETHER]
        db.execute(_insert_sql(len(some)), [value for row in some for value in row])


@cache
def _update_sql(count: int) -> str:
    """Return the statement that updates so many tables, given their ids, how many events they have, and the rest."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * count)
    columns = ("seen", "status", "listed", "touched", "card")
    changes = ", ".join(f"{name} = new.column{i}" for i, name in enumerate(columns, 3))
    return f"UPDATE tables SET {changes} FROM (VALUES {values}) new WHERE id = new.column1 AND seen = new.column2"


@cache
def _insert_sql(count: int) -> str:
    """Return the statement that adds so many events."""
    return "INSERT INTO events VALUES " + ", ".join(["(?, ?, ?)"] * count)
