"""The route that verifies the chance of a finished game, and explains what it checked."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import msgspec
from litestar import Request, get
from litestar.params import FromQuery

from registan.core.errors import BadRecord
from registan.core.messages import say
from registan.core.registry import find
from registan.server.http.context import TableId, ended_table, house_of, limit_rate, person_of
from registan.server.http.errors import lang_of
from registan.server.origin import client_address
from registan.tables.fairness import key_of, verify


class Checked(msgspec.Struct):
    """One check: what was checked, and a sentence about it."""

    what: Literal["moves", "commitment", "contributions", "setup", "chance"]
    text: str


class Verified(msgspec.Struct):
    """Whether the chance of a game was fair: every check that was made, or the first fault."""

    good: bool
    shuffles: int
    """The setup, and every later deal or draw."""
    checked: list[Checked]
    fault: str | None = None
    key: str = ""
    """The key that all chance was recomputed from, in hexadecimal, so that clients can compare it with their own."""


def verified(record: dict[str, Any], lang: str) -> Verified:
    """Recompute every shuffle of a record, and describe the checks in a language."""
    try:
        board = verify(record, find)
    except BadRecord as fault:
        return Verified(False, 0, [], fault.text(lang))
    fair = record["fairness"]
    events = sum("chance" in written.line for written in board.written)
    told, lines = sum(map(bool, fair["contributions"])), len(record["moves"])
    return Verified(
        True,
        1 + events,
        [
            Checked("moves", say(lang, "house.verify.moves" if lines else "house.verify.no_moves", n=lines)),
            Checked("commitment", say(lang, "house.verify.commitment", digest=fair["commitment"])),
            Checked("contributions", say(lang, "house.verify.contributions", n=told)),
            Checked("setup", say(lang, "house.verify.setup")),
            Checked("chance", say(lang, "house.verify.chance" if events else "house.verify.no_chance", n=events)),
        ],
        key=key_of(record).hex(),
    )


@get("/api/tables/{table:str}/verify")
async def get_verified(
    request: Request[Any, Any, Any], table: TableId, lang: FromQuery[Literal["en", "fr"] | None] = None
) -> Verified:
    """Recompute all chance of a finished game, and describe what was checked."""
    person = person_of(request)
    limit_rate(request, "verify", person.who if person else None)
    found = await ended_table(request, table)
    told = lang or lang_of(request)
    work = partial(verified, found.record(), told)
    known = ("verify", table, found.seq, told)
    return await house_of(request).recomputing.once(known, work, client_address(request), person.who if person else "")


ROUTES = [get_verified]
