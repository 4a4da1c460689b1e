"""`registan serve`: open the house."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from registan.core.errors import BadInput
from registan.server.settings import settings


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    data: str | None = None,
    store: str | None = None,
    public_url: str | None = None,
    processes: int | None = None,
    workers: int | None = None,
    log_level: str | None = None,
    bus: str | None = None,
    allowed_hosts: str | None = None,
    trusted_proxies: str | None = None,
    notify_private: bool | None = None,
    config: Path | None = None,
    interpret: Annotated[bool, Parameter(negative=())] = False,
    open: Annotated[bool, Parameter(negative=())] = False,  # noqa: A002 - the name of the flag
    lang: str | None = None,
) -> int:
    """Open the house: tables for people and bots, over HTTP and WebSocket.

    You can also set every option in the environment (REGISTAN_PORT …) or in a TOML file (--config).

    Parameters
    ----------
    host
        The address to listen at (default 127.0.0.1).
    port
        The port (default 8137; 0 for any free port).
    data
        The folder for the database and the house's key.
    store
        Another database: an SQLite file, or postgresql://….
    public_url
        The address that people use, if the house is behind a proxy.
    processes
        How many processes serve this port together (default 1); several need PostgreSQL.
    workers
        How many bots can think at the same time in each process; 0 leaves it to `registan think`.
    log_level
        debug, info, warning or error.
    bus
        How processes that share a database tell each other of moves: redis://… (not needed with PostgreSQL).
    allowed_hosts
        Further names of the house, with commas. Addresses, localhost, this machine's name and that of public_url are
        always allowed.
    trusted_proxies
        Addresses or networks of reverse proxies, with commas: their X-Forwarded-For and -Proto are believed.
    notify_private
        Allow notices to addresses in the private network of the house.
    config
        A TOML file with these options.
    interpret
        Do not compile the rules.
    open
        Open the house in the browser.
    lang
        en or fr, for messages here.
    """
    given = {
        "host": host, "port": port, "data": data, "store": store, "public_url": public_url, "processes": processes,
        "workers": workers, "log_level": log_level, "bus": bus, "notify_private": notify_private,
        "allowed_hosts": allowed_hosts, "trusted_proxies": trusted_proxies,
    }  # fmt: skip
    from_env = os.environ.get("REGISTAN_CONFIG")
    chosen = settings(given, config or (Path(from_env) if from_env else None))
    with counting_together() if chosen.processes > 1 else nullcontext():
        try:
            from registan.server.serving import run
        except ModuleNotFoundError as error:
            raise BadInput("error.extra", package=error.name, extra="house") from None
        run(chosen, compile_rules=not interpret, browse=open)
    return 0


@contextmanager
def counting_together() -> Iterator[None]:
    """Let processes count metrics in one folder; the library wants to know before it is imported."""
    with tempfile.TemporaryDirectory(prefix="registan-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield
