"""`registan backup` and `restore`: after a disaster the house goes on, and people are who they were."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from registan.cli import main
from registan.server.identity import COOKIE
from registan.server.key import house_key
from tests.server.conftest import fresh_database
from tests.server.place import Guest, Place, until

Database = Callable[[str, Path], str]


@pytest.fixture
def database(request: pytest.FixtureRequest) -> Database:
    """Return a function that names an empty database of a kind, for a house in a folder."""

    def named(kind: str, folder: Path) -> str:
        if kind == "sqlite":
            return str(folder / "house.db")
        return fresh_database(request.getfixturevalue("postgres"))

    return named


def run(*words: object) -> int:
    with pytest.raises(SystemExit) as done:
        main([str(word) for word in words])
    code: Any = done.value.code
    return int(code)


def play(guest: Guest, table: str, seat: int) -> None:
    guest.ask(table, do="play", seat=seat, move=guest.view(table, seat)["view"]["legal"][0])


class Player(threading.Thread):
    """Plays on while a backup is made."""

    def __init__(self, guest: Guest) -> None:
        super().__init__()
        self.guest, self.tables = guest, 0
        self.stop = threading.Event()

    def run(self) -> None:
        while not self.stop.is_set():
            self.guest.new_table("khiva")
            self.tables += 1


@pytest.mark.parametrize(
    ("old", "new"), [("sqlite", "sqlite"), ("postgres", "postgres"), ("sqlite", "postgres"), ("postgres", "sqlite")]
)
def test_a_house_is_restored_with_its_people(
    old: str, new: str, tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, file = tmp_path / "before", tmp_path / "after", tmp_path / "copies" / "monday.backup"
    place = Place(database(old, before), key=house_key(before))
    store = place.house.store.path if old == "sqlite" else place.house.store.url  # type: ignore[attr-defined]
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",), pace={"kind": "days", "days": 3})
    bo.sit(table)
    ann.start(table)
    play(ann, table, 0)
    ann.put("/api/me/notifications", webhook="https://example.org/ann")
    ann.put(f"/api/tables/{table}/notifications", on=True)
    phone = place.guest(None)
    phone.post("/api/handover", token=ann.post("/api/me/handover")["token"])
    [session] = [device["id"] for device in ann.get("/api/me/devices") if not device["here"]]
    assert ann.http.delete(f"/api/me/devices/{session}").status_code < 300
    seen = {"view": ann.view(table, 0), "theirs": bo.view(table, 1), "push": ann.get("/api/push/key")}

    player = Player(place.guest("Cy"))
    player.start()
    until(lambda: player.tables > 2)
    assert run("backup", file, "--data", before, "--store", store) == 0
    player.stop.set()
    player.join()
    play(bo, table, 1)  # after the backup
    place.close()
    assert f"{file.stat().st_mode & 0o777:o}" == "600"
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    shutil.rmtree(before, ignore_errors=True)  # the disaster

    url = database(new, after)
    assert run("restore", file, "--data", after, "--store", url) == 0
    assert "table" in capsys.readouterr().err
    again = Place(url, key=house_key(after))
    try:
        back, theirs, stolen = (again.guest(None) for _ in range(3))
        for device, cookies in ((back, ann), (theirs, bo), (stolen, phone)):
            device.http.cookies.set(COOKIE, cookies.cookie)
        assert back.get("/api/me")["name"] == "Ann"
        assert back.view(table, 0) == seen["view"]
        assert theirs.view(table, 1) == seen["theirs"]
        assert back.get("/api/push/key") == seen["push"]
        assert back.get("/api/me/notifications")["webhook"] == "https://example.org/ann"
        assert back.get(f"/api/tables/{table}/notifications") == {"on": True}
        assert stolen.http.get("/api/me/devices").status_code == 401, "what was signed out stays so"
        play(theirs, table, 1)  # and the game goes on
        for other in back.get("/api/tables"):
            back.get(f"/api/tables/{other['table']}")
    finally:
        again.close()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a backup of a house without tables."""
    house_key(tmp_path / "first")
    Place(str(tmp_path / "first" / "house.db")).close()
    assert run("backup", tmp_path / "copy", "--data", tmp_path / "first") == 0
    return tmp_path / "copy"


def test_nothing_is_overwritten(copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, contents = tmp_path / "first", copy.read_bytes()
    assert run("backup", copy, "--data", first) == 2
    assert run("backup", first / "house.db", "--data", first) == 2
    assert run("restore", copy, "--data", first) == 2
    said = capsys.readouterr().err
    assert said.count("nothing is overwritten") == 3
    assert copy.read_bytes() == contents
    other = tmp_path / "other"
    key = house_key(other)
    assert run("restore", copy, "--data", other, "--lang", "fr") == 2
    assert "clé de la sauvegarde" in capsys.readouterr().err
    assert house_key(other) == key
    assert [path.name for path in other.iterdir()] == ["key"]


def test_a_database_that_holds_a_house_is_not_overwritten(
    copy: Path, tmp_path: Path, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    url = fresh_database(postgres)
    place = Place(url)
    place.guest().new_table("khiva", ("",))
    place.close()
    assert run("restore", copy, "--data", tmp_path / "other", "--store", url) == 2
    assert "already holds a house" in capsys.readouterr().err
    assert not (tmp_path / "other" / "key").exists(), "all or nothing"


def test_a_restore_that_was_interrupted_after_the_key_can_be_repeated(copy: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.mkdir()
    shutil.copy(tmp_path / "first" / "key", new / "key")
    assert run("restore", copy, "--data", new) == 0


@pytest.mark.parametrize("fault", ["missing", "text", "cut", "keyless", "newer"])
def test_what_is_no_backup_is_refused(
    fault: str, copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if fault == "missing":
        copy.unlink()
    elif fault == "text":
        copy.write_text("no database at all, but long enough to look like a file of some kind" * 100)
    elif fault == "cut":
        copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    else:
        db = sqlite3.connect(copy)
        db.execute({"keyless": "DROP TABLE backup", "newer": "PRAGMA user_version = 99"}[fault])
        db.close()
    assert run("restore", copy, "--data", tmp_path / "new") == 2
    said = capsys.readouterr().err.splitlines()[-1]
    expected = {"missing": "no database", "newer": "version 99"}.get(fault, "not a backup")
    assert expected in said
    assert not list((tmp_path / "new").glob("*")), "nothing is left behind"


def test_a_backup_without_the_key_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Place(str(tmp_path / "house.db")).close()
    assert run("backup", tmp_path / "copy", "--data", tmp_path) == 2
    assert "There is no key" in capsys.readouterr().err
    house_key(tmp_path / "nowhere")
    assert run("backup", tmp_path / "copy", "--data", tmp_path / "nowhere") == 2
    assert "There is no database" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM backup",
        "UPDATE backup SET key = 'a text that is long enough to be a key of a house'",
        "UPDATE backup SET key = x'00'",
        "DROP TABLE sessions",
        "ALTER TABLE events ADD COLUMN more TEXT",
        'CREATE TABLE "x; DROP TABLE events" (a)',
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER gone AFTER INSERT ON events BEGIN DELETE FROM events; END",
        "PRAGMA user_version = -1",
    ],
)
def test_a_backup_that_somebody_has_changed_is_refused(
    tmp_path: Path, database: Database, change: str, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Place(str(tmp_path / "house.db"), key=house_key(tmp_path))
    place.close()
    assert run("backup", tmp_path / "backup", "--data", tmp_path) == 0
    changed = sqlite3.connect(tmp_path / "backup")
    changed.execute(change)
    changed.commit()
    changed.close()
    for kind in ("sqlite", "postgres"):
        folder = tmp_path / kind
        assert run("restore", tmp_path / "backup", "--data", folder, "--store", database(kind, folder)) == 2
        assert not (folder / "key").exists()
    assert "Traceback" not in capfd.readouterr().err
