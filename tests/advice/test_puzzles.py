"""Puzzles: those that ship are sound, and finding them needs nothing that the solver could not know."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from registan.advice.judge import Judge
from registan.advice.puzzles import finding
from registan.advice.puzzles.finding import CLEAR, EASIEST, LADDER, STEP, Finder, glance
from registan.advice.puzzles.puzzle import FILE, Posed, position, puzzles_of, read_puzzles, write_puzzles
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.registry import find, keys
from registan_well import GAME as WELL

ROUNDING = 0.002


@pytest.mark.parametrize("key", keys())
def test_every_puzzle_that_ships_is_sound(key: str) -> None:
    """Its game replays, its seat is asked, all legal moves are judged, and a glance misses the best."""
    game = find(key)
    use_compiled(game)
    found = puzzles_of(game)
    assert len(found) >= 100
    for posed in found.values():
        puzzle, match = posed.puzzle, position(posed, find)
        assert puzzle.seat in match.waiting
        assert not match._answers, "nobody has answered yet"
        hidden = match.hidden(puzzle.seat)
        written = [
            game.moves.write(match.box, hidden[0], puzzle.seat, action)
            for action in match.engine.legal(hidden, puzzle.seat)
        ]
        judged = [row.move for row in puzzle.moves]
        assert sorted(map(str, judged)) == sorted(map(str, written))
        at_a_glance = glance(match.engine, hidden, puzzle.seat)
        assert game.moves.write(match.box, hidden[0], puzzle.seat, at_a_glance) == puzzle.obvious != puzzle.best
        assert all(puzzle.moves[0].wins - row.wins >= CLEAR - ROUNDING for row in puzzle.moves[1:])
        assert EASIEST <= puzzle.rating <= EASIEST + STEP * len(LADDER)


@pytest.mark.parametrize("key", keys())
def test_the_puzzles_of_a_game_differ_in_players_kind_and_difficulty(key: str) -> None:
    game, found = find(key), puzzles_of(find(key)).values()
    players = Counter(posed.record["players"] for posed in found)
    assert set(players) == set(game.players)
    assert players[3] + players[4] > len(found) / 2
    assert len({posed.puzzle.best["do"] for posed in found}) > 1
    ratings = sorted(posed.puzzle.rating for posed in found)
    assert ratings[-10] - ratings[10] >= STEP
    choices = Counter(len(posed.puzzle.moves) > 2 for posed in found)
    assert choices[True] >= choices[False] / 2, "most puzzles need more than a coin"


@pytest.mark.parametrize("key", keys())
def test_a_file_of_puzzles_is_small_and_survives_reading_and_writing(key: str, tmp_path: Path) -> None:
    shipped = find(key).folder / FILE
    assert shipped.stat().st_size < 800_000
    copy = tmp_path / FILE
    write_puzzles(copy, read_puzzles(shipped))
    assert copy.read_bytes() == shipped.read_bytes()


def test_a_broken_file_says_where_and_why(tmp_path: Path) -> None:
    broken = tmp_path / FILE
    broken.write_text('{"record": {}, "puzzles": []}\n{"record": 3}\n')
    with pytest.raises(BadInput, match=r"line 2: .*object"):
        read_puzzles(broken)
    with pytest.raises(BadInput, match="cannot be read"):
        read_puzzles(tmp_path / "none")


def test_a_game_may_have_no_puzzles() -> None:
    assert puzzles_of(WELL) == {}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the finder look only briefly."""
    for name, value in {
        "GLANCE": 20,
        "PLAY": 40,
        "SEARCH": 60,
        "LONG": 200,
        "ROUNDS": (30, 40, 60),
        "CERTAIN": 1.0,
    }.items():
        monkeypatch.setattr(finding, name, value)


@pytest.mark.usefixtures("hasty")
def test_the_same_seed_finds_the_same_puzzles() -> None:
    use_compiled(WELL)
    found = [Finder(WELL, 3).game_number(number) for number in range(8)]
    assert any(source.puzzles for source in found)
    assert found == [Finder(WELL, 3).game_number(number) for number in range(8)]
    assert found != [Finder(WELL, 4).game_number(number) for number in range(8)]
    for source in found:
        assert len(source.record["moves"]) == max((puzzle.at for puzzle in source.puzzles), default=0)
        for puzzle in source.puzzles:
            match = position(Posed(puzzle, source.record), lambda *_: WELL)
            assert puzzle.best in match.legal(puzzle.seat)
            assert puzzle.obvious != puzzle.best


def test_a_rating_tells_how_long_a_search_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    finder = Finder(WELL)
    needed = 100

    def search(self: object, hidden: object, seat: int, simulations: int, what: bytes = b"") -> np.ndarray:
        root = np.zeros((2, 6))
        root[1 if simulations >= needed else 0, 0] = simulations
        return root

    monkeypatch.setattr(Judge, "search", search)
    assert finder.rating(None, 0, 1) == EASIEST + 2 * STEP, "found by the third length"
    needed = 10**6
    assert finder.rating(None, 0, 1) == EASIEST + len(LADDER) * STEP, "found by none"
    needed = 0
    assert finder.rating(None, 0, 1) == EASIEST
