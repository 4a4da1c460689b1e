"""Snapshots: all moments of a game so far, without replaying it.

A snapshot holds the lines of the record and the state after each. States differ little from each other, so a whole
game compresses to a few kilobytes.
"""

from __future__ import annotations

import zlib
from typing import Any

import msgspec

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Json
from registan.core.match import Match
from registan.core.registry import find
from registan.tables.boxes import box_of
from registan.tables.table import Table


class Snapshot(msgspec.Struct):
    """The moments of a game, up to an event of the log."""

    seq: int
    """How many events of the log it covers."""
    game: str
    version: int
    box: str
    players: int
    options: dict[str, Any]
    lines: list[Json]
    states: list[bytes]
    """The setup, then one for each line."""
    taken_back: list[Json] = []
    """What was taken back, as the record has it."""
    contents: str = ""
    """The file of the box, if it is not one of the game."""

    def moment(self, line: int, seat: int = SPECTATOR) -> Json:
        """Return the view of a seat after that many lines of its log, 0 for the setup.

        Lines that the seat may not read, or no longer read, do not count.
        """
        game = find(self.game, self.version)
        match = Match(game, box_of(self), self.players, self.options)
        match.restore(self.states[-1])
        gone = game.moves.forgotten(match.state, self.lines)
        lines = [(i, text) for i, text in enumerate(self.lines) if i not in gone]
        read = [i + 1 for i, text in lines if game.moves.redact(text, seat, self.players)]
        if not 0 <= line <= len(read):
            raise BadInput("error.house.moment", line=line, last=len(read))
        match.restore(self.states[read[line - 1] if line else 0])
        return match.view(seat)

    def packed(self) -> bytes:
        """Return it as stored."""
        return zlib.compress(msgspec.msgpack.encode(self), 6)


def snapshot(table: Table, upto: int | None = None) -> Snapshot:
    """Return the snapshot of a table, up to a decision for those who see nothing later."""
    if table.match is None or table.match.moves_played == 0:
        raise BadInput("error.house.not_started")
    match = table.match if upto is None else table.match.moment(upto)
    made = table.created
    return Snapshot(
        seq=table.seq,
        game=made.game,
        version=made.version,
        box=made.box,
        players=len(table.seats),
        options=made.options,
        lines=[written.line for written in match.written],
        states=[match.moment(0).state.tobytes(), *(written.after.tobytes() for written in match.written)],
        taken_back=match.taken_back,
        contents=made.contents,
    )


def unpack(data: bytes) -> Snapshot:
    """Return a stored snapshot; raise BadInput if we do not have its version, so that its states mean nothing to us."""
    made = msgspec.msgpack.decode(zlib.decompress(data), type=Snapshot)
    find(made.game, made.version)
    return made
