"""Verifiable chance: the server commits to a secret, each seat contributes, and everything is revealed in the end.

The stream's key is HMAC-SHA-256 of the server's secret over the seats' contributions. The server cannot choose it,
because it commits before it knows the contributions; nor can a player, because none knows the secret.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from registan.core.box import find_box
from registan.core.chance import Stream
from registan.core.errors import BadMove, BadRecord, RegistanError
from registan.core.game import Game, Json
from registan.core.record import replay, taken_back
from registan.tables.match import TableMatch


def commitment(secret: bytes) -> str:
    """Return what the server publishes at the start."""
    return hashlib.sha256(secret).hexdigest()


def stream_key(secret: bytes, salts: Sequence[str]) -> bytes:
    """Return the key of a table's stream: HMAC of "registan/1" and the SHA-256 of each contribution, one per line."""
    lines = ["registan/1", *(hashlib.sha256(salt.encode()).hexdigest() for salt in salts)]
    return hmac.digest(secret, "\n".join(lines).encode(), "sha256")


def shown(secret: bytes, salts: Sequence[str], over: bool, first: int | None = None) -> Json:
    """Return what everybody may know about a table's chance; the secret only when the game is over.

    A start player who was named is included, because whoever checks the deal must know that none was drawn.
    """
    return ({} if first is None else {"first": first}) | {
        "commitment": commitment(secret),
        "contributions": list(salts),
        "secret": secret.hex() if over else None,
    }


def verify(
    record: Json, find: Callable[[str], Game], box: str | Path | None = None, number: int | None = None
) -> TableMatch:
    """Recompute every shuffle of a record from the revealed secret; raise BadRecord if one differs.

    The record is first replayed and checked like any other.
    """
    replay(record, find, box, number)
    at: int | None = None
    try:
        secret, salts = _read(record)
        game = find(record["game"])
        opened = find_box(game, box if box is not None else record["box"]["key"])
        match = TableMatch(game, opened, record["players"], record["options"], Stream(stream_key(secret, salts)))
        if match.start(record["fairness"].get("first")).setup != record["setup"]:
            raise BadMove("error.fair.setup")
        for i, line in enumerate(record["moves"]):
            at = i + 1
            if i >= len(match.written):
                _repeat(match, line)
            if i < len(match.written) and not _same(match.written[i].line, line):
                raise BadMove("error.fair.chance")
        at = None
        match.taken_back = taken_back(record)
    except RegistanError as error:
        raise BadRecord(number, at, error) from None
    return match


def _repeat(match: TableMatch, line: Json) -> None:
    """Play a line, with chance drawn from the stream."""
    if "seat" in line:
        match.act(line["seat"], match.game.moves.read(match.box, match.state, line))
    else:
        match.game.moves.replay(match.box, match.state, line, match.act)
    match.draw()


def _same(ours: Json, theirs: Json) -> bool:
    """Whether the outcome of a chance event equals ours; moves were checked before."""
    return "seat" in ours or all(theirs.get(name) == value for name, value in ours.items())


def _read(record: Json) -> tuple[bytes, list[str]]:
    """Return the secret and the contributions of a record; raise BadMove unless they fit the commitment."""
    fair: Any = record.get("fairness")
    if not isinstance(fair, dict):
        raise BadMove("error.fair.none")
    secret, salts = fair.get("secret"), fair.get("contributions")
    if secret is None:
        raise BadMove("error.fair.running")
    if not isinstance(salts, list) or not all(isinstance(salt, str) for salt in salts):
        raise BadMove("error.record.field", field="fairness.contributions", want="list")
    try:
        data = bytes.fromhex(secret)
    except (TypeError, ValueError):
        raise BadMove("error.record.field", field="fairness.secret", want="hex") from None
    if commitment(data) != fair.get("commitment"):
        raise BadMove("error.fair.commitment")
    return data, salts
