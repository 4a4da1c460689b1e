"""A finished game, step by step: every answer and every chance event, with the states before and after it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from registan.core.game import Json
from registan.core.match import Match
from registan.core.record import Find, replay


@dataclass(frozen=True)
class Step:
    """An answer of a seat, or a chance event (no seat)."""

    line: int
    """The number of its line in the record, from 0."""
    before: bytes
    after: bytes
    seat: int | None = None
    action: int = 0
    together: bool = False
    """Whether others are asked the same question at the same time."""


class Steps(Match):
    """A match that remembers its steps."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.steps: list[Step] = []

    def act(self, seat: int, action: int) -> None:
        """Play an action and remember it."""
        before, line = self.state.tobytes(), len(self.written)
        together = bool(self._answers) or self.waiting != [seat]
        super().act(seat, action)
        self.steps.append(Step(line, before, self.state.tobytes(), seat, action, together))

    def apply_event(self, line: Json) -> None:
        """Carry out an event and remember it."""
        before, number = self.state.tobytes(), len(self.written)
        super().apply_event(line)
        self.steps.append(Step(number, before, self.state.tobytes()))


def replay_steps(record: Json, find: Find, box: str | Path | bytes | None = None, number: int | None = None) -> Steps:
    """Replay a record and remember its steps; raise BadRecord if it is not valid."""
    return cast(Steps, replay(record, find, box, number, Steps))
