"""The engine: the same interpreted and compiled, and what all audiences know: the same as one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest

import registan
from registan.core import batch, chance, engine, rules
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine, use_compiled
from registan.core.game import SEATS, SPECTATOR
from registan.core.match import Match
from registan.core.registry import find, keys
from registan.core.unpacked import unpacked

GAMES = keys()


def moments(game: str, moves: int = 40) -> list[Match]:
    """Return a match that is played at random, as it stands at every fourth move."""
    match = registan.new(game, 4, seed=11)
    rng = random.Random(3)
    seen = []
    for number in range(moves):
        if match.over:
            break
        seat = rng.choice(match.waiting)
        match.play(seat, rng.choice(match.legal(seat)))
        if number % 4 == 0:
            then = registan.new(game, 4, seed=11)
            then.restore(match.state.tobytes())
            seen.append(then)
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_a_plain_record_has_the_numbers_of_the_record(game: str) -> None:
    for match in moments(game, 12):
        for record in (match.state, match.box.record):
            read = unpacked(record)
            for name in record.dtype.names:
                assert np.array_equal(record[name], getattr(read, name)), name
                if record[name].ndim == 2:
                    assert getattr(read, name)[1, 2] == getattr(read, name)[1][2] == record[name][1, 2]
    with pytest.raises(AttributeError):
        _ = unpacked(match.state).no_such_field


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("compiled", [False, True])
def test_all_audiences_know_what_each_would_know_alone(game: str, compiled: bool) -> None:
    for match in moments(game):
        game_rules, box = match.game.rules, match.box.record
        match.engine = Engine(match.game, match.box, compiled)
        audiences = range(SPECTATOR, 4)
        together = match.engine.look(match.state.tobytes(), audiences)
        views = match.views()
        for seat, known in zip(audiences, together):
            hidden = match.hidden(seat)[0]
            assert all(np.array_equal(hidden[name], getattr(known, name)) for name in hidden.dtype.names)
            buffer, points = match.engine.actions(), np.zeros((SEATS, len(game_rules.SCORES)), np.int64)
            count = 0 if seat == SPECTATOR else game_rules.legal(box, hidden, seat, buffer)
            game_rules.scores(box, hidden, points)
            assert known.actions == buffer[:count].tolist()
            assert known.points == points.tolist()
            assert views(seat) == match.view(seat)


@pytest.mark.parametrize("game", GAMES)
def test_what_an_action_brings_is_known_of_each(game: str) -> None:
    for match in moments(game, 12):
        part = match.game.part("view")
        columns = getattr(part, "BRINGS", 0)
        for seat, known in enumerate(match.engine.look(match.state.tobytes(), range(4))):
            rows = [[0] * columns] * len(known.actions) if known.brings is None else known.brings
            assert len(rows) == len(known.actions)
            assert known.brings is None or any(map(any, rows))
            for action, brings in zip(known.actions, rows):
                alone = np.zeros(columns, np.int32)
                if columns:
                    rules.brings(match.box.record, match.hidden(seat)[0], seat, action, alone)
                assert brings == alone.tolist()


def test_looking_changes_nothing() -> None:
    match = registan.new("souk", 4, seed=1)
    before = match.state.tobytes()
    match.engine.look(before, range(SPECTATOR, 4))
    assert match.state.tobytes() == before


def test_an_engine_runs_as_its_game_does_unless_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_compiled", set())
    game = find("khiva")
    either, slow, fast = (Engine(game, find_box(game), mode) for mode in (None, False, True))
    assert (either.compiled, slow.compiled, fast.compiled) == (False, False, not INTERPRET)
    use_compiled(game)
    assert (either.compiled, slow.compiled, fast.compiled) == (not INTERPRET, False, not INTERPRET)
    monkeypatch.setattr(engine, "INTERPRET", True)
    assert (either.compiled, slow.compiled, fast.compiled) == (False, False, False)


@pytest.mark.parametrize("compiled", [False, True])
def test_what_holds_for_every_state_of_an_array_is_done_to_each(compiled: bool) -> None:
    game = find("khiva")
    run = Engine(game, find_box(game), compiled)
    states = batch.blank(game, 5, 3)
    for i in range(5):
        chance.seed(states[i].rng, 1, i)
    alone = [states[i : i + 1].copy() for i in range(5)]
    run.setup(states)
    for one in alone:
        run.setup(one)
    assert states.tobytes() == b"".join(one.tobytes() for one in alone)
    assert run.faults(states) == 0
    assert run.scores(states).tolist() == [run.scores(one)[0].tolist() for one in alone]
    assert run.winners(states).tolist() == [int(run.winners(one)[0]) for one in alone]
    run.hide(states, 1)
    for one in alone:
        run.hide(one, 1)
    assert states.tobytes() == b"".join(one.tobytes() for one in alone)
    worlds, rng = states.copy(), np.array([1, 2, 3, 4], np.uint64)
    run.guess(worlds, 1, rng)
    assert len({world.tobytes() for world in worlds}) == 5
    worlds["gems"][3, 0] = -50
    assert run.faults(worlds) != 0


@pytest.mark.parametrize("compiled", [False, True])
def test_one_game_is_played_by_the_first_state_of_an_array(compiled: bool) -> None:
    game = find("khiva")
    run = Engine(game, find_box(game), compiled)
    states, rng = batch.blank(game, 2, 3), np.array([1, 2, 3, 4], np.uint64)
    states["rng"] = rng
    run.setup(states)
    second = states[1].tobytes()
    while not states[0].over:
        seat = rules.next_seat(states[0])
        action = run.pick(states, seat, rng)
        assert action in run.legal(states, seat)
        assert run.breaks(states, seat, action) == 0
        assert run.breaks(states, seat, 10_000) != 0
        by_hand = states.copy()
        run.apply(states, seat, action)
        run.act(by_hand, seat, action)
        while by_hand[0].due:
            run.chance(by_hand)
        assert by_hand.tobytes() == states.tobytes()
    assert states[1].tobytes() == second
