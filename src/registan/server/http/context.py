"""What routes need to know of a request: the house, the person who sent it, and whether the rate limit allows it."""

from __future__ import annotations

import time
from typing import Annotated, Any

from litestar import Request
from litestar.datastructures import Cookie
from litestar.exceptions import ClientException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.params import FromPath, Parameter

from registan.core.errors import BadInput
from registan.server.errors import TooManyRequests, UnknownPerson
from registan.server.identity import COOKIE, Person, Signer
from registan.server.limits import CONTAINERS, COOKIE_DAYS, TABLE_ID
from registan.server.live.house import House
from registan.server.origin import client_address
from registan.server.storage.sessions import Sessions
from registan.tables.table import Table

TableId = FromPath[Annotated[str, Parameter(max_length=40, pattern=TABLE_ID)]]
GameKey = FromPath[Annotated[str, Parameter(max_length=20)]]


class JsonRequest(Request[Any, Any, Any]):
    """A request whose body may be anything."""

    async def json(self) -> Any:
        """Return the body; one that is not text, or too deep to read, is as malformed as any other."""
        body = await self.body()
        if body.count(b"{") + body.count(b"[") > CONTAINERS:
            raise RequestEntityTooLarge
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError) as error:
            raise ClientException from error


def house_of(request: Request[Any, Any, Any]) -> House:
    """Return the house."""
    house: House = request.app.state.house
    return house


def signer_of(request: Request[Any, Any, Any]) -> Signer:
    """Return what signs the cookies of this house."""
    signer: Signer = request.app.state.signer
    return signer


def sessions_of(request: Request[Any, Any, Any]) -> Sessions:
    """Return the sessions of the people of this house."""
    return house_of(request).sessions


def person_of(request: Request[Any, Any, Any]) -> Person | None:
    """Return the person whose cookie the request carries, if any."""
    person = sessions_of(request).person(signer_of(request), request.cookies.get(COOKIE))
    request.scope.setdefault("state", {})["person"] = person
    return person


def require_person(request: Request[Any, Any, Any], what: str = "ask") -> Person:
    """Return the person; raise UnknownPerson without a valid cookie, TooManyRequests past the rate limit."""
    person = person_of(request)
    if person is None:
        raise UnknownPerson("error.house.who")
    limit_rate(request, what, person.who)
    return person


def limit_rate(request: Request[Any, Any, Any], what: str, who: str | None = None) -> None:
    """Raise TooManyRequests if a person, or else an address, is past its rate limit."""
    if not house_of(request).buckets.take(what, who or client_address(request), time.monotonic()):
        raise TooManyRequests("error.house.too_fast")


async def ended_table(request: Request[Any, Any, Any], table: str) -> Table:
    """Return a table whose game is over for whoever asks; raise BadInput if it is not."""
    person = person_of(request)
    found = (await house_of(request).table(table)).table
    if not found.ended_for(found.seats_of(person.who) if person else ()):
        raise BadInput("error.house.not_over")
    return found


def cookie_of(request: Request[Any, Any, Any], person: Person) -> Cookie:
    """Return the cookie that identifies a person from now on."""
    return Cookie(
        key=COOKIE,
        value=signer_of(request).cookie(person),
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        secure=request.app.state.public_url.startswith("https://"),
        samesite="lax",
    )
