"""Errors as HTTP responses: a status, the error's key, the rule a move breaks, and a text in the person's language."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_500_INTERNAL_SERVER_ERROR

from registan.core.errors import BadRecord, IllegalMove, RegistanError
from registan.core.messages import language, say
from registan.server.errors import (
    Broken,
    Deleted,
    NoPuzzle,
    NoTable,
    TooManyRequests,
    Unavailable,
    UnknownPerson,
    Unreadable,
    WrongHost,
)
from registan.server.live.protocol import Refused, refusal
from registan.server.logs import log

FORBIDDEN = ("error.house.not_your_seat", "error.house.not_host", "error.house.no_spectators")


STATUSES: dict[type[RegistanError], int] = {
    UnknownPerson: 401,
    NoPuzzle: 404,
    NoTable: 404,
    IllegalMove: 409,
    Deleted: 410,
    Unreadable: 410,
    WrongHost: 421,
    BadRecord: 422,
    TooManyRequests: 429,
    Broken: 500,
    Unavailable: 503,
}


def status_of(error: RegistanError) -> int:
    """Return the HTTP status of an error."""
    if type(error) in STATUSES:
        return STATUSES[type(error)]
    return 403 if error.key in FORBIDDEN else 422


def lang_of(request: Request[Any, Any, Any]) -> str:
    """Return the language to answer in: the person's, else the browser's."""
    person = request.scope.get("state", {}).get("person")
    return person.lang if person else language(request.headers.get("accept-language", "en"))


def refused(request: Request[Any, Any, Any], error: RegistanError) -> Response[Refused]:
    """Return the response for an error of ours."""
    return _json(refusal(error, lang_of(request)), status_of(error))


def _json(told: Refused, status: int) -> Response[Refused]:
    """Return a refusal as JSON, also from a route that otherwise answers with text."""
    return Response(told, status_code=status, media_type=MediaType.JSON)


def http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Refused]:
    """Return the response for a malformed request, without quoting it."""
    lang = lang_of(request)
    key = {404: "error.house.no_page", 405: "error.house.no_page", 413: "error.house.too_large"}.get(error.status_code)
    return _json(Refused("", key or "error.house.request", say(lang, key or "error.house.request")), error.status_code)


def internal_error(request: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    """Return the response for a bug; only the log says what went wrong."""
    log.error("request failed", path=request.scope["path"], why=repr(error))
    text = say(lang_of(request), "error.house.broken")
    return _json(Refused("", "error.house.broken", text), HTTP_500_INTERNAL_SERVER_ERROR)
