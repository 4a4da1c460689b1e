"""Security of every request and response: requests from other origins are refused, and responses carry headers."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response
from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from registan.server.errors import UnknownPerson
from registan.server.http.errors import refused
from registan.server.identity import same_origin
from registan.server.live.protocol import Refused

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def refuse_other_origins(request: Request[Any, Any, Any]) -> Response[Refused] | None:
    """Refuse a change that a page of another origin requests with its visitor's cookie."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    public_url: str = request.app.state.public_url
    if same_origin(request.headers.get("origin"), request.headers.get("host"), public_url):
        return None
    return refused(request, UnknownPerson("error.house.origin"))


async def add_headers(message: Message, scope: Scope) -> None:
    """Put the security headers on every response, errors included."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers[name] = value
