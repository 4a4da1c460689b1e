"""A database that an earlier version has made: a real file, brought up to date when the house opens."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from registan.server.identity import COOKIE, Person
from registan.server.storage import sqlite as lite
from registan.server.storage.store import open_store
from registan.tables import events as e
from registan.tables.table import Table
from registan.tables.views import show
from tests.server.place import Place

CORPUS = Path(__file__).resolve().parent / "corpus"
OLD = sorted(path.stem for path in CORPUS.glob("house-*.db"))


@pytest.mark.parametrize("name", OLD)
def test_a_house_of_an_earlier_version_opens_with_all_its_tables(name: str, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    shutil.copy(CORPUS / f"{name}.db", path)
    assert _version(path) == int(name.partition("-")[2]) < len(lite.MIGRATIONS)
    expected: dict[str, Any] = json.loads((CORPUS / f"{name}.json").read_text())
    owner = asyncio.run(_check(path, expected))
    assert _version(path) == len(lite.MIGRATIONS)
    place = Place(str(path))
    ann = place.guest(None)
    ann.http.cookies.set(COOKIE, place.signer.cookie(Person(owner, "Ann")))
    try:
        assert {card["table"] for card in ann.get("/api/me/tables")} == set(expected)
        for table, wanted in expected.items():
            assert len(ann.view(table, 0)["log"]) >= wanted["log"][1]
            if wanted["status"] == "over":
                assert ann.get(f"/api/tables/{table}/verify")["good"]
                assert ann.get(f"/api/tables/{table}/moments/{wanted['log'][0]}")["asked"] == "over"
            else:  # what is new works with what is old
                ann.put(f"/api/tables/{table}/notifications", on=False)
                ann.ask(table, do="say", seat=0, text="back again", key="k")
        ann.put("/api/me/notifications", webhook="https://example.org/x")
    finally:
        place.close()


async def _check(path: Path, expected: dict[str, Any]) -> str:
    """Replay the logs as they were stored, and return who made the tables."""
    store = await open_store(str(path))
    host = ""
    for name, wanted in expected.items():
        table = Table(e.loads(data) for data in await store.log(name))
        assert (table.created.game, table.status) == (wanted["game"], wanted["status"])
        assert [len(show(table, audience)["log"]) for audience in (-1, 0, 1)] == wanted["log"]
        host = table.created.host
    await store.close()
    return host


def _version(path: Path) -> int:
    db = sqlite3.connect(path)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    db.close()
    return int(version)
