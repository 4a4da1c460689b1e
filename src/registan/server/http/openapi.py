"""The OpenAPI description of the routes."""

from __future__ import annotations

from typing import Any

from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin

from registan import __version__
from registan.server.live.protocol import Refused

CONFIG = OpenAPIConfig(
    title="Registan",
    version=__version__,
    path="/api/schema",
    render_plugins=[JsonRenderPlugin()],
    use_handler_docstrings=True,
)

REFUSALS = {
    400: "The request is malformed.",
    401: "The request carries no valid cookie.",
    403: "The seat or table is somebody else's.",
    404: "Not found.",
    405: "The method is not allowed.",
    409: "The move breaks a rule.",
    410: "The table was deleted by its host, or cannot be read.",
    413: "The request is too large.",
    422: "The request is well formed but cannot be granted.",
    429: "Too many requests.",
}


def with_refusals(routes: list[Any]) -> list[Any]:
    """Return routes whose descriptions list how they may refuse."""
    for route in routes:
        route.responses = {
            status: ResponseSpec(Refused, generate_examples=False, description=text)
            for status, text in REFUSALS.items()
        } | dict(route.responses or {})
    return routes
