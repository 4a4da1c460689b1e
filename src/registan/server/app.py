"""The house as an ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import MutableScopeHeaders, State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from registan import __version__
from registan.core.errors import RegistanError
from registan.server import answers, notify_routes, verify_routes
from registan.server.boards import get_board
from registan.server.house import House
from registan.server.identity import Signer
from registan.server.limits import BODY
from registan.server.live import live, same_origin
from registan.server.postman import Postman
from registan.server.protocol import Refused
from registan.server.push import Vapid
from registan.server.rest import ROUTES
from registan.server.storage import Store
from registan.server.web import page

SECURITY = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def keep_strangers_out(request: Request[Any, Any, Any]) -> Response[Refused] | None:
    """Refuse what a page of another origin asks in the name of its visitor."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return None
    public_url: str = request.app.state.public_url
    if same_origin(request.headers.get("origin"), request.headers.get("host"), public_url):
        return None
    return answers.refused(request, answers.Unknown("error.house.origin"))


async def protect(message: Message, scope: Scope) -> None:
    """Put the security headers on every answer, errors included."""
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY.items():
            headers[name] = value


REFUSALS = {
    400: "The request cannot be understood.",
    401: "Nobody has said who is asking.",
    403: "It is somebody else's.",
    404: "There is nothing here.",
    405: "Nothing is done here in this way.",
    409: "The move breaks a rule.",
    413: "The request is too large.",
    422: "It cannot be granted.",
    429: "Too many requests.",
}


def described(routes: list[Any]) -> list[Any]:
    """Return routes that say how they may refuse."""
    for route in routes:
        route.responses = {
            status: ResponseSpec(Refused, generate_examples=False, description=words)
            for status, words in REFUSALS.items()
        } | dict(route.responses or {})
    return routes


def make_app(
    open_store: Callable[[], Any],
    signer: Signer,
    *,
    public_url: str,
    workers: int = 1,
    house: list[House] | None = None,
    notify_private: bool = False,
    bus: str = "",
) -> Litestar:
    """Return the application; the store is opened when it starts and closed when it ends."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        store: Store = await open_store()
        app.state.house = opened = House(store, workers, bus=bus)
        vapid = Vapid(signer.derived("push"), public_url)
        app.state.postman = opened.postman = Postman(opened, vapid, public_url.rstrip("/"), notify_private)
        if house is not None:
            house.append(opened)
        waking = asyncio.create_task(opened.wake())
        yield
        waking.cancel()
        await asyncio.gather(waking, return_exceptions=True)
        await opened.close()

    return Litestar(
        [*described([*ROUTES, *notify_routes.ROUTES, *verify_routes.ROUTES, get_board]), live, page],
        lifespan=[lifespan],
        state=State({"signer": signer, "public_url": public_url.rstrip("/")}),
        before_request=keep_strangers_out,
        request_max_body_size=BODY,
        before_send=[protect],
        exception_handlers={
            RegistanError: answers.refused,
            HTTPException: answers.http_error,
            Exception: answers.broken,
        },
        openapi_config=OpenAPIConfig(
            title="Registan", version=__version__, path="/api/schema", render_plugins=[JsonRenderPlugin()]
        ),
    )
