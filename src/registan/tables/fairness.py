"""Verifiable chance: the server commits to a secret, people commit to contributions, and all is revealed in the end.

The server publishes the SHA-256 of its secret when the table is created, then every client that of 32 random bytes of
its own. Once everything is frozen, the clients reveal, and the cards are dealt. The stream's key is HMAC-SHA-256 of the
server's secret over the table, the seats and the contributions (`deal_key`). So nobody can try one value after the
other until the deal suits them: whoever could still choose does not know what the others have chosen.

In scheme 1, which old tables were dealt with, contributions were texts that everybody could read before the start.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from registan.core.chance import Stream
from registan.core.errors import BadMove, BadRecord, RegistanError
from registan.core.game import Json
from registan.core.record import Find, game_of, replay, taken_back
from registan.tables.match import TableMatch

FORGOTTEN = "sha256:"


class Share(NamedTuple):
    """What a seat adds to the key of the deal."""

    owner: str
    """person or bot"""
    name: str
    contribution: str
    """32 bytes in hexadecimal, empty if the seat has not contributed."""


def commitment(secret: bytes) -> str:
    """Return what is published of a secret beforehand."""
    return hashlib.sha256(secret).hexdigest()


def name_digest(name: str) -> str:
    """Return the SHA-256 of a name, which is all that is left of one whose owner is forgotten (`forgotten_name`)."""
    return name.removeprefix(FORGOTTEN) if name.startswith(FORGOTTEN) else commitment(name.encode())


def forgotten_name(name: str) -> str:
    """Return what stands for the name of somebody who wants to be forgotten: enough to check the deal.

    It is longer than any name that people can choose.
    """
    return FORGOTTEN + name_digest(name)


def deal_key(secret: bytes, table: str, game: str, shares: Sequence[Share]) -> bytes:
    """Return the key of a table's stream: HMAC of "registan/2", the table, the game and each seat, one per line.

    Names and the table's id are hashed, so that no text can look like another line.
    """
    seats = (f"{share.owner} {name_digest(share.name)} {share.contribution or '-'}" for share in shares)
    lines = ["registan/2", commitment(table.encode()), game, *seats]
    return hmac.digest(secret, "\n".join(lines).encode(), "sha256")


def salts_key(secret: bytes, salts: Sequence[str]) -> bytes:
    """Return the key of scheme 1: HMAC of "registan/1" and the SHA-256 of each contribution, one per line."""
    lines = ["registan/1", *(commitment(salt.encode()) for salt in salts)]
    return hmac.digest(secret, "\n".join(lines).encode(), "sha256")


def shown(
    secret: bytes,
    shares: Sequence[Share],
    commitments: Sequence[str],
    dealt: bool,
    over: bool,
    first: int | None = None,
) -> Json:
    """Return what everybody may know: contributions once the cards are dealt, the secret when the game is over.

    A start player who was named is included, because whoever checks the deal must know that none was drawn.
    """
    return ({} if first is None else {"first": first}) | {
        "scheme": 2,
        "commitment": commitment(secret),
        "owners": [share.owner for share in shares],
        "commitments": list(commitments),
        "contributions": [share.contribution if dealt else "" for share in shares],
        "secret": secret.hex() if over else None,
    }


def shown_salts(secret: bytes, salts: Sequence[str], over: bool, first: int | None = None) -> Json:
    """Return what everybody may know in scheme 1."""
    return ({} if first is None else {"first": first}) | {
        "commitment": commitment(secret),
        "contributions": list(salts),
        "secret": secret.hex() if over else None,
    }


def verify(record: Json, find: Find, box: str | Path | None = None, number: int | None = None) -> TableMatch:
    """Recompute every shuffle of a record from the revealed secret; raise BadRecord if one differs.

    The record is first replayed and checked like any other.
    """
    opened = replay(record, find, box, number).box
    at: int | None = None
    try:
        stream = Stream(key_of(record))
        game = game_of(record, find)
        match = TableMatch(game, opened, record["players"], record["options"], stream)
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


def key_of(record: Json) -> bytes:
    """Return the key of a record's stream; raise BadMove unless everything fits what was committed to."""
    fair: Any = record.get("fairness")
    if not isinstance(fair, dict):
        raise BadMove("error.fair.none")
    if fair.get("secret") is None:
        raise BadMove("error.fair.running")
    secret = _bytes(fair["secret"], "secret")
    if commitment(secret) != fair.get("commitment"):
        raise BadMove("error.fair.commitment")
    scheme = fair.get("scheme", 1)
    if scheme not in (1, 2):
        raise BadMove("error.fair.scheme", scheme=scheme)
    seats = None if scheme == 1 else record["players"]
    contributions = _texts(fair.get("contributions"), "fairness.contributions", seats)
    if scheme == 1:
        return salts_key(secret, contributions)
    if type(record.get("table")) is not str:
        raise BadMove("error.record.field", field="table", want="str")
    owners, names = _texts(fair.get("owners"), "fairness.owners", seats), _texts(record.get("names"), "names", seats)
    commitments = _texts(fair.get("commitments"), "fairness.commitments", seats)
    if not set(owners) <= {"person", "bot"}:
        raise BadMove("error.record.field", field="fairness.owners", want="person, bot")
    for seat, (committed, told) in enumerate(zip(commitments, contributions)):
        if committed != (commitment(_bytes(told, "contributions")) if told else ""):
            raise BadMove("error.fair.contribution", seat=seat)
    return deal_key(secret, record["table"], record["game"], list(map(Share, owners, names, contributions)))


def _bytes(text: Any, field: str) -> bytes:
    """Return the bytes of a text; raise BadMove unless it is the one way to write them in hexadecimal.

    The key is made from the text: if it could be written in several ways, the house could choose among them.
    """
    try:
        data = bytes.fromhex(text)
    except (TypeError, ValueError):
        data = b""
    if not data or data.hex() != text:
        raise BadMove("error.record.field", field=f"fairness.{field}", want="hex")
    return data


def _texts(value: Any, field: str, count: int | None = None) -> list[str]:
    """Return a list of texts, one for each seat if there is a `count`; raise BadMove if it is something else."""
    good = isinstance(value, list) and all(isinstance(text, str) for text in value)
    if not good or (count is not None and len(value) != count):
        raise BadMove("error.record.field", field=field, want="list")
    return value  # type: ignore[no-any-return]
