"""Encoded tables, which load without replaying the log.

A save gives exactly the table that its log gives, or nothing: if the rules or the layout of states have changed, it is
not loaded, and the log is replayed instead.
"""

from __future__ import annotations

import copy
import hashlib
import zlib
from typing import Any

import msgspec

from registan.core.errors import BadInput
from registan.core.game import Game
from registan.core.registry import find
from registan.tables.match import TableMatch
from registan.tables.match_state import MatchState
from registan.tables.table import Table

FORMAT = 10
"""Raise this when the fields of a table or a match change."""


class Save(msgspec.Struct, array_like=True):
    """An encoded table, and what is needed to read it."""

    format: int
    game: str
    version: int
    layout: str
    table: msgspec.Raw


def _encode_match(match: Any) -> MatchState:
    assert isinstance(match, TableMatch)
    return MatchState.of(match)


def _decode_match(kind: type, data: Any) -> TableMatch:
    return msgspec.convert(data, MatchState).match()


_encode = msgspec.msgpack.Encoder(enc_hook=_encode_match).encode
_decode_save = msgspec.msgpack.Decoder(Save).decode
_decode_table = msgspec.msgpack.Decoder(Table, dec_hook=_decode_match).decode


def layout(game: Game) -> str:
    """Return an identifier of the layout of a game's states."""
    dtype = game.rules.STATE
    return hashlib.sha256(f"{game.version} {dtype.descr} {dtype.itemsize}".encode()).hexdigest()[:16]


def save(table: Table) -> bytes:
    """Return a table as bytes; `packed` compresses them."""
    game, version = table.created.game, table.created.version
    if table.match is not None and table.created.contents:  # the match has the file of its box: once is enough
        table = copy.copy(table)
        table.created = msgspec.structs.replace(table.created, contents="")
    return _encode(Save(FORMAT, game, version, layout(find(game, version)), msgspec.Raw(_encode(table))))


def packed(data: bytes) -> bytes:
    """Return a save as it is stored."""
    return zlib.compress(data, 1)


def opened(data: bytes) -> Table | None:
    """Return the table of a stored save, None if its format or layout is not ours."""
    try:
        kept = _decode_save(zlib.decompress(data))
        if kept.format != FORMAT or kept.layout != layout(find(kept.game, kept.version)):
            return None
        table = _decode_table(kept.table)
        if table.match is not None and table.match.box.contents:
            table.created = msgspec.structs.replace(table.created, contents=table.match.box.contents)
        return table
    except (zlib.error, msgspec.MsgspecError, BadInput):
        return None
