"""`registan verify`."""

from __future__ import annotations

from pathlib import Path

import pytest

from registan.cli.verify import verify
from registan.core.errors import BadInput
from registan.core.record import dumps
from registan.tables import events as e
from tests.tables.house import new_table
from tests.tables.test_fairness import played, tamper_secret


def test_it_says_whether_the_house_kept_its_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played("khiva")
    file = tmp_path / "games.jsonl"
    file.write_bytes(dumps(record) + b"\n")
    assert verify(file) == 0
    assert "line 1: the house kept its word" in capsys.readouterr().out
    tamper_secret(record)
    file.write_bytes(dumps(record) + b"\nno json\n")
    assert verify(file, lang="fr") == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "ligne 1: Le secret n’est pas celui sur lequel la maison s’est engagée."
    assert out[1].startswith("ligne 2: ")


def test_it_says_of_a_deal_in_the_earlier_way_that_the_house_could_choose_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, _ = new_table("khiva", start=False)
    table.add(e.Started(at=2000, scheme=1))
    table.status = "abandoned"
    file = tmp_path / "games.jsonl"
    file.write_bytes(dumps(table.record()) + b"\n")
    assert verify(file) == 0
    assert "the house could try out deals" in capsys.readouterr().out
    file.write_bytes(dumps(played("khiva")) + b"\n")
    assert verify(file) == 0
    assert "try out" not in capsys.readouterr().out


def test_without_a_record_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(BadInput, match="no record"):
        verify(tmp_path / "empty")
    with pytest.raises(BadInput, match="cannot be read"):
        verify(tmp_path / "nowhere")
