"""A private PostgreSQL for the tests, and both kinds of store behind one name."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from registan.advice import review
from registan.server.live import reviewing
from tests.compiled import as_before, compiled_rules

__all__ = ["as_before", "compiled_rules"]


@pytest.fixture
def short_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few simulations: how good a review is, is tested elsewhere."""
    monkeypatch.setattr(reviewing, "SIMULATIONS", 1)
    monkeypatch.setattr(review, "FEWEST", 6)
    monkeypatch.setattr(review, "LONG", 24)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Yield the URL of a private PostgreSQL on loopback. It refuses root, so its processes run as 'postgres' then."""
    if url := os.environ.get("REGISTAN_TEST_PG"):
        yield url
        return
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    on_path = shutil.which("pg_ctl")
    if not found and on_path is None:
        pytest.fail("no PostgreSQL on this machine: sudo apt-get install postgresql")
    programs = (found[-1] if found else Path(str(on_path))).parent
    # Not under pytest's own folder, which only root may enter.
    folder = Path(tempfile.mkdtemp(prefix="registan-pg-"))
    before: list[str] = []
    if os.geteuid() == 0:
        import pwd

        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        before = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    port = free_port()

    def run(*command: str) -> None:
        line = [*before, str(programs / command[0]), *command[1:]]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    data = str(folder / "data")
    run("initdb", "-A", "trust", "-U", "postgres", "--no-sync", "-D", data)
    how = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", how, "start")
    yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    return fresh_database(request.getfixturevalue("postgres"))


def fresh_database(server: str) -> str:
    """Make an empty database on a PostgreSQL server and return its URL."""
    name = f"test_{os.urandom(6).hex()}"

    async def make() -> None:
        import asyncpg

        db: Any = await asyncpg.connect(server)
        await db.execute(f"CREATE DATABASE {name}")
        await db.close()

    asyncio.run(make())
    return server.rpartition("/")[0] + "/" + name


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Yield a house that is open for the tests of a file."""
    from tests.server.place import Place

    opened = Place(str(tmp_path_factory.mktemp("house") / "house.db"))
    yield opened
    opened.close()
