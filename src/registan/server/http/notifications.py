"""Routes for notices: how a person wants to be notified, and for which tables."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get, put
from litestar.params import JSONBody

from registan.core.errors import BadInput
from registan.server.http.context import TableId, house_of, limit_rate, require_person
from registan.server.identity import Person
from registan.server.notices.delivery import Delivery
from registan.server.notices.preferences import Preferences


class PushKey(msgspec.Struct):
    """The web push key of this house, the `applicationServerKey` of a browser's subscription."""

    key: str


class Switch(msgspec.Struct, forbid_unknown_fields=True):
    """Whether you are notified of your turns at a table."""

    on: bool


def delivery_of(request: Request[Any, Any, Any]) -> Delivery:
    """Return what delivers the notices of the house."""
    delivery: Delivery = request.app.state.delivery
    return delivery


@get("/api/push/key", sync_to_thread=False)
def push_key(request: Request[Any, Any, Any]) -> PushKey:
    """The key with which browsers subscribe to web push from this house."""
    limit_rate(request, "ask")
    return PushKey(delivery_of(request).vapid.public)


@get("/api/me/notifications")
async def get_preferences(request: Request[Any, Any, Any]) -> Preferences:
    """How you are notified of your turns."""
    person = require_person(request)
    found = await delivery_of(request).preferences.of(person.who)
    return found[0] if found else Preferences()


@put("/api/me/notifications")
async def put_preferences(request: Request[Any, Any, Any], data: JSONBody[Preferences]) -> Preferences:
    """Choose how you are notified of your turns: by webhook, by web push, and never in quiet hours."""
    person = require_person(request, "act")
    delivery = delivery_of(request)
    await delivery.preferences.set(person.who, person.lang, data.checked(delivery.private))
    return data


async def _default(request: Request[Any, Any, Any], table: str, person: Person) -> bool:
    """Return whether a table notifies people who have not chosen; raise BadInput unless the person sits there."""
    found = (await house_of(request).table(table)).table
    if not found.seats_of(person.who):
        raise BadInput("error.house.not_your_seat")
    return found.created.pace.kind == "days"


@get("/api/tables/{table:str}/notifications")
async def get_switch(request: Request[Any, Any, Any], table: TableId) -> Switch:
    """Whether you are notified of your turns at a table. By default you are where a turn has days."""
    person = require_person(request)
    default = await _default(request, table, person)
    on = await delivery_of(request).preferences.switched(table, person.who)
    return Switch(default if on is None else on)


@put("/api/tables/{table:str}/notifications")
async def put_switch(request: Request[Any, Any, Any], table: TableId, data: JSONBody[Switch]) -> Switch:
    """Switch your notices of a table on or off."""
    person = require_person(request, "act")
    await _default(request, table, person)
    await delivery_of(request).preferences.switch(table, person.who, data.on)
    return data


ROUTES = [push_key, get_preferences, put_preferences, get_switch, put_switch]
