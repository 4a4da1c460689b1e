"""The house as an ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from registan.core.errors import RegistanError
from registan.server.http import (
    boxes,
    errors,
    games,
    health,
    notifications,
    openapi,
    people,
    profile,
    puzzles,
    reviews,
    security,
    study,
    tables,
    verify,
)
from registan.server.http.context import JsonRequest
from registan.server.http.web_app import page
from registan.server.identity import Signer
from registan.server.limits import BODY, BOT_PACE, Caps
from registan.server.live.connection import watch_table
from registan.server.live.house import House
from registan.server.notices.delivery import Delivery
from registan.server.notices.push import Vapid
from registan.server.origin import Origins
from registan.server.siblings import Siblings
from registan.server.storage.store import Store

MODULES = (games, boxes, people, profile, tables, study, puzzles, reviews, verify, notifications, health)
REST = [route for module in MODULES for route in module.ROUTES]


def make_app(
    open_store: Callable[[], Any],
    signer: Signer,
    *,
    public_url: str,
    workers: int = 1,
    house: list[House] | None = None,
    notify_private: bool = False,
    bus: str = "",
    bot_pace: int = BOT_PACE,
    metrics_token: str = "",
    allowed_hosts: Iterable[str] = (),
    caps: Caps | None = None,
    siblings: Siblings | None = None,
) -> Litestar:
    """Return the application; it opens the store when it starts and closes it when it ends."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        store: Store = await open_store()
        app.state.house = opened = House(store, workers, bus=bus, bot_pace=bot_pace, caps=caps, siblings=siblings)
        vapid = Vapid(signer.derived("push"), public_url)
        app.state.delivery = opened.notices = Delivery(opened, vapid, public_url.rstrip("/"), notify_private)
        if house is not None:
            house.append(opened)
        await opened.sessions.tidy(opened.now())
        await opened.sessions.refresh()
        work = [asyncio.create_task(opened.resume()), asyncio.create_task(opened.watch_idle())]
        work.append(asyncio.create_task(opened.presences.watch()))
        work.append(asyncio.create_task(opened.results.fill()))
        if opened.shared:
            work.append(asyncio.create_task(opened.watch_sessions()))
        yield
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        await opened.close()

    return Litestar(
        [*openapi.with_refusals(REST), watch_table, page],
        lifespan=[lifespan],
        state=State(
            {
                "signer": signer,
                "public_url": public_url.rstrip("/"),
                "origins": Origins(public_url, allowed_hosts),
                "metrics_token": metrics_token,
            }
        ),
        request_class=JsonRequest,
        before_request=security.refuse,
        request_max_body_size=BODY,
        before_send=[security.add_headers],
        exception_handlers={
            RegistanError: errors.refused,
            HTTPException: errors.http_error,
            Exception: errors.internal_error,
        },
        openapi_config=openapi.CONFIG,
    )
