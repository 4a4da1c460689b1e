"""Routes for reviews: ask for the review of a finished game, and see how far it is."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody, Parameter
from msgspec import Meta

from registan.advice.steps import Steps, replay_steps
from registan.core.errors import BadInput, BadMove, BadRecord
from registan.core.registry import find
from registan.server.http.context import ended_table, house_of, limit_rate, person_of
from registan.server.limits import STUDY_BODY, TABLE_ID
from registan.server.live.reviewing import Reviewed, review_id
from registan.server.origin import client_address

Json = dict[str, Any]


class AskReview(msgspec.Struct, forbid_unknown_fields=True):
    """The game to review: a record, or the game of a finished table."""

    record: Json | None = None
    table: Annotated[str, Meta(max_length=40, pattern=TABLE_ID)] | None = None
    box: Annotated[str, Meta(max_length=STUDY_BODY)] | None = None
    """The contents of the box file, if the record was not played with a built-in box."""
    open_hands: bool = False
    """Judge every move with all hands open, not by what its player could know."""


@post("/api/review", status_code=200, request_max_body_size=STUDY_BODY)
async def ask_review(request: Request[Any, Any, Any], data: JSONBody[AskReview]) -> Reviewed:
    """Ask for the review of a finished game. It is computed in the background; ask for its id to see how far it is."""
    person = person_of(request)
    limit_rate(request, "review", person.who if person else None)
    if (data.record is None) == (data.table is None):
        raise BadInput("error.house.study")
    record = data.record
    if data.table is not None:
        record = (await ended_table(request, data.table)).record()
    assert record is not None
    house, name = house_of(request), review_id(record, data.box, data.open_hands)
    found = await house.reviews.get(name)
    if found is not None:
        return found
    address, who = client_address(request), person.who if person else ""
    match = await house.studies.apart(partial(replayed, record, data.box), address, who)
    return await house.reviews.begin(name, match, data.open_hands, who or address, data.table)


def replayed(record: Json, box: str | None) -> Steps:
    """Return the steps of a record; raise BadRecord if it does not replay."""
    try:
        return replay_steps(record, find, None if box is None else box.encode("utf-8", "replace"))
    except RecursionError as error:
        raise BadRecord(None, None, BadMove("error.json", why=error)) from None


@get("/api/reviews/{review:str}")
async def get_review(
    request: Request[Any, Any, Any], review: FromPath[Annotated[str, Parameter(pattern="^[0-9a-f]{32}$")]]
) -> Reviewed:
    """A review, or how far it is. Only whoever knows the game can know its id."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    found = await house_of(request).reviews.get(review)
    if found is None:
        raise NotFoundException
    return found


ROUTES = [ask_review, get_review]
