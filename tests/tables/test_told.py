"""The log of a table says what moves brought, and no more than everybody has seen."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.json import decode

from registan.core.chance import Stream
from registan.core.game import SPECTATOR, Json
from registan.core.registry import find
from registan.tables.boxes import open_box
from registan.tables.match import TableMatch
from registan.tables.reading import NOTHING

PUBLIC = ("gets", "pays", "others", "place", "teapot", "delivers", "carpet", "salt", "good", "meets")


def played(game: str, seed: int, moves: int) -> Iterator[tuple[TableMatch, Json, Json]]:
    """Play at random, and yield after each move: the match, the move, and what it brings in its player's view."""
    dice = random.Random(seed)
    players = dice.choice(list(find(game).players))
    match = TableMatch(find(game), open_box(game), players, {}, Stream(dice.randbytes(32))).start()
    for _ in range(moves):
        if match.over:
            return
        seat = dice.choice(match.waiting)
        then = match.for_seat(seat)  # S14: a seat may still be asked about an earlier moment
        view = then.view(seat)
        at = dice.randrange(len(view["legal"]))
        match.decide(seat, match.game.moves.read(match.box, then.state, view["legal"][at]))
        yield match, {"seat": seat, **view["legal"][at]}, view["brings"][at] or {}


def lines_of(match: TableMatch, seat: int = SPECTATOR) -> list[Json]:
    return [decode(line) for line in match.told(seat)]


def public(entry: Json) -> Json:
    return {name: entry[name] for name in PUBLIC if name in entry}


@pytest.mark.parametrize(("game", "kinds"), [("khiva", {"move", "take"}), ("samarkand", {"marry", "place"})])
def test_lines_say_what_moves_brought(game: str, kinds: set[str]) -> None:
    seen = set()
    for seed in range(6):
        for match, move, brings in played(game, seed, 60):
            if move["do"] not in kinds:
                continue
            lines = [line for line in lines_of(match) if line.items() >= move.items()]
            assert public(lines[-1].get("brings", {})) == public(brings)
            seen.add(move["do"])
    assert seen == kinds


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_the_outcome_is_the_same_for_everybody_and_the_rest_is_the_log(game: str) -> None:
    match = list(played(game, 3, 50))[-1][0]
    outcomes = []
    for seat in (SPECTATOR, *range(match.players)):
        told = lines_of(match, seat)
        assert [{k: v for k, v in line.items() if k != "brings"} for line in told] == match.log(seat)
        outcomes.append([line["brings"] for line in told if "brings" in line])
    assert all(each == outcomes[0] for each in outcomes)
    assert outcomes[0]


@pytest.mark.parametrize("seed", range(3))
def test_m7_m12_m13_m14_what_came_of_naming_a_card_accounts_for_all_money(seed: int) -> None:
    match = list(played("souk", seed, 300))[-1][0]
    told, seen = iter(lines_of(match)), set[str]()
    named: list[Json] = []
    for written in match.written:
        line = next(told)
        if line.get("do") != "name":
            continue
        named.append(line)
        if written.after.tobytes() == written.asked.tobytes():
            continue  # others have not answered yet
        money = [int(n) for n in written.asked.money]
        for one in named:
            brings = one["brings"]
            seen |= {"fined", "disputed"} & set(brings) or {"bought" if brings["buyer"] == one["seat"] else "doyen"}
            paid = sum(n for n, _ in brings.get("pays", []))
            money[one["seat"]] -= paid
            if brings.get("seller") is not None:
                money[brings["seller"]] += paid
        assert money == [int(n) for n in written.after.money]
        named = []
    assert not named
    assert "bought" in seen


def test_a_move_in_place_of_one_taken_back_has_its_own_outcome() -> None:
    """S13: the outcome follows the line, not its number."""
    match = TableMatch(find("samarkand"), open_box("samarkand"), 3, {}, Stream(bytes(32))).start()
    seat = match.waiting[0]
    first, second = match.engine.legal(match.hidden(seat), seat)[:2]
    outcomes = []
    for action in (first, second, first):
        match.decide(seat, action)
        outcomes.append(lines_of(match)[-1])
        match.back_to(0)
    assert outcomes[0] == outcomes[2] != outcomes[1]


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_who_reads_along_and_who_reads_late_read_the_same(game: str) -> None:
    """Also what is put away meanwhile, and taken back."""
    dice = random.Random(4)
    match = TableMatch(find(game), open_box(game), 3, {}, Stream(bytes(32))).start()
    for number in range(60):
        seat = dice.choice(match.waiting)
        match.decide(seat, dice.choice(match.for_seat(seat).actions(seat)))
        if number == 45:
            match.back_to(20)
        along = [match.told(seat) for seat in (SPECTATOR, *range(3))]
    assert match._before.on_shelf(0)
    late = match.after(len(match.written))
    late.forget_log()
    assert along == [late.told(seat) for seat in (SPECTATOR, *range(3))]
    assert all(ours is theirs for ours, theirs in zip(along[0], along[1]) if bytes(ours) == bytes(theirs))


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_points_over_the_game_end_with_the_result(game: str) -> None:
    match = list(played(game, 5, 2000))[-1][0]
    assert match.over
    points = match.points()
    assert len(points) == len(match.written) + 1
    assert points[-1] == [score["total"] for score in match.scores()]
    assert len({tuple(each) for each in points}) > 5


def test_a_log_that_goes_on_in_two_ways_is_two_logs() -> None:
    """The lines of a log are shared by all moments, as long as each of them only goes on where the last one ended."""
    begun = NOTHING.followed_by(["a", "b"])
    one, other = begun.followed_by(["c"]), begun.followed_by(["d", "e"])
    assert (begun.all(), one.all(), other.all()) == (["a", "b"], ["a", "b", "c"], ["a", "b", "d", "e"])
    assert one.since(begun) == ["c"]
    assert other.since(begun) is None  # whoever has the one log is sent all of the other
    assert one.followed_by(["f"]).since(begun) == ["c", "f"]
    assert NOTHING.all() == []
