"""Tables that were played with earlier versions: each must open, and give what it gave.

A line of a file in `corpus` is a table: its log, event by event as it was stored, and its outcome. Lines are never
changed. If a game has no file, `REGISTAN_GOLDEN=update` plays games and writes one.
"""

from __future__ import annotations

import os
import random
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
from registan.tables.pace import DAY, Pace
from registan.tables.requests import Back, Contribute, Place, Sit, Stand, Start
from registan.tables.seats import Seat
from registan.tables.snapshot import snapshot, unpack
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import people, same
from tests.tables.test_save import PACES, do_something

FOLDER = Path(__file__).resolve().parent / "corpus"
UPDATE = os.environ.get("REGISTAN_GOLDEN") == "update"
LENGTHS = (0, 25, 60, 1000, 1000)


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
        "record": table.record(),
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
        log += Sit(seat=2, salt="salt").carry_out(table, "p2", 1500, "Player 2")
        log += Stand(seat=2).carry_out(table, "p2", 1600)
        log += Place(seat=2, level="greedy").carry_out(table, "p0", 1700)
    log += Contribute(seat=1, salt=f"more {number}").carry_out(table, "p1", 1800)
    log += Start().carry_out(table, "p0", at)
    for i in range(LENGTHS[number]):
        at += rng.randrange(2000) + (DAY if number == 2 and i % 20 == 19 else 0)
        log += do_something(table, rng, at)
        for question in questions(table):
            log += reply(table, question, question.think(), at)
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
    (FOLDER / f"{game}.jsonl").write_bytes(b"".join(lines))


class Entry(msgspec.Struct):
    """A table of the corpus."""

    log: list[msgspec.Raw]
    outcome: dict[str, Any]


def entries(game: str) -> list[Entry]:
    file = FOLDER / f"{game}.jsonl"
    if UPDATE and not file.exists():
        write(game)
    return [msgspec.json.decode(line, type=Entry) for line in file.read_bytes().splitlines()]


@pytest.mark.parametrize("game", keys())
def test_old_tables_open_and_give_what_they_gave(game: str) -> None:
    found = entries(game)
    for entry in found:
        table = replay(e.loads(bytes(data)) for data in entry.log)
        came = msgspec.json.decode(msgspec.json.encode(outcome(table)))
        if "taken_back" not in entry.outcome["record"]:  # a field that the oldest of them did not have
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
