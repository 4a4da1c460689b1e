"""Tables that were played with earlier versions: each must open, and give what it gave.

A line of a file in `corpus` is a table: its log, event by event as it was stored, and its outcome. Lines are never
changed. Each game has a file for each scheme of the deal; `REGISTAN_GOLDEN=update` plays games and writes the newest
one if it is missing. A file with `hints` in its name has a table where hints were taken.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from registan.core.errors import RegistanError
from registan.core.registry import keys
from registan.tables import events as e
from registan.tables import save
from registan.tables.bots import questions, reply
from registan.tables.creation import create
from registan.tables.pace import DAY, DEAL, Pace
from registan.tables.requests import Back, CallOff, Place, Sit, Stand, Start
from registan.tables.seats import Seat
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import begin, commit, people, same
from tests.tables.test_save import PACES, do_something

FOLDER = Path(__file__).resolve().parent / "corpus"
UPDATE = os.environ.get("REGISTAN_GOLDEN") == "update"
LENGTHS = (0, 25, 60, 1000, 1000, 0)
CALLED_OFF = 5
"""The number of the table whose deal is called off."""


def outcome(table: Table) -> dict[str, Any]:
    """Return what has come of a table, as far as no later version may see it otherwise."""
    return {
        "seq": table.seq,
        "status": table.status,
        "seats": [[seat.kind, seat.name, seat.level, seat.away, seat.resigned] for seat in table.seats],
        "told": [table.seq_of(audience) for audience in table.audiences],
        "asked": [table.asked(seat) for seat in range(len(table.seats))],
        "deadline": table.next_deadline(),
        "chat": len(table.chat),
        "record": table.record() if table.match is not None else None,
    }


def play(game: str, number: int) -> list[e.Event]:
    """Return the log of a table at which all kinds of things have happened."""
    rng = random.Random(f"{game} {number}")
    pace = [PACES[game], Pace(), Pace(kind="days", days=1)][number % 3]
    bot = Seat(kind="bot", level="random")
    seats = [*people(2), Seat()] if number < 2 else [*people(3)[: 2 + number % 2], bot]
    made = create("t", "p0", 1000, rng.randbytes(32), game, [*seats, bot], {}, pace, stand_in="random")
    table, at = replay([made]), 2000
    log: list[e.Event] = [made]
    if seats[2].kind == "open":
        log += Sit(seat=2).carry_out(table, "p2", 1500, "Player 2")
        log += commit(table, 2, 1550)
        log += Stand(seat=2).carry_out(table, "p2", 1600)
        log += Place(seat=2, level="greedy").carry_out(table, "p0", 1700)
    if number == CALLED_OFF:
        for seat in (0, 1, 2):
            log += commit(table, seat, 1800)
        return log + Start().carry_out(table, "p0", at) + CallOff().carry_out(table, "p0", at + DEAL)
    log += begin(table, at)
    for i in range(LENGTHS[number]):
        at += rng.randrange(2000) + (DAY if number == 2 and i % 20 == 19 else 0)
        log += do_something(table, rng, at)
        for question in questions(table):
            choice = question.think()
            if i % 7 == 3:  # a bot that was lowered, until its next move
                choice = replace(choice, level="random", why="busy")
            log += reply(table, question, choice, at)
        for seat, held in enumerate(table.seats):
            if held.away and rng.random() < 0.2:
                try:
                    log += Back(seat=seat).carry_out(table, held.who, at)
                except RegistanError:
                    continue
        if table.finished:
            break
    return log


def write(game: str) -> None:
    lines = []
    for number in range(len(LENGTHS)):
        log = [e.dumps(event) for event in play(game, number)]
        made = outcome(replay(map(e.loads, log)))
        lines.append(msgspec.json.encode({"log": [msgspec.Raw(data) for data in log], "outcome": made}) + b"\n")
    _newest(game).write_bytes(b"".join(lines))


def _newest(game: str) -> Path:
    return FOLDER / f"{game}-2.jsonl"


def _rematched(game: str) -> Path:
    """Return the file with a finished table whose people play on at another one."""
    return FOLDER / f"{game}-3.jsonl"


def write_rematched(game: str) -> None:
    over = next(entry for entry in _read(_newest(game)) if entry.outcome["status"] == "over")
    log = [bytes(data) for data in over.log]
    table = replay(map(e.loads, log))
    log.append(e.dumps(e.Rematched(at=table.latest + 1000, seat=1, table="next")))
    made = outcome(replay(map(e.loads, log)))
    line = {"log": [msgspec.Raw(data) for data in log], "outcome": made}
    _rematched(game).write_bytes(msgspec.json.encode(line) + b"\n")


class Entry(msgspec.Struct):
    """A table of the corpus."""

    log: list[msgspec.Raw]
    outcome: dict[str, Any]


def entries(game: str) -> list[Entry]:
    if UPDATE and not _newest(game).exists():
        write(game)
    if UPDATE and not _rematched(game).exists():
        write_rematched(game)
    files = [FOLDER / f"{game}.jsonl", _newest(game), _rematched(game), *FOLDER.glob(f"{game}-hints.jsonl")]
    return [entry for file in files for entry in _read(file)]


def _read(file: Path) -> list[Entry]:
    return [msgspec.json.decode(line, type=Entry) for line in file.read_bytes().splitlines()]


@pytest.mark.parametrize("game", keys())
def test_old_tables_open_and_give_what_they_gave(game: str) -> None:
    found = entries(game)
    for entry in found:
        table = replay(e.loads(bytes(data)) for data in entry.log)
        came = msgspec.json.decode(msgspec.json.encode(outcome(table)))
        if came["record"] and "taken_back" not in entry.outcome["record"]:  # a field that the oldest did not have
            came["record"].pop("taken_back", None)
        assert came == entry.outcome
        assert [e.dumps(e.loads(bytes(data))) for data in entry.log] == [bytes(data) for data in entry.log]
        for audience in table.audiences:
            show(table, audience)
        kept = save.opened(save.packed(save.save(table)))
        assert kept is not None
        assert same(kept, table)
        if table.match is not None and table.match.moves_played:
            assert unpack(snapshot(table).packed()).moment(0)
    statuses = {entry.outcome["status"] for entry in found}
    assert {"over", "running"} <= statuses


def test_every_kind_of_event_is_there() -> None:
    kinds = {type(e.loads(bytes(data))) for game in keys() for entry in entries(game) for data in entry.log}
    assert kinds == set(get_args(e.AnyEvent))
