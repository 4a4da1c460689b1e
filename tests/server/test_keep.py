"""`registan export`, `import` and `backup`."""

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
    old, new, third = (tmp_path / name for name in ("old", "new", "third"))
    place = Place(str(old / "house.db"))
    ann = place.guest()
    table = ann.new_table("khiva", ("",))
    place.guest("Bo").ask(table, do="sit")
    ann.ask(table, do="start")
    ann.put("/api/me/notifications", webhook="https://example.org/ann")
    ann.put(f"/api/tables/{table}/notifications", on=True)
    view = ann.view(table, 0)
    run("backup", tmp_path / "copy.db", "--data", old)  # while it is open
    place.close()
    file = tmp_path / "all.jsonl"
    run("export", file, "--data", old)
    assert "1 table" in capsys.readouterr().err
    run("import", file, "--data", new)
    run("import", file, "--data", new)
    assert "0 tables imported, 1" in capsys.readouterr().err
    third.mkdir()
    (tmp_path / "copy.db").rename(third / "house.db")
    for folder in (new, third):
        again = Place(str(folder / "house.db"))
        back = again.guest(None)
        back.http.cookies.update(ann.http.cookies)
        assert back.view(table, 0) == view
        assert back.get("/api/me/notifications")["webhook"] == "https://example.org/ann"
        assert back.get(f"/api/tables/{table}/notifications") == {"on": True}
        again.close()
