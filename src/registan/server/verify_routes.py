"""REST for fairness: what of a finished game's chance was recomputed, in words."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import msgspec
from litestar import Request, get
from litestar.params import FromQuery

from registan.core.errors import BadInput, BadRecord
from registan.core.messages import say
from registan.core.registry import find
from registan.server.answers import lang_of
from registan.server.rest import TableId, house_of, person_of, slow_down
from registan.tables.fairness import verify


class Checked(msgspec.Struct):
    """Something that was checked: what, and in words."""

    what: Literal["moves", "commitment", "contributions", "setup", "chance"]
    text: str


class Verified(msgspec.Struct):
    """Whether the house has kept its word, with all that was checked, or with what does not fit."""

    good: bool
    shuffles: int
    checked: list[Checked]
    fault: str | None = None


def words(record: dict[str, Any], lang: str) -> Verified:
    """Recompute every shuffle of a record, and say so."""
    try:
        board = verify(record, find)
    except BadRecord as fault:
        return Verified(False, 0, [], fault.text(lang))
    fair = record["fairness"]
    events = sum("chance" in written.line for written in board.written)
    salts = sum(bool(salt) for salt in fair["contributions"])
    return Verified(
        True,
        1 + events,
        [
            Checked("moves", say(lang, "house.verify.moves", n=board.moves_played)),
            Checked("commitment", say(lang, "house.verify.commitment", digest=fair["commitment"])),
            Checked("contributions", say(lang, "house.verify.contributions", n=salts)),
            Checked("setup", say(lang, "house.verify.setup")),
            Checked("chance", say(lang, "house.verify.chance", n=events)),
        ],
    )


@get("/api/tables/{table:str}/verify")
async def get_verified(
    request: Request[Any, Any, Any], table: TableId, lang: FromQuery[Literal["en", "fr"] | None] = None
) -> Verified:
    """Recompute all chance of a game that is over, and say what was checked."""
    person = person_of(request)
    slow_down(request, "verify", person.who if person else None)
    found = (await house_of(request).room(table)).table
    if not found.finished:
        raise BadInput("error.house.not_over")
    # A whole game is played again: not in the event loop.
    return await asyncio.to_thread(words, found.record(), lang or lang_of(request))


ROUTES = [get_verified]
