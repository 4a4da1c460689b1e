"""Pace and clocks: how long a decision may take. A clock is a function of the log and the current time."""

from __future__ import annotations

from typing import Literal

import msgspec

from registan.core.errors import BadInput
from registan.core.game import Game

SECOND = 1000
DAY = 24 * 60 * 60 * SECOND
QUIET = 30 * SECOND
"""How long a live table waits for a quiet answer. It has a time of its own, so that no clock tells of the question."""
QUIET_FREE = 600 * SECOND
"""The same at a table without clocks."""
COMEBACK = 20 * SECOND
"""The least time on the clock for people who come back."""

DEAL = 20 * SECOND
"""How long the deal waits for contributions before everybody is told who is missing, and the host may call it off."""


class Pace(msgspec.Struct, frozen=True, omit_defaults=True):
    """How time is kept: not at all, live (a bank and an increment per decision) or in days per decision."""

    kind: Literal["free", "live", "days"] = "free"
    bank: int = 0
    """Seconds."""
    increment: int = 0
    """Seconds."""
    days: int = 0
    tick: float = 0
    """At a live table, the seconds for each decision against the clock (`Orders.timed`); 0 for sealed answers."""

    def checked(self, game: Game) -> Pace:
        """Return this pace; raise BadInput if it makes no sense for the game."""
        fair = {
            "free": not (self.bank or self.increment or self.days or self.tick),
            "live": 10 <= self.bank <= 7200 and 0 <= self.increment <= 600 and not self.days,
            "days": 1 <= self.days <= 30 and not (self.bank or self.increment or self.tick),
        }[self.kind]
        if self.tick and not (game.orders is not None and game.orders.TICKS and 0.5 <= self.tick <= 10):
            fair = False
        if not fair:
            raise BadInput("error.house.pace")
        return self

    def quiet(self) -> int:
        """Return the milliseconds for the answer to a quiet question."""
        return {"free": QUIET_FREE, "live": QUIET, "days": self.days * DAY}[self.kind]


class Clock(msgspec.Struct):
    """The time that each seat has left, and since when it is to move."""

    pace: Pace
    bank: list[int]
    """By seat: milliseconds left."""
    since: dict[int, tuple[int, int]] = {}
    """By seat: since when it is to move, and how many moves it had made then."""
    paused: int | None = None

    def copy(self) -> Clock:
        """Return the clock as it stands."""
        return Clock(self.pace, list(self.bank), dict(self.since), self.paused)

    def moved(self, seat: int, at: int) -> None:
        """Subtract the time of a decision from the seat's bank and add the increment."""
        if seat in self.since and self.pace.kind == "live":
            left = max(0, self.bank[seat] - (at - self.since[seat][0]))
            self.bank[seat] = left + self.pace.increment * SECOND

    def ask(self, asked: dict[int, int], at: int) -> None:
        """Run only the clocks of these seats; `asked` maps each to the number of moves it has made."""
        kept = {seat: since for seat, since in self.since.items() if asked.get(seat) == since[1]}
        self.since = {seat: kept.get(seat, (at, moves)) for seat, moves in asked.items()}

    def back(self, seat: int, at: int) -> None:
        """Give somebody who has come back some time."""
        if self.pace.kind == "live":
            self.bank[seat] = max(self.bank[seat], COMEBACK)
        if seat in self.since:
            self.since[seat] = (at, self.since[seat][1])

    def pause(self, at: int) -> None:
        """Stop all clocks."""
        self.paused = at

    def resume(self, at: int) -> None:
        """Let the clocks run again, as if no time had passed."""
        assert self.paused is not None
        slept = at - self.paused
        self.since = {seat: (since + slept, moves) for seat, (since, moves) in self.since.items()}
        self.paused = None

    def deadline(self, seat: int) -> int | None:
        """Return when a seat's time is up, None if its clock is not running."""
        if seat not in self.since or self.paused is not None or self.pace.kind == "free":
            return None
        span = self.bank[seat] if self.pace.kind == "live" else self.pace.days * DAY
        return self.since[seat][0] + span
