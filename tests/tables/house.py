"""Tables for tests: created, started, and played at random by people with one seat each."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import msgspec

from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables.creation import create
from registan.tables.match import TableMatch
from registan.tables.pace import Pace
from registan.tables.requests import Contribute, Play, Reveal, Start
from registan.tables.seats import Seat
from registan.tables.table import Table, replay
from registan.tables.views import show

SECRET = bytes(range(32))
HUMAN = Seat(kind="person")


def people(n: int) -> list[Seat]:
    return [Seat(kind="person", who=f"p{i}", name=f"Player {i}") for i in range(n)]


def new_table(
    game: str,
    players: int = 3,
    *,
    seats: list[Seat] | None = None,
    pace: Pace | None = None,
    secret: bytes = SECRET,
    options: dict[str, Any] | None = None,
    start: bool = True,
    **more: Any,
) -> tuple[Table, list[e.Event]]:
    """Return a table and its log so far."""
    seats = people(players) if seats is None else seats
    made = create("t", "p0", 1000, secret, game, seats, options or {}, pace or Pace(), **more)
    table, log = replay([made]), [made]
    return table, [*log, *(begin(table, 2000) if start else [])]


def contribution(seat: int) -> bytes:
    """Return the 32 bytes that whoever sits there contributes to chance."""
    return hashlib.sha256(f"seat {seat}".encode()).digest()


def commit(table: Table, seat: int, at: int) -> list[e.Event]:
    """Let the person of a seat commit to a contribution."""
    sealed = hashlib.sha256(contribution(seat)).hexdigest()
    return Contribute(seat=seat, commitment=sealed).carry_out(table, table.seats[seat].who, at)


def reveal(table: Table, seat: int, at: int) -> list[e.Event]:
    """Let the person of a seat reveal the contribution."""
    return Reveal(seat=seat, contribution=contribution(seat).hex()).carry_out(table, table.seats[seat].who, at)


def begin(table: Table, at: int) -> list[e.Event]:
    """Let everybody contribute and the host start, until the cards are dealt."""
    seats = [seat for seat, held in enumerate(table.seats) if held.kind == "person"]
    log = [event for seat in seats if seat not in table.commitments for event in commit(table, seat, at)]
    log += Start().carry_out(table, table.created.host, at)
    return log + [event for seat in table.awaited for event in reveal(table, seat, at)]


def match_of(table: Table) -> TableMatch:
    assert table.match is not None
    return table.match


def any_move(table: Table, rng: random.Random, at: int) -> list[e.Event]:
    """Let a seat that is to move, as it sees the game, move at random."""
    match = match_of(table)
    seats = [seat for seat in range(len(table.seats)) if table.asked(seat)]
    seat = rng.choice(seats)
    move = rng.choice(match.for_seat(seat).legal(seat))
    return Play(seat=seat, move=move).carry_out(table, f"p{seat}", at)


def traffic(table: Table, audience: int = SPECTATOR) -> bytes:
    """Return all that is sent to an audience."""
    return msgspec.json.encode(show(table, audience))


def same(one: Table, other: Table) -> bool:
    """Whether two tables are the same to everybody, and internally."""
    both = (one, other)
    inside = [[t.next_deadline(), *(getattr(t, f) for f in t.__struct_fields__ if f != "match")] for t in both]
    matches = [(t.match.state.tobytes(), t.match.decisions, t.match.record()) if t.match else None for t in both]
    return (
        inside[0] == inside[1]
        and matches[0] == matches[1]
        and all(traffic(one, seat) == traffic(other, seat) for seat in one.audiences)
    )
