"""Records read at once, and what all audiences see: the same as one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from registan.core.sights import sights

import registan
from registan.core.game import SEATS, SPECTATOR
from registan.core.match import Match
from registan.core.plain import loose, plain, settle

GAMES = ["khiva", "souk", "samarkand"]


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
            read = plain(record)
            for name in record.dtype.names:
                assert np.array_equal(record[name], getattr(read, name)), name
                if record[name].ndim == 2:
                    assert getattr(read, name)[1, 2] == getattr(read, name)[1][2] == record[name][1, 2]
    with pytest.raises(AttributeError):
        _ = plain(match.state).no_such_field


def test_a_loose_record_is_settled() -> None:
    match = registan.new("khiva", 3, seed=1)
    fields = loose(match.state)
    fields.turn = 2
    fields.hand[1] = 7
    settle(match.state, fields)
    assert (int(match.state.turn), int(match.state.hand[1])) == (2, 7)


@pytest.mark.parametrize("game", GAMES)
def test_all_audiences_see_what_each_would_see_alone(game: str) -> None:
    for match in moments(game):
        run, box = match.game, match.box.record
        audiences = range(SPECTATOR, 4)
        together = sights(run, match.box, match.state.tobytes(), audiences)
        views = match.views()
        for seat, sight in zip(audiences, together):
            hidden = match.hidden(seat)
            assert all(np.array_equal(hidden[name], getattr(sight, name)) for name in hidden.dtype.names)
            room, points = np.zeros(run.rules.MOST, np.int32), np.zeros((SEATS, len(run.rules.SCORES)), np.int64)
            count = 0 if seat == SPECTATOR else run.rules.legal(box, hidden, seat, room)
            run.rules.scores(box, hidden, points)
            assert sight.actions == room[:count].tolist()
            assert sight.points == points.tolist()
            assert views(seat) == match.view(seat)
