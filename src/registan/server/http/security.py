"""Security of every request and response: other hosts and origins are refused, and responses carry headers."""

from __future__ import annotations

import time
from typing import Any

from litestar import Request, Response
from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from registan.server.errors import TooManyRequests, UnknownPerson, WrongHost
from registan.server.http.errors import refused
from registan.server.limits import Buckets
from registan.server.live.protocol import Refused
from registan.server.origin import Origins, client_address

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


def refuse(request: Request[Any, Any, Any]) -> Response[Refused] | None:
    """Refuse a request for another host, and a change that another site's page requests with its visitor's cookie.

    And refuse whoever is many people at one address and asks too often as all of them.
    """
    origins: Origins = request.app.state.origins
    if not origins.allows_host(request):
        return refused(request, WrongHost("error.house.host"))
    if request.method not in ("GET", "HEAD", "OPTIONS") and not origins.allows_page(request):
        return refused(request, UnknownPerson("error.house.origin"))
    buckets: Buckets = request.app.state.house.buckets
    asks = request.scope["path"].startswith("/api/")  # not for a file of the app
    if asks and not buckets.take("here", client_address(request), time.monotonic()):
        return refused(request, TooManyRequests("error.house.too_fast"))
    return None


async def add_headers(message: Message, scope: Scope) -> None:
    """Put the security headers on every response, errors included."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in HEADERS.items():
            headers[name] = value
