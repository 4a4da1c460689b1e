"""A save gives exactly the same table, whatever has happened at it and whatever happens next."""

from __future__ import annotations

import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from registan.core.errors import RegistanError
from registan.core.registry import find
from registan.tables import events as e
from registan.tables import save
from registan.tables.clocks import catch_up
from registan.tables.pace import Pace
from registan.tables.requests import Answer, Mute, Order, Propose, Resign, Resume, Say, Undo
from registan.tables.table import Table, replay
from tests.tables.house import any_move, begin, match_of, new_table, same

PACES = {
    "khiva": Pace(kind="days", days=2),
    "samarkand": Pace(kind="live", bank=600, increment=5),
    "souk": Pace(kind="live", bank=60, increment=5, tick=2.0),
}


def do_something(table: Table, rng: random.Random, at: int) -> list[e.Event]:
    """Do something that people do at tables, after what the clock brings, as in the house."""
    ticked = catch_up(table, at)
    try:
        return ticked + _happen(table, rng, at)
    except (RegistanError, IndexError):  # not now
        return ticked


def _happen(table: Table, rng: random.Random, at: int) -> list[e.Event]:
    seat = rng.randrange(len(table.seats))
    who = f"p{seat}"
    what = rng.random()
    if what < 0.05:
        return Say(key=str(at), seat=seat, phrase="oops").carry_out(table, who, at)
    if what < 0.12:
        return Undo(seat=seat).carry_out(table, who, at)
    if what < 0.18:
        return Propose(seat=seat, what=rng.choice(["pause", "undo", "watch hands"])).carry_out(table, who, at)
    if what < 0.5 and table.proposal is not None:
        return Answer(seat=seat, yes=rng.random() < 0.8).carry_out(table, who, at)
    if what < 0.6 and table.status == "paused":
        return Resume(seat=seat).carry_out(table, who, at)
    if what < 0.36:
        return Mute(seat=seat, whom=(seat + 1) % 3, on=rng.random() < 0.7).carry_out(table, who, at)
    if what < 0.42:
        return Order(seat=seat, orders=_orders(table, rng)).carry_out(table, who, at)
    if what < 0.43:
        return Resign(seat=seat).carry_out(table, who, at)
    return any_move(table, rng, at)


def _orders(table: Table, rng: random.Random) -> dict[str, object]:
    match = match_of(table)
    moves = [move for seat in match.waiting for move in match.legal(seat)[:3]]
    some: list[dict[str, object]] = [{"next": [{"if": rng.choice([None, [None]]), "moves": moves[:1]}]}]
    if match.game.key == "samarkand":
        some.append({str(rng.randint(1, 33)): rng.choice(["sell", "keep"])})
    if match.game.key == "souk":
        some.append({"do": "wait", "down_to": rng.randint(0, 8)})
    return rng.choice(some)


@pytest.mark.parametrize("pace", [True, False])
@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
@given(seed=st.integers(0, 10**6), length=st.integers(0, 50))
@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_a_save_is_the_table_that_its_log_gives(game: str, pace: bool, seed: int, length: int) -> None:
    rng = random.Random(seed)
    table, log = new_table(game, 3, pace=PACES[game] if pace else None, secret=seed.to_bytes(32, "big"))
    at = 3000
    for _ in range(length):
        at += rng.randrange(2000)
        log += do_something(table, rng, at)
    kept = save.opened(save.packed(save.save(table)))
    assert kept is not None
    assert same(table, kept)
    for i in range(10):  # and it goes on in the same way
        at += 500
        new = do_something(table, random.Random(seed + i), at)
        assert do_something(kept, random.Random(seed + i), at) == new
        log += new
    assert same(table, kept)
    assert same(kept, replay(log))
    assert match_of(kept).record(legal=True, states=True) == match_of(table).record(legal=True, states=True)


def test_a_table_that_has_not_begun_is_saved_too() -> None:
    table, _ = new_table("khiva", 3, start=False)
    kept = save.opened(save.packed(save.save(table)))
    assert kept is not None
    assert same(table, kept)
    begin(kept, 2000)
    begin(table, 2000)
    assert same(table, kept)


def test_a_save_of_other_rules_or_another_kind_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = new_table("khiva", 3)
    data = save.packed(save.save(table))
    assert save.opened(b"garbage") is None
    assert save.opened(save.packed(b"garbage")) is None
    with monkeypatch.context() as patch:
        patch.setattr(save, "layout", lambda game: f"another {game.key}")
        assert save.opened(data) is None
    with monkeypatch.context() as patch:
        patch.setattr(save, "FORMAT", 0)
        assert save.opened(data) is None
    assert save.layout(find("khiva")) != save.layout(find("souk"))
    assert save.opened(data) is not None
