"""Whole games and counts of positions, compared with a second Khiva that was written from the rules page alone."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import registan
from registan.core.game import Json, Record
from registan.core.match import Match
from registan.core.rules import next_seat
from registan.games.khiva import GAME
from tests.compiled import compile_matches
from tests.games.khiva import second_opinion as other
from tests.games.khiva.table import BOX, play_any, random_game

pytestmark = pytest.mark.no_cover  # whole games take minutes to trace, and cover nothing that other tests do not


def tidy(state: Json) -> Json:
    """Return a written state with the lists whose order means nothing sorted."""
    free = {"hands", "teapots", "undelivered", "delivered", "salt"}
    return {name: [sorted(part) for part in value] if name in free else value for name, value in state.items()}


def key(move: Json) -> str:
    return json.dumps({name: sorted(v) if isinstance(v, list) else v for name, v in move.items()}, sort_keys=True)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_agree_line_by_line(players: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed:
        compile_matches(monkeypatch)
    record = random_game(players, seed).record(legal=True, states=True)
    p = other.begin(players, record["setup"])
    for line in record["moves"]:
        if "chance" in line:
            assert p["ask"] == "deal"
            p = other.deal(p, line["hands"])
        else:
            seat, move = line["seat"], {k: v for k, v in line.items() if k not in ("seat", "legal", "state")}
            ours = [key(m) for m in other.legal(p, seat)]
            assert sorted(key(m) for m in line["legal"]) == sorted(ours)
            assert key(move) in ours
            p = other.play(p, seat, move)
        assert tidy(line["state"]) == other.table(p)
    assert p["ask"] == "over"
    assert record["scores"] == other.scores(p)
    assert record["winners"] == other.winners(p)


def onwards(states: list[Record]) -> list[Record]:
    """Return the states one move further, by the engine: who is asked answers in seat order; a deal is not dealt."""
    buffer, found = np.zeros(GAME.rules.MOST, np.int64), []
    for s in states:
        if s.waiting == 0:
            found.append(s)
            continue
        seat = next_seat(s)
        for action in buffer[: GAME.rules.legal(BOX.record, s, seat, buffer)].tolist():
            after = s.copy()
            GAME.rules.act(BOX.record, after, seat, action)
            found.append(after)
    return found


def onwards_too(positions: list[other.Position]) -> list[other.Position]:
    """Return the same by the second Khiva."""
    found = []
    for p in positions:
        seats = other.asked(p)
        found += [other.play(p, seats[0], move) for move in other.legal(p, seats[0])] if seats else [p]
    return found


def position(players: int, seed: int, turns: int) -> tuple[Match, other.Position]:
    """Return the same position twice: a random game after so many turns, some gems handed out."""
    match, chance = registan.new("khiva", players, seed=seed), random.Random(seed)
    while match.state.turn < turns:
        play_any(match, chance)
    p = other.begin(players, match.record()["setup"])
    for line in match.record()["moves"]:
        p = other.play(p, line["seat"], line)
    for seat in range(players):
        match.state.gems[seat] = p["gems"][seat] = 2 + seat
    return match, p


@pytest.mark.parametrize(
    ("players", "seed", "turns", "counts", "different"),
    [
        # a random game after so many turns; then positions after 1, 2, 3, ... moves, and how many of the last differ
        (2, 1, 2, [6, 36, 96, 270, 528, 599, 610], 610),
        (3, 2, 3, [2, 4, 8, 20, 40], 40),
        (3, 6, 0, [20, 400], 1),
        (3, 5, 2, [6, 36, 216, 432], 432),
        (4, 3, 3, [2, 4, 8, 16, 44, 104, 216, 354, 462, 480], 480),
        (5, 4, 3, [2, 4, 8, 16, 32, 72, 183, 353, 533, 612, 624], 624),
    ],
)
def test_counts_of_positions(players: int, seed: int, turns: int, counts: list[int], different: int) -> None:
    match, p = position(players, seed, turns)
    ours, theirs = [match.state], [p]
    for count in counts:
        ours, theirs = onwards(ours), onwards_too(theirs)
        assert len(ours) == len(theirs) == count
    ends = sorted(json.dumps(tidy(GAME.moves.write_state(BOX, s)), sort_keys=True) for s in ours)
    assert ends == sorted(json.dumps(other.table(p), sort_keys=True) for p in theirs)
    assert len(set(ends)) == different
