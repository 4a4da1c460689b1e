"""REST for notices: what somebody wants to be told, and of which tables."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get, put
from litestar.params import JSONBody

from registan.core.errors import BadInput
from registan.server.identity import Person
from registan.server.postman import Postman
from registan.server.rest import TableId, house_of, slow_down, somebody
from registan.server.wishes import Wishes


class PushKey(msgspec.Struct):
    """The key of this house for web push: `applicationServerKey` of a browser's subscription."""

    key: str


class Switch(msgspec.Struct, forbid_unknown_fields=True):
    """Whether one wants to be told of the own turns at a table."""

    on: bool


def postman_of(request: Request[Any, Any, Any]) -> Postman:
    """Return who delivers the notices of the house."""
    postman: Postman = request.app.state.postman
    return postman


@get("/api/push/key", sync_to_thread=False)
def push_key(request: Request[Any, Any, Any]) -> PushKey:
    """The key with which browsers subscribe to web push of this house."""
    slow_down(request, "ask")
    return PushKey(postman_of(request).vapid.public)


@get("/api/me/notifications")
async def get_wishes(request: Request[Any, Any, Any]) -> Wishes:
    """How one wants to be told of the own turns."""
    person = somebody(request)
    found = await postman_of(request).desk.wishes(person.who)
    return found[0] if found else Wishes()


@put("/api/me/notifications")
async def put_wishes(request: Request[Any, Any, Any], data: JSONBody[Wishes]) -> Wishes:
    """Say how one wants to be told of the own turns: by a webhook, by web push, and not in quiet hours."""
    person = somebody(request, "act")
    postman = postman_of(request)
    await postman.desk.keep_wishes(person.who, person.lang, data.checked(postman.private))
    return data


async def _seated(request: Request[Any, Any, Any], table: str, person: Person) -> bool:
    """Return whether notices are sent from a table if nothing else was said; raise BadInput if one sits elsewhere."""
    found = (await house_of(request).room(table)).table
    if not found.seats_of(person.who):
        raise BadInput("error.house.not_your_seat")
    return found.created.pace.kind == "days"


@get("/api/tables/{table:str}/notifications")
async def get_switch(request: Request[Any, Any, Any], table: TableId) -> Switch:
    """Whether one is told of the own turns at a table: where a turn has days, unless it was switched off."""
    person = somebody(request)
    default = await _seated(request, table, person)
    on = await postman_of(request).desk.switched(table, person.who)
    return Switch(default if on is None else on)


@put("/api/tables/{table:str}/notifications")
async def put_switch(request: Request[Any, Any, Any], table: TableId, data: JSONBody[Switch]) -> Switch:
    """Switch the notices of a table on or off for oneself."""
    person = somebody(request, "act")
    await _seated(request, table, person)
    await postman_of(request).desk.switch(table, person.who, data.on)
    return data


ROUTES = [push_key, get_wishes, put_wishes, get_switch, put_switch]
