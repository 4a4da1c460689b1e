"""Routes for operators: health, readiness and metrics."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Any

from litestar import MediaType, Request, Response, get
from prometheus_client import CONTENT_TYPE_LATEST

from registan.server.http.context import house_of

PROXIED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers of a request that came through a proxy: then the client's address is not the one of who asks."""


@get("/health", media_type=MediaType.TEXT, sync_to_thread=False)
def health() -> str:
    """Whether the process is alive."""
    return "ok"


@get("/ready", media_type=MediaType.TEXT)
async def ready(request: Request[Any, Any, Any]) -> Response[str]:
    """Whether the house can grant requests: the store writes to its disk, and the house is not shutting down."""
    wrong = await house_of(request).readiness.fault()
    return Response(f"not ready: {wrong}" if wrong else "ready", status_code=503 if wrong else 200)


def _operator(request: Request[Any, Any, Any]) -> bool:
    """Whether a request has the metrics token; without such a token, whether it comes from this machine directly."""
    token: str = request.app.state.metrics_token
    if token:
        return hmac.compare_digest(request.headers.get("authorization", "").encode(), f"Bearer {token}".encode())
    if any(header in request.headers for header in PROXIED):
        return False
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


@get("/metrics", sync_to_thread=False, include_in_schema=False)
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Metrics for Prometheus. They count what players must not know, so they are for operators only."""
    if not _operator(request):
        return Response(b"", status_code=403)
    return Response(house_of(request).metrics.written(), media_type=CONTENT_TYPE_LATEST)


ROUTES = [health, ready, metrics]
