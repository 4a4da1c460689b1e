"""Routes for operators: health, readiness and metrics."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from registan.server.http.context import house_of


@get("/health", media_type=MediaType.TEXT, sync_to_thread=False)
def health() -> str:
    """Whether the process is alive."""
    return "ok"


@get("/ready", media_type=MediaType.TEXT)
async def ready(request: Request[Any, Any, Any]) -> Response[str]:
    """Whether the house can grant requests: the store answers, and the house is not shutting down."""
    house = house_of(request)
    good = house.open and await house.store.ready()
    return Response("ready" if good else "not ready", status_code=200 if good else 503)


@get("/metrics", sync_to_thread=False, include_in_schema=False)
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Metrics for Prometheus."""
    return Response(generate_latest(house_of(request).metrics.registry), media_type=CONTENT_TYPE_LATEST)


ROUTES = [health, ready, metrics]
