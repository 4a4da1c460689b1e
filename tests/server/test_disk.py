"""A disk that is full, locked or read-only is said in words, to whoever plays and to whoever runs the house."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from registan.core.messages import LANGUAGES, say
from registan.server.storage import disk
from registan.server.storage.disk import disk_fault
from tests.server.place import Guest, Place

LIMIT = "PRAGMA max_page_count = {}"


def write(place: Place, job: Callable[[sqlite3.Connection], Any]) -> None:
    """Let the writer of the house do something with the database."""
    store: Any = place.house.store

    async def done() -> None:
        await store._do(job)

    place.run(done())


@contextmanager
def full(place: Place, _: Path) -> Iterator[None]:
    """Let the database not grow by another page."""
    pages: list[int] = []
    write(place, lambda db: pages.append(db.execute("PRAGMA page_count").fetchone()[0]))
    write(place, lambda db: db.execute(LIMIT.format(pages[0])).fetchone())
    yield
    write(place, lambda db: db.execute(LIMIT.format(1 << 30)).fetchone())


@contextmanager
def locked(place: Place, path: Path) -> Iterator[None]:
    """Let another program hold the lock of the database."""
    write(place, lambda db: db.execute("SELECT 1").fetchone())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@contextmanager
def read_only(place: Place, _: Path) -> Iterator[None]:
    """Let the database take no changes."""
    write(place, lambda db: db.execute("PRAGMA query_only = 1"))
    yield
    # A connection that has failed is replaced.


def say_much(guest: Guest, table: str) -> Any:
    """Say something until it does not fit any more, and return the last answer."""
    for _ in range(60):
        answer = guest.http.post(f"/api/tables/{table}", json={"do": "say", "seat": 0, "text": "x" * 400})
        if answer.status_code != 200:
            break
    return answer


@pytest.mark.parametrize(("trouble", "key"), [(full, disk.FULL), (locked, disk.LOCKED), (read_only, disk.READ_ONLY)])
def test_a_disk_that_takes_nothing_is_said_to_everybody(
    trouble: Any, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("registan.server.storage.sqlite.QUERY_SECONDS", 0.2)
    path = tmp_path / "house.db"
    place = Place(str(path))
    try:
        ann = place.guest()
        ann.http.post("/api/me", json={"name": "Ann", "lang": "fr"})
        table = ann.new_table("khiva", ("",))
        with trouble(place, path):
            answer = say_much(ann, table)
            assert (answer.status_code, answer.json()["error"]) == (503, key)
            assert answer.json()["text"] == say("fr", key)
            if trouble is locked:  # a full disk may still have room for the little that this check writes
                place.house.readiness._checked = 0.0
                ready = ann.http.get("/ready")
                assert (ready.status_code, ready.text) == (503, f"not ready: {say('en', key)}")
        assert say("en", key) in capfd.readouterr().err, "and to the operator"
        ann.ask(table, do="say", seat=0, text="better")  # and it goes on
        place.house.readiness._checked = 0.0
        assert ann.http.get("/ready").status_code == 200
    finally:
        place.close()


def test_the_cause_is_told_from_the_error() -> None:
    assert disk_fault(OSError(errno.ENOSPC, "")) == disk.FULL
    assert disk_fault(OSError(errno.EROFS, "")) == disk.READ_ONLY
    assert disk_fault(asyncpg.DiskFullError("")) == disk.FULL
    assert disk_fault(asyncpg.ReadOnlySQLTransactionError("")) == disk.READ_ONLY
    assert disk_fault(ConnectionResetError(errno.ECONNRESET, "")) is None
    assert disk_fault(asyncpg.UniqueViolationError("")) is None
    assert disk_fault(TimeoutError()) is None
    for key in disk.FAULTS:
        assert len({say(lang, key) for lang in LANGUAGES}) == len(LANGUAGES)
