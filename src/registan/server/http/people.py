"""Routes for people: a guest's name and language, and taking one's identity to a second device."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, get, post
from litestar.params import JSONBody
from msgspec import Meta

from registan.core.errors import BadInput
from registan.server.http.context import cookie_of, limit_rate, person_of, require_person, signer_of
from registan.server.identity import Person, new_guest
from registan.server.live import protocol as p
from registan.tables import requests


class Guest(msgspec.Struct, forbid_unknown_fields=True):
    """The name and language a person chooses."""

    name: p.Name
    lang: Literal["en", "fr"] = "en"


class Me(msgspec.Struct):
    """The person who asks."""

    name: str
    lang: str


class Handover(msgspec.Struct, forbid_unknown_fields=True):
    """A token that identifies a second device as the same person."""

    token: Annotated[str, Meta(max_length=500)]


@post("/api/me", status_code=200)
async def set_me(request: Request[Any, Any, Any], data: JSONBody[Guest]) -> Response[Me]:
    """Become a guest, or change your name or language."""
    known = person_of(request)
    limit_rate(request, "guest", known.who if known else None)
    name = requests.clean(data.name, requests.NAME_LENGTH)
    person = Person(known.who, name, data.lang) if known else new_guest(name, data.lang)
    if known and known.lang != data.lang:
        await request.app.state.delivery.preferences.set_language(person.who, data.lang)
    return Response(Me(name, data.lang), cookies=[cookie_of(request, person)])


@get("/api/me", sync_to_thread=False)
def get_me(request: Request[Any, Any, Any]) -> Me | None:
    """Who you are; null before you have chosen a name."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    return Me(person.name, person.lang) if person else None


@post("/api/me/handover", status_code=200, sync_to_thread=False)
def give_handover(request: Request[Any, Any, Any]) -> Handover:
    """A token that identifies a second device as you, valid for ten minutes."""
    return Handover(signer_of(request).handover(require_person(request, "act")))


@post("/api/handover", status_code=200, sync_to_thread=False)
def take_handover(request: Request[Any, Any, Any], data: JSONBody[Handover]) -> Response[Me]:
    """Become the person who issued a token."""
    limit_rate(request, "guest")
    person = signer_of(request).handed_over(data.token)
    if person is None:
        raise BadInput("error.house.handover")
    return Response(Me(person.name, person.lang), cookies=[cookie_of(request, person)])


ROUTES = [set_me, get_me, give_handover, take_handover]
