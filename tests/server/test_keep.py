"""`registan export` and `import`."""

from __future__ import annotations

from pathlib import Path

import pytest

from registan.cli import main
from tests.server.place import Place


def run(*words: object) -> None:
    with pytest.raises(SystemExit) as done:
        main([str(word) for word in words])
    assert done.value.code == 0


def test_a_house_moves_with_all_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    place = Place(str(old / "house.db"))
    ann = place.guest()
    table = ann.new_table("khiva", ("",))
    place.guest("Bo").sit(table)
    ann.start(table)
    ann.put("/api/me/notifications", webhook="https://example.org/ann")
    ann.put(f"/api/tables/{table}/notifications", on=True)
    view = ann.view(table, 0)
    place.close()
    file = tmp_path / "all.jsonl"
    run("export", file, "--data", old)
    assert "1 table" in capsys.readouterr().err
    run("import", file, "--data", new)
    run("import", file, "--data", new)
    assert "0 tables imported, 1" in capsys.readouterr().err
    again = Place(str(new / "house.db"))
    back = again.guest(None)
    back.http.cookies.update(ann.http.cookies)
    assert back.view(table, 0) == view
    assert back.get("/api/me/notifications")["webhook"] == "https://example.org/ann"
    assert back.get(f"/api/tables/{table}/notifications") == {"on": True}
    again.close()
