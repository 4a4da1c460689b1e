"""Whole games and counts of positions, compared with a second Samarkand that was written from the rules page alone."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from registan.core.game import Json
from registan.core.match import Match
from registan.games.samarkand import checks
from tests.compiled import compile_matches
from tests.games.samarkand import second_opinion as other
from tests.games.samarkand.table import GRID, deal, give, grid_board, random_game, send

pytestmark = pytest.mark.no_cover  # whole games take minutes to trace, and cover nothing that other tests do not

MAP = other.Map(grid_board())


def tidy(state: Json) -> Json:
    """Return a written state with the lists whose order means nothing sorted."""
    out = dict(state)
    out["camels"] = {space: sorted(here) for space, here in state["camels"].items()}
    for name in ("hands", "sold", "tiles"):
        out[name] = [sorted(part) for part in state[name]]
    return out


def key(move: Json) -> str:
    return json.dumps({name: sorted(v) if isinstance(v, list) else v for name, v in move.items()}, sort_keys=True)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(5))
def test_whole_games_agree_line_by_line(players: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if seed:
        compile_matches(monkeypatch)
    match = random_game(players, seed)
    record = match.record(legal=True, states=True)
    p = other.begin(MAP, players, record["setup"])
    for line in record["moves"]:
        if line.get("chance") == "deck":
            p = other.new_deck(p, line["cards"])
        elif line.get("chance") == "tile":
            p = other.tile(p, line["family"])
        else:
            assert other.asked(p) == line["seat"]
            assert sorted(key(m) for m in line["legal"]) == sorted(key(m) for m in other.legal(p))
            p = other.play(p, {k: v for k, v in line.items() if k not in ("seat", "legal", "state")})
        assert tidy(line["state"]) == other.table(p)
    assert p["over"]
    assert record["scores"] == other.scores(p)


def deeper(p: Any, depth: int) -> int:
    """Count the sequences of so many moves, the other way."""
    if depth == 0 or p["over"]:
        return 1
    total = 0
    for move in other.legal(p):
        after = other.play(p, move)
        if after["ask"] == "deck":
            after = other.new_deck(after, sorted(after["discards"]))
        if after["ask"] == "tile":
            after = other.tile(after, after["bag"][0])
        total += deeper(after, depth - 1)
    return total


def count(match: Match, depth: int) -> int:
    """Count the sequences of so many moves with the engine."""
    if depth == 0 or match.over:
        return 1
    seat = match.waiting[0]
    total = 0
    for action in match.actions(seat):
        match.play_action(seat, action)
        total += count(match, depth - 1)
        match.undo()
    return total


@pytest.mark.parametrize(("players", "moves", "depth"), [(2, 0, 3), (4, 0, 2), (3, 25, 3), (5, 60, 2), (2, 70, 2)])
def test_counts_of_positions_agree(players: int, moves: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_matches(monkeypatch)
    match = random_game(players, 4, upto=moves)
    record = match.record()
    p = other.begin(MAP, players, record["setup"])
    for line in record["moves"]:
        if line.get("chance") == "deck":
            p = other.new_deck(p, line["cards"])
        elif line.get("chance") == "tile":
            p = other.tile(p, line["family"])
        else:
            p = other.play(p, {k: v for k, v in line.items() if k != "seat"})
    assert count(match, depth) == deeper(p, depth)


def test_counts_by_hand() -> None:
    """At the start ten marriages, each with 5 cards of which none, one or two go: 1 + 5 + 10."""
    match = deal([], [], [])
    assert count(match, 1) == 10
    assert count(match, 2) == 160
    # Levant in a corner: two spaces. From each of them, with a dirham in the treasury, three more, or none.
    match = deal([], [], [], dirhams=[0, 0, 0])
    give(match, 0, "levant", treasury=1)
    assert count(match, 1) == 2
    assert count(match, 2) == 2 * (3 + 1)
    send(match, "egypt", "b1")
    assert sum(line.split().count("g") for line in GRID) == 33


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_play_ends_and_leaves_sound_tables(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_matches(monkeypatch)
    chance = random.Random(players)
    for seed in range(3):
        match = random_game(players, chance.randrange(1000) + seed)
        assert match.over
        assert checks.faults(match.box.record, match.state) == 0
