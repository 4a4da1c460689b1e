"""Tables for tests: laid, started, and played at random by people who hold one seat each."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from registan.core.game import SPECTATOR
from registan.tables import events as e
from registan.tables import requests
from registan.tables.board import Board
from registan.tables.pace import Pace
from registan.tables.seats import Seat
from registan.tables.table import Table
from registan.tables.views import show

SECRET = bytes(range(32))
HUMAN = Seat(kind="person")


def people(n: int) -> list[Seat]:
    return [Seat(kind="person", who=f"p{i}", name=f"Player {i}", salt=f"salt {i}") for i in range(n)]


def lay(
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
    made = requests.create("t", "p0", 1000, secret, game, seats, options or {}, pace or Pace(), **more)
    table, log = Table([made]), [made]
    return table, [*log, *(requests.start(table, "p0", 2000) if start else [])]


def board_of(table: Table) -> Board:
    assert table.board is not None
    return table.board


def any_move(table: Table, rng: random.Random, at: int) -> list[e.Event]:
    """Let one of those who are asked, as they see it, move at random."""
    board = board_of(table)
    seats = [seat for seat in range(len(table.seats)) if table.asked(seat)]
    seat = rng.choice(seats)
    move = rng.choice(board.sight(seat).legal(seat))
    return requests.play(table, f"p{seat}", seat, move, at)


def traffic(table: Table, audience: int = SPECTATOR) -> bytes:
    """Return all that is sent to an audience."""
    return msgspec.json.encode(show(table, audience))


def same(one: Table, other: Table) -> bool:
    """Whether two tables are the same to everybody, and within."""
    inside = [
        (t.seq, t.touched, t.status, t.seats, t.told, t.sales, t.stops, t.counting, t.asked_sales, t.muted, t.keys,
         t.turns, t.plans, t.sealed_orders, t.chat, t.watch, t.proposal, t.agreed, t.next_deadline(),
         None if t.board is None else vars(t.clock))
        for t in (one, other)
    ]  # fmt: skip
    boards = [(b.state.tobytes(), b.plays, b.record()) if b is not None else None for b in (one.board, other.board)]
    return (
        inside[0] == inside[1]
        and boards[0] == boards[1]
        and all(traffic(one, seat) == traffic(other, seat) for seat in one.audiences)
    )
