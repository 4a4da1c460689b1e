"""What is refused, said kindly: a status, an error's key, the rule a move breaks, and words in the asker's language."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.status_codes import HTTP_500_INTERNAL_SERVER_ERROR

from registan.core.errors import BadInput, IllegalMove, RegistanError
from registan.core.messages import language, say
from registan.server.house import NoTable
from registan.server.logs import log
from registan.server.protocol import Refused

FORBIDDEN = ("error.house.not_your_seat", "error.house.not_host", "error.house.no_spectators")


class Unknown(RegistanError):
    """Nobody has said who is asking."""


class TooFast(RegistanError):
    """Somebody asks too often."""


def status_of(error: RegistanError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, Unknown):
        return 401
    if isinstance(error, NoTable):
        return 404
    if isinstance(error, TooFast):
        return 429
    if isinstance(error, IllegalMove):
        return 409
    return 403 if error.key in FORBIDDEN else 422


def refusal(error: RegistanError, lang: str, key: str = "") -> Refused:
    """Return an error as clients are told."""
    if isinstance(error, IllegalMove):
        return Refused(key, "illegal", error.text(lang), error.rule)
    return Refused(key, error.key, error.text(lang))


def lang_of(request: Request[Any, Any, Any]) -> str:
    """Return the language of whoever asks."""
    person = request.scope.get("state", {}).get("person")
    return person.lang if person else language(request.headers.get("accept-language", "en"))


def refused(request: Request[Any, Any, Any], error: RegistanError) -> Response[Refused]:
    """Answer with what was refused."""
    return Response(refusal(error, lang_of(request)), status_code=status_of(error))


def http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Refused]:
    """Answer what is wrong with the request itself, without repeating it."""
    lang = lang_of(request)
    key = {404: "error.house.no_page", 405: "error.house.no_page", 413: "error.house.too_large"}.get(error.status_code)
    return Response(
        Refused("", key or "error.house.request", say(lang, key or "error.house.request")),
        status_code=error.status_code,
    )


def broken(request: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    """Answer that something is wrong on our side; what it is goes to the log, and to nobody else."""
    log.error("request failed", path=request.url.path, why=repr(error))
    words = say(lang_of(request), "error.house.broken")
    return Response(Refused("", "error.house.broken", words), status_code=HTTP_500_INTERNAL_SERVER_ERROR)


def invalid(request: Request[Any, Any, Any], error: msgspec.MsgspecError) -> Response[Refused]:
    """Answer that a body could not be read."""
    return refused(request, BadInput("error.house.request"))
