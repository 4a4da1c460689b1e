"""`registan think`: think for the bots of a house."""

from __future__ import annotations

import os
from pathlib import Path

from registan.core.errors import BadInput
from registan.server.settings import settings


def think(
    *,
    store: str | None = None,
    workers: int | None = None,
    log_level: str | None = None,
    config: Path | None = None,
    lang: str | None = None,
) -> int:
    """Think for the bots of a house, on this machine or another.

    It takes questions from the house's PostgreSQL database, each with what its bot may see and nothing else, and
    answers them there. Start as many as you like, and stop them when you like: what one has not finished, another does.

    Parameters
    ----------
    store
        The database of the house: postgresql://….
    workers
        How many bots can think at the same time.
    log_level
        debug, info, warning or error.
    config
        A TOML file with these options.
    lang
        en or fr, for messages here.
    """
    try:
        from registan.server.think import run
    except ModuleNotFoundError as error:
        raise BadInput("error.extra", package=error.name, extra="house") from None
    from_env = os.environ.get("REGISTAN_CONFIG")
    given = {"store": store, "workers": workers, "log_level": log_level}
    run(settings(given, config or (Path(from_env) if from_env else None)))
    return 0
