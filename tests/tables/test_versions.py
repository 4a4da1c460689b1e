"""After a change of rules, old tables are played by their old rules to the end, and new ones by the new rules."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from registan.core import engine, rules
from registan.core import record as records
from registan.core.engine import Engine
from registan.core.errors import BadInput, BadRecord
from registan.core.messages import LANGUAGES
from registan.core.registry import find
from registan.tables import events as e
from registan.tables import save
from registan.tables.creation import create, rematch
from registan.tables.fairness import verify
from registan.tables.pace import Pace
from registan.tables.requests import Play
from registan.tables.seats import Seat
from registan.tables.snapshot import snapshot, unpack
from registan.tables.study import Branch, moments, open_record
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import begin
from tests.well_versions import NEW, OLD, installed, make_newer


def play(table: Table, moves: int) -> list[bytes]:
    """Play on: always the most thirsty camel."""
    done = []
    for _ in range(moves):
        if table.finished:
            break
        seat = table.playing.waiting[0]
        move = table.playing.legal(seat)[-1]
        done += Play(seat=seat, move=move).carry_out(table, table.seats[seat].who, table.latest + 1000)
    return [e.dumps(event) for event in done]


def new_table(secret: bytes = bytes(32)) -> tuple[Table, list[bytes]]:
    people = [Seat(kind="person", who=f"p{i}", name=f"Player {i}") for i in range(3)]
    made = create("t", "p0", 1000, secret, "well", people, {}, Pace())
    table = replay([made])
    return table, [e.dumps(event) for event in (made, *begin(table, 2000))]


def opened(log: list[bytes]) -> Table:
    return replay(map(e.loads, log))


class Before:
    """What the house had stored before the change, and what would have come of it."""

    def __init__(self) -> None:
        with installed(OLD):
            assert find("well").version == 1
            table, self.log = new_table()
            self.log += play(table, 10)
            self.record, self.view = table.record(), show(table, 0)
            self.save, self.snapshot = save.packed(save.save(table)), snapshot(table).packed()
            self.moment = unpack(self.snapshot).moment(3, 1)
            self.end = [*self.log, *play(table, 100)]
            assert table.status == "over"
            self.final: Any = table.record()


@pytest.fixture(scope="module")
def before() -> Before:
    return Before()


def test_an_old_table_is_played_to_its_end_by_the_old_rules(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        assert find("well").version == 2
        table = opened(before.log)
        assert table.record() == before.record
        assert show(table, 0) == before.view
        assert [*before.log, *play(table, 100)] == before.end
        assert table.record() == before.final
        first = msgspec.structs.replace(e.loads(before.log[0]), version=2)
        other = replay([first, *map(e.loads, before.end[1:])])
        assert other.record()["scores"] != before.final["scores"], "the new rules are really different"


def test_what_was_stored_of_an_old_table_is_still_good(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        assert unpack(before.snapshot).moment(3, 1) == before.moment
        table = opened(before.log)
        again = save.opened(save.packed(save.save(table)))
        assert again is not None
        assert play(again, 100) == before.end[len(before.log) :]
        assert again.record() == before.final


def test_records_are_checked_by_the_rules_they_were_played_with(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        records.replay(before.final, find)
        verify(before.final, find)
        with pytest.raises(BadRecord):
            records.replay(before.final | {"engine": 2}, find)
        for strange in (99, "another program 1.0", None):  # such a field may mean anything elsewhere
            assert records.game_of(before.final | {"engine": strange}, find).version == 2


def test_records_are_studied_by_the_rules_they_were_played_with(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        match = open_record(before.final)
        assert match.game.version == 1
        assert moments(match, 1, 3, 3).first["view"] == before.moment
        night = list(takewhile(lambda line: "seat" in line, before.final["moves"]))
        branch = Branch(match, 0, 0)
        branch.play(night)
        assert [written.line for written in branch.match.written[: len(night)]] == night
        assert branch.match.game.version == 1


def test_new_tables_and_rematches_have_the_new_rules(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        assert new_table()[0].created.version == 2
        assert rematch(opened(before.end), "u", bytes(32), "p0", 1).version == 2


def test_both_versions_are_played_side_by_side(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        old, (new, _) = opened(before.log), new_table()
        play(new, 10)
        play(old, 5)
        play(new, 100)
        play(old, 100)
        assert old.record() == before.final
        assert new.record()["setup"] == before.final["setup"]
        assert new.record()["scores"] != before.final["scores"]


def test_the_compiler_does_not_mistake_an_old_state_for_a_new_one(
    before: Before, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba import from_dtype

    make_newer(tmp_path)
    with installed(NEW, tmp_path):
        old, (new, _) = opened(before.log), new_table()
        assert not Engine(old.playing.game, old.playing.box, compiled=True).compiled
        monkeypatch.setattr(engine, "_loaded", {("well", engine._legal)})
        monkeypatch.setattr(engine, "INTERPRET", False)
        assert new.playing.engine.ready(engine._legal)
        assert not old.playing.engine.ready(engine._legal)
        choose: Any = getattr(rules.setup, "__registan_choose__")  # noqa: B009
        kind: Any = from_dtype
        assert choose(kind(new.playing.state.dtype)).__module__ == f"{NEW}.rules"


def test_a_version_that_is_not_there_is_said(before: Before, tmp_path: Path) -> None:
    make_newer(tmp_path, keep_old=False)
    with installed(NEW, tmp_path):
        for attempt in (lambda: opened(before.log), lambda: unpack(before.snapshot)):
            with pytest.raises(BadInput) as error:
                attempt()
            for lang in LANGUAGES:
                assert "version 1" in error.value.text(lang)
                assert "version 2" in error.value.text(lang)
        assert save.opened(before.save) is None


def test_an_old_version_whose_states_could_be_mistaken_is_refused(tmp_path: Path) -> None:
    make_newer(tmp_path, same_state=True)
    with installed(NEW, tmp_path), pytest.raises(BadInput, match="STATE must be"):
        find("well", 1)
