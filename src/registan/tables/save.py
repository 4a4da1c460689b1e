"""A table as it stands, to be opened again without replaying its log.

It gives the very table that its log gives, or none at all: a save of other rules, or of another layout of the states,
is not opened, and the log is replayed instead. The log stays all there is.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import Any

import msgspec
import numpy as np

from registan.core.chance import Stream
from registan.core.game import Game, Line
from registan.core.match import Written
from registan.core.registry import find
from registan.games.souk.orders import Order
from registan.tables import events as e
from registan.tables.board import Board, Play, open_box
from registan.tables.fairness import stream_key
from registan.tables.pace import Clock
from registan.tables.plans import Given
from registan.tables.seats import Seat
from registan.tables.table import Table

FORMAT = 1
Answers = list[tuple[int, int]]


class BoardSave(msgspec.Struct, array_like=True):
    """A board: states are numbers in the list of all different ones."""

    states: list[bytes]
    state: int
    setup: Line
    opened: int | None
    answers: Answers
    before: list[tuple[int, int, int | None, Answers]]
    written: list[tuple[Line, Any, int]]
    """A line, the number of the state in which was asked (or what else stands there), and that of the state after."""
    plays: list[Play]


class Save(msgspec.Struct, array_like=True):
    """All that a table is."""

    format: int
    layout: str
    created: e.Created
    seq: int
    seats: list[Seat]
    status: str
    watch: str
    proposal: e.Proposed | None
    agreed: set[str]
    sales: dict[int, dict[int, str]]
    sealed_orders: dict[int, Order]
    plans: dict[int, list[Given]]
    stops: set[int]
    counting: int | None
    price: tuple[int, int]
    asked_sales: dict[int, int]
    turns: dict[int, int]
    chat: list[tuple[int, e.Said]]
    muted: set[tuple[int, int]]
    keys: dict[str, int]
    told: dict[int, int]
    touched: int
    clock: tuple[list[int], dict[int, tuple[int, int]], int | None] | None
    board: BoardSave | None


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Save)


def layout(game: Game) -> str:
    """Return what tells states of one layout from those of another."""
    dtype = game.rules.STATE
    return hashlib.sha256(f"{game.version} {dtype.descr} {dtype.itemsize}".encode()).hexdigest()[:16]


def save(table: Table) -> bytes:
    """Return a table as bytes; `packed` makes them small."""
    clock = (table.clock.bank, table.clock.since, table.clock.paused) if table.board is not None else None
    return _encoder.encode(
        Save(
            format=FORMAT,
            layout=layout(find(table.created.game)),
            created=table.created,
            seq=table.seq,
            seats=table.seats,
            status=table.status,
            watch=table.watch,
            proposal=table.proposal,
            agreed=table.agreed,
            sales=table.sales,
            sealed_orders=table.sealed_orders,
            plans=table.plans,
            stops=table.stops,
            counting=table.counting,
            price=table._price,
            asked_sales=table.asked_sales,
            turns=table.turns,
            chat=table.chat,
            muted=table.muted,
            keys=table.keys,
            told=table.told,
            touched=table.touched,
            clock=clock,
            board=_board(table.board) if table.board is not None else None,
        )
    )


def packed(data: bytes) -> bytes:
    """Return a save as it is stored."""
    return zlib.compress(data, 1)


def opened(data: bytes) -> Table | None:
    """Return the table of a stored save; None if it is not one of ours, as we are now."""
    try:
        kept = _decoder.decode(zlib.decompress(data))
    except (zlib.error, msgspec.MsgspecError):
        return None
    if kept.format != FORMAT or kept.layout != layout(find(kept.created.game)):
        return None
    table = Table([])
    for name in (
        "created", "seq", "seats", "status", "watch", "proposal", "agreed", "sales", "sealed_orders", "plans", "stops",
        "counting", "asked_sales", "turns", "chat", "muted", "keys", "told", "touched",
    ):  # fmt: skip
        setattr(table, name, getattr(kept, name))
    table._price = kept.price
    if kept.board is not None and kept.clock is not None:
        table.clock = Clock(kept.created.pace, len(kept.seats))
        table.clock.bank, table.clock.since, table.clock.paused = kept.clock
        table.board = _open_board(kept, kept.board)
    return table


def _board(board: Board) -> BoardSave:
    numbers: dict[bytes, int] = {}

    def number(state: Any) -> int:
        data = state if isinstance(state, bytes) else state.tobytes()
        return numbers.setdefault(data, len(numbers))

    def perhaps(state: Any) -> Any:
        return number(state) if isinstance(state, np.void) else state

    kept = BoardSave(
        states=[],
        state=number(board.state),
        setup=board.setup,
        opened=perhaps(board._opened),
        answers=board._answers,
        before=[(number(data), lines, perhaps(then), answers) for data, lines, then, answers in board._before],
        written=[(w.line, perhaps(w.asked), number(w.after)) for w in board.written],
        plays=board.plays,
    )
    kept.states = list(numbers)
    return kept


def _open_board(table: Save, kept: BoardSave) -> Board:
    made = table.created
    game = find(made.game)
    stream = Stream(stream_key(made.secret, [seat.salt for seat in table.seats]))
    board = Board(game, open_box(made.game, made.box), len(table.seats), made.options, stream)
    records = np.frombuffer(bytearray(b"".join(kept.states)), game.rules.STATE)

    def perhaps(number: Any) -> Any:
        return records[number] if isinstance(number, int) else number

    board.restore(kept.states[kept.state])
    board._setup = kept.setup
    board._opened = perhaps(kept.opened)
    board._answers = kept.answers
    board._before = [(kept.states[n], lines, perhaps(then), answers) for n, lines, then, answers in kept.before]
    board.written = [Written(line, perhaps(asked), records[after]) for line, asked, after in kept.written]
    board.plays = kept.plays
    board._read, board._ways = {}, {}
    return board
