"""`registan migrate --check`: what the present code makes of a whole database, before it is used."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from registan.cli import main
from registan.server.storage.store import Store, open_store
from registan.server.storage.summary import summarize
from registan.tables import events as e
from registan.tables import save
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.requests import Play, Start
from registan.tables.seats import Seat
from registan.tables.snapshot import snapshot
from registan.tables.table import Table, replay
from tests.well_versions import NEW, OLD, installed, make_newer

CORPUS = Path(__file__).resolve().parent / "corpus"


def play(name: str, game: str, moves: int) -> tuple[Table, list[bytes]]:
    """Return a table where somebody has played so many moves, for all seats, and its log."""
    people = [Seat(kind="person", who="p0", name=f"Player {i}") for i in range(3)]
    made = create(name, "p0", 1000, bytes(32), game, people, {}, Pace())
    table = replay([made])
    log: list[e.Event] = [made, *Start().carry_out(table, "p0", 2000)]
    while len(log) < moves + 2 and not table.finished:
        seat = table.playing.waiting[0]
        move = table.playing.legal(seat)[-1]
        log += Play(seat=seat, move=move).carry_out(table, table.seats[seat].who, table.latest + 1)
    return table, [e.dumps(event) for event in log]


async def fill(store: Store) -> None:
    """Store a finished and a running table of the example game, the latter with a save, and one of another game."""
    for name, game, moves in (("finished", "well", 100), ("khiva", "khiva", 12), ("running", "well", 15)):
        table, log = play(name, game, moves)
        await store.append(summarize(table), 0, log)
        if table.finished:
            await store.keep_snapshot(name, table.seq, snapshot(table).packed())
        elif game == "well":
            kept = save.packed(save.save(table))
            await store.execute("INSERT INTO saves VALUES ($1, $2, $3)", name, table.seq, kept)


@pytest.fixture
def old(url: str) -> str:
    """Return the URL of a database that was made with version 1 of the example game."""

    async def make() -> None:
        store = await open_store(url)
        await fill(store)
        await store.close()

    with installed(OLD):
        asyncio.run(make())
    return url


def check(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    """Run the command; return its exit code, what it says of each table, and its last line."""
    with pytest.raises(SystemExit) as done:
        main(["migrate", "--check", "--json", *words])
    said = capsys.readouterr()
    code: Any = done.value.code
    rows = [json.loads(line) for line in said.out.splitlines()]
    return code, {row["table"]: row for row in rows}, said.err.strip().splitlines()[-1]


def files(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def test_a_house_that_keeps_the_old_rules_reads_everything(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    make_newer(site)
    before = files(tmp_path)
    with installed(NEW, site):
        code, rows, last = check(capsys, old)
    assert (code, last) == (0, "3 tables replayed: 3 ok, 0 different, 0 unreadable.")
    assert {row["result"] for row in rows.values()} == {"ok"}
    assert rows["finished"]["version"] == 1
    after = {name: digest for name, digest in files(tmp_path).items() if not name.endswith(".pyc")}
    assert after == before, "nothing is written"


def test_tables_that_were_made_by_other_rules_are_found(
    old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    make_newer(site, keep_old=False, version=1)  # W3 has changed, and the version has not
    with installed(OLD):
        log = [e.loads(data) for data in play("finished", "well", 100)[1]]
        states = [replay(log[:n]).playing.state.points.tolist() for n in range(2, len(log) + 1)]
    with installed(NEW, site):
        others = [replay(log[:n]).playing.state.points.tolist() for n in range(2, len(log) + 1)]
        code, rows, last = check(capsys, old)
    first = 2 + next(i for i, (one, other) in enumerate(zip(states, others)) if one != other)
    assert (code, last) == (1, "3 tables replayed: 1 ok, 2 different, 0 unreadable.")
    assert {name: row["result"] for name, row in rows.items()} == {
        "finished": "differs", "khiva": "ok", "running": "differs",
    }  # fmt: skip
    assert rows["finished"]["event"] == rows["running"]["event"] == first
    assert "state after line" in rows["finished"]["why"]


def test_a_version_that_is_missing_is_named(old: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "site"
    make_newer(site, keep_old=False)
    with installed(NEW, site):
        code, rows, _ = check(capsys, old, "--lang", "fr")
    assert code == 1
    assert (rows["finished"]["result"], rows["finished"]["event"]) == ("unreadable", 1)
    assert "version 1" in rows["finished"]["why"]
    assert rows["khiva"]["result"] == "ok"


@pytest.mark.parametrize(
    ("damage", "result", "event"),
    [
        ("UPDATE events SET data = x'00' WHERE table_id = 'khiva' AND seq = 5", "unreadable", 5),
        ("DELETE FROM events WHERE table_id = 'khiva' AND seq = 14", "unreadable", 13),
        ("DELETE FROM events WHERE table_id = 'khiva' AND seq = 3", "differs", None),
        ("DELETE FROM events WHERE table_id = 'khiva'", "unreadable", 0),
        ("UPDATE tables SET card = replace(card, '\"running\"', '\"paused\"') WHERE id = 'khiva'", "differs", 14),
    ],
)
def test_a_damaged_table_is_found_and_the_others_are_well(
    damage: str, result: str, event: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "house.db"

    async def make() -> None:
        store = await open_store(str(path))
        for name in ("khiva", "other"):
            table, log = play(name, "khiva", 12)
            await store.append(summarize(table), 0, log)
        await store.close()

    asyncio.run(make())
    db = sqlite3.connect(path)
    assert db.execute(damage).rowcount > 0
    db.commit()
    db.close()
    code, rows, _ = check(capsys, str(tmp_path))  # the folder is enough
    assert code == 1
    assert rows["other"]["result"] == "ok"
    assert rows["khiva"]["result"] == result
    assert rows["khiva"]["why"]
    if event is not None:
        assert rows["khiva"]["event"] == event


def test_a_house_may_be_open_meanwhile_and_an_old_schema_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "house.db"
    shutil.copy(CORPUS / "house-2.db", path)
    assert check(capsys, str(path))[0] == 0
    assert path.read_bytes() == (CORPUS / "house-2.db").read_bytes()

    async def run() -> None:
        store = await open_store(str(tmp_path / "open.db"))
        table, log = play("khiva", "khiva", 3)
        await store.append(summarize(table), 0, log)
        code, rows, _ = await asyncio.to_thread(check, capsys, str(tmp_path / "open.db"))
        assert (code, list(rows)) == (0, ["khiva"])
        await store.close()

    asyncio.run(run())


def test_what_is_no_house_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text").write_text("nothing")
    sqlite3.connect(tmp_path / "empty.db").executescript("CREATE TABLE x (y)").connection.close()
    for place, said in (("text", "cannot be used"), ("empty.db", "does not hold a house"), ("gone", "no database")):
        for words in (["--check"], []) if place == "gone" else (["--check"],):
            with pytest.raises(SystemExit) as done:
                main(["migrate", *words, str(tmp_path / place)])
            assert done.value.code == 2
            assert said in capsys.readouterr().err


def test_without_check_the_database_is_brought_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(CORPUS / "house-2.db", tmp_path / "house.db")
    with pytest.raises(SystemExit) as done:
        main(["migrate", str(tmp_path)])
    assert done.value.code == 0
    db = sqlite3.connect(tmp_path / "house.db")
    assert db.execute("PRAGMA user_version").fetchone()[0] > 2
    db.close()
    assert "up to date" in capsys.readouterr().err
