"""`registan serve`: open the house."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from registan.server.serving import run
from registan.server.settings import settings


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    data: str | None = None,
    store: str | None = None,
    public_url: str | None = None,
    workers: int | None = None,
    log_level: str | None = None,
    bus: str | None = None,
    notify_private: bool | None = None,
    config: Path | None = None,
    interpret: Annotated[bool, Parameter(negative=())] = False,
    open: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002 - the name of the flag
    lang: str | None = None,
) -> int:
    """Open the house: tables for people and bots, over HTTP and WebSocket.

    Every option may also stand in the environment (REGISTAN_PORT …) or in a TOML file (--config).

    Parameters
    ----------
    host
        The address to listen at (default 127.0.0.1).
    port
        The port (default 8137; 0 for any that is free).
    data
        The folder for the database and the house's key.
    store
        Another database: a file of SQLite, or postgresql://….
    public_url
        The address people use, where another server stands in front.
    workers
        How many bots think at once.
    log_level
        debug, info, warning or error.
    bus
        Where processes that share a store tell each other of moves: redis://… (PostgreSQL does so by itself).
    notify_private
        Let notices go to addresses of the house's own network.
    config
        A TOML file with these options.
    interpret
        Leave the rules uncompiled.
    open
        Open the house in the browser.
    lang
        en or fr, for messages here.
    """
    given = {
        "host": host, "port": port, "data": data, "store": store, "public_url": public_url, "workers": workers,
        "log_level": log_level, "bus": bus, "notify_private": notify_private,
    }  # fmt: skip
    from_env = os.environ.get("REGISTAN_CONFIG")
    chosen = settings(given, config or (Path(from_env) if from_env else None))
    run(chosen, compile_rules=not interpret, browse=open)
    return 0
