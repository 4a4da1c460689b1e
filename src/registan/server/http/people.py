"""Routes for people: a guest's name and language, and taking one's identity to a second device."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.params import FromPath, JSONBody, Parameter
from msgspec import Meta

from registan.core.errors import BadInput
from registan.server.http.context import (
    cookie_of,
    house_of,
    limit_rate,
    person_of,
    require_person,
    sessions_of,
    signer_of,
)
from registan.server.identity import OLDER, Person, new_guest, new_session
from registan.server.live import protocol as p
from registan.server.storage.sessions import Session, device_name
from registan.tables.texts import FACES, NAME_LENGTH, PROGRAM, clean, face_of, one_of


class Guest(msgspec.Struct, forbid_unknown_fields=True):
    """The name, language and face a person chooses."""

    name: p.Name
    lang: Literal["en", "fr"] = "en"
    face: Annotated[str, Meta(max_length=20)] | None = None
    """One of the house's drawings; null leaves it as it is."""
    program: bool = False
    """Whether this is a new guest who is a program: others see that, and it cannot be changed."""


class Me(msgspec.Struct):
    """The person who asks."""

    name: str
    lang: str
    face: str
    """The drawing that others see."""


class Handover(msgspec.Struct, forbid_unknown_fields=True):
    """A token that identifies a second device as the same person."""

    token: Annotated[str, Meta(max_length=500)]


class TakenHandover(Handover, forbid_unknown_fields=True):
    """A token to use; `replace` allows it to take the place of another identity on this device."""

    replace: bool = False


class HandoverOffer(msgspec.Struct):
    """Who a token would make you."""

    name: str
    replaces: str | None
    """Your present name, if you are somebody else whose seats would be lost on this device."""


class Device(msgspec.Struct):
    """A device that you use."""

    id: str
    device: str
    """Browser and system, as far as they are known."""
    since: int
    here: bool
    """Whether it is the one that asks."""


@post("/api/me", status_code=200)
async def set_me(request: Request[Any, Any, Any], data: JSONBody[Guest]) -> Response[Me]:
    """Become a guest, or change your name or language."""
    known = person_of(request)
    limit_rate(request, "guest", known.who if known else None)
    if data.program and known and known.face != PROGRAM:
        raise BadInput("error.house.program")
    name = clean(data.name, NAME_LENGTH)
    face = one_of(data.face, FACES) if data.face is not None else known.face if known else ""
    if data.program or (known and known.face == PROGRAM):
        face = PROGRAM
    person = known or new_guest(name, data.lang)
    person = msgspec.structs.replace(person, name=name, lang=data.lang, face=face)
    if known and known.session == OLDER:  # a cookie of an earlier version gets a session
        await _begin(request, person)
        person = msgspec.structs.replace(person, session=new_session())
    if known is None or known.session != person.session:
        await _begin(request, person)
    if known and known.lang != data.lang:
        await request.app.state.delivery.preferences.set_language(person.who, data.lang)
    return Response(_me(person), cookies=[cookie_of(request, person)])


def _me(person: Person) -> Me:
    return Me(person.name, person.lang, person.face or face_of(person.who))


async def _begin(request: Request[Any, Any, Any], person: Person) -> None:
    now = house_of(request).now()
    await sessions_of(request).begin(person, request.headers.get("user-agent", ""), now)


@get("/api/me", sync_to_thread=False)
def get_me(request: Request[Any, Any, Any]) -> Me | None:
    """Who you are; null before you have chosen a name."""
    person = person_of(request)
    limit_rate(request, "ask", person.who if person else None)
    return _me(person) if person else None


@get("/api/me/devices")
async def get_devices(request: Request[Any, Any, Any]) -> list[Device]:
    """The devices that you use, this one among them."""
    return await _devices(request, require_person(request))


async def _devices(request: Request[Any, Any, Any], person: Person) -> list[Device]:
    found = await sessions_of(request).of(person.who)
    if person.session not in [session.id for session in found]:
        found.append(Session(person.session, device_name(request.headers.get("user-agent", "")), 0))
    return [Device(each.id, each.device, each.since, each.id == person.session) for each in found]


@delete("/api/me/devices/{device:str}", status_code=200)
async def sign_out(
    request: Request[Any, Any, Any], device: FromPath[Annotated[str, Parameter(max_length=40)]]
) -> Response[list[Device]]:
    """Sign a device out: it is nobody from then on. The answer is the list of the others."""
    person = require_person(request, "act")
    if device not in [each.id for each in await _devices(request, person)]:
        raise BadInput("error.house.device")
    await sessions_of(request).end(person.who, device)
    house_of(request).disconnect({(person.who, device)})
    if device == person.session:
        gone = dataclasses.replace(cookie_of(request, person), value="", max_age=0)
        return Response([], cookies=[gone])
    return Response(await _devices(request, person))


@post("/api/me/handover", status_code=200, sync_to_thread=False)
def give_handover(request: Request[Any, Any, Any]) -> Handover:
    """A token that identifies a second device as you: for fifteen minutes, and once."""
    return Handover(signer_of(request).handover(require_person(request, "act")))


@post("/api/handover/offer", status_code=200, sync_to_thread=False)
def look_at_handover(request: Request[Any, Any, Any], data: JSONBody[Handover]) -> HandoverOffer:
    """Who a token would make you. This changes nothing, and does not use the token up."""
    limit_rate(request, "guest")
    person, known = _handed_over(request, data.token), person_of(request)
    return HandoverOffer(person.name, known.name if known and known.who != person.who else None)


@post("/api/handover", status_code=200)
async def take_handover(request: Request[Any, Any, Any], data: JSONBody[TakenHandover]) -> Response[Me]:
    """Become the person who issued a token. It takes the place of another identity only if you say so."""
    limit_rate(request, "guest")
    person, known = _handed_over(request, data.token), person_of(request)
    if known and known.who != person.who and not data.replace:
        raise BadInput("error.house.handover_other", name=known.name)
    sessions = sessions_of(request)
    if not await sessions.use(person.session, house_of(request).now()):
        raise BadInput("error.house.handover")
    await _begin(request, person)
    if known and known.session != OLDER:  # this device has a new session now
        await sessions.end(known.who, known.session)
        house_of(request).disconnect({(known.who, known.session)})
    return Response(_me(person), cookies=[cookie_of(request, person)])


def _handed_over(request: Request[Any, Any, Any], token: str) -> Person:
    """Return the person a token identifies; it is worth nothing if the device it comes from was signed out since."""
    found = signer_of(request).handed_over(token)
    if found is None or not sessions_of(request).valid(found[1]):
        raise BadInput("error.house.handover")
    return found[0]


ROUTES = [set_me, get_me, get_devices, sign_out, give_handover, look_at_handover, take_handover]
