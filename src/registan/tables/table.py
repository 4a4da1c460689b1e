"""A table: the result of replaying its log. `requests` are what people may add to it."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

import msgspec

from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.effects import EFFECTS
from registan.tables.state import TableState

NEVER = 1 << 60
"""Later than any decision."""


class Table(TableState, eq=False):
    """A table in memory. Everything in it comes from `add`, event by event."""

    def _unaware(self, event: e.Event, before: dict[int, int]) -> set[int]:
        """Return the seats that see nothing of an event: it is later than the quiet question that they are asked."""
        if not isinstance(event, (e.Moved, e.Lowered, e.Ticked, e.Hinted)):
            return set()
        answered = before.get(event.seat, NEVER) if isinstance(event, e.Moved) else NEVER
        return {seat for seat, at in self._questions().items() if before.get(seat) == at < answered}

    def _questions(self) -> dict[int, int]:
        """Return the quiet questions that are open: by seat, the number of the decision."""
        return {} if self.match is None or self.match.settled else self.match.questions

    def copy(self) -> Table:
        """Return a table to which events can be added without changing this one; they share what never changes."""
        then: Table = self.__copy__()  # type: ignore[attr-defined]  # copy.copy takes twice as long
        for name, value in zip(_changing, _values(self)):
            if value:
                setattr(then, name, value.copy())
            elif value is not None:  # `{}.copy()` takes longer
                setattr(then, name, type(value)())
        return then

    def add(self, event: e.Event, parsed: Any = None) -> None:
        """Let an event happen; `parsed` is what was read in it already, if anything was."""
        before, proposal = self._questions(), self.proposal
        told = EFFECTS[type(event)](self, event, parsed)
        if told is None and before and self.created.house and self.proposal is proposal:
            told = set(self.audiences) - self._unaware(event, before)
        self.seq += 1
        self.latest = event.at
        if told is None or SPECTATOR in told:
            self.touched = max(self.touched, event.at)
        if not self.ended_at and self.ended:
            self.ended_at = event.at
        if event.key:
            self.remember(event.key)
        self.run_clocks(event.at)
        for audience in self.audiences if told is None else told:
            self.seqs[audience] = self.seqs.get(audience, 0) + 1


_changing = ["match", "clock"]
_changing += [field.name for field in msgspec.structs.fields(Table) if field.default_factory in (list, dict, set)]
_values = attrgetter(*_changing)


def replay(log: Iterable[e.Event]) -> Table:
    """Return the table of a log, whose first event creates it."""
    events = iter(log)
    first = next(events)
    assert isinstance(first, e.Created)
    table = Table(first)
    table.add(first)
    for event in events:
        table.add(event)
    return table
