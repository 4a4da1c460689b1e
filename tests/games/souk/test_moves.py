"""How the game is written down, read again, told and looked at."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import registan
from registan.core.errors import BadMove, BadRecord, RegistanError
from registan.core.messages import LANGUAGES
from registan.games.souk import GAME, moves
from registan.games.souk.state import CAMEL, NAME, OFFER, STOP, WAIT
from registan.games.souk.text import tell
from tests.games.souk.market import BOX, Market


def played(players: int = 4, seed: int = 3, **options: Any) -> Any:
    """A whole game at random."""
    match = registan.new("souk", players, seed, **options)
    rng, buffer = np.arange(1, 5, dtype=np.uint64), np.zeros(GAME.rules.MOST, np.int32)
    while not match.over:
        seat = match.waiting[-1]
        match.play_action(seat, GAME.rules.pick(BOX.record, match.state, seat, rng, buffer))
    return match


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_record_replays_line_by_line(players: int) -> None:
    match = played(players, harmony="example")
    record = match.record(legal=True, states=True)
    assert record["options"] == {"harmony": "example"}
    again = registan.replay(record)
    assert again.record(legal=True, states=True) == record
    for a in (match.state, again.state):
        a.rng[:] = 0
    assert match.state.tobytes() == again.state.tobytes()
    kinds = {("do" in line, "stops" in line, line.get("price")) for line in record["moves"]}
    assert (False, False, 0) in kinds
    assert sum(line.get("price") == 0 for line in record["moves"]) == 10


def test_lines_of_the_count() -> None:
    market = Market(doyen=3).offer(5, 7, 1, 2).stop(8, {0: "camel", 1: "camel"}).stop(3, {2: ["jewels", 7]}).end_round()
    record = market.match.record(legal=True, states=True)
    lines = record["moves"]
    assert [line["do"] for line in lines[:4]] == ["offer"] * 4
    assert lines[3]["state"]["for_sale"] == [["fruit", 5], ["jewels", 7], ["spices", 1], ["carpets", 2]]
    assert lines[2]["state"]["for_sale"] == []  # offers take effect with the last
    stop = {k: v for k, v in lines[4].items() if k != "state"}
    assert stop == {"price": 8, "stops": [0, 1], "may_stop": [0, 1, 2, 3]}
    last_name, shuffle = lines[6], lines[7]
    assert last_name["do"] == "name"
    assert last_name["state"]["camel"] is None
    assert last_name["state"]["dirhams"] == [11, 11, 15, 15]
    assert shuffle["chance"] == "camels"
    assert shuffle["state"]["camel"] == shuffle["order"][0]
    end = lines[-1]
    assert end.keys() == {"price", "state"}
    assert (end["price"], end["state"]["round"], end["state"]["doyen"], end["state"]["for_sale"]) == (0, 2, 0, [])
    assert end["state"]["goods"][2] == [["jewels", 7]]
    assert registan.replay(record).record(legal=True, states=True) == record


def test_a_running_record_says_who_has_sealed() -> None:
    market = Market().offer(5, 7, 1, 2)
    market.match.play(2, {"do": "stop"})
    record = market.match.record()
    assert record["sealed"] == [2]
    assert len(record["moves"]) == 4


def broken(change: Any) -> str:
    """Return what is said of a record after a change to it."""
    market = Market(doyen=3).offer(5, 7, 1, 2).stop(8, {0: "camel", 1: "camel"}).stop(3, {2: ["jewels", 7]}).end_round()
    record = copy.deepcopy(market.match.record())
    change(record["moves"])
    with pytest.raises(BadRecord) as error:
        registan.replay(record)
    assert error.value.text("en") != error.value.text("fr")
    return error.value.text("en")


@pytest.mark.parametrize(
    ("line", "change", "why"),
    [
        (4, {"price": 11}, "price 11"),
        (4, {"price": "8"}, "price 8"),
        (4, {"price": 0}, "stops"),
        (4, {"stops": []}, "stops"),
        (4, {"stops": [0, 0]}, "stops"),
        (4, {"stops": None}, "stops"),
        (4, {"stops": [7]}, "seat"),
        (4, {"stops": [[1]]}, "seat"),
        (5, {"item": ["jewels", 5]}, "not for sale"),
        (5, {"item": ["fruit", 5]}, "M7"),
        (7, {"order": [2, 3, 4, 5]}, "shuffled here"),
        (7, {"chance": "deal"}, "shuffled here"),
        (8, {"price": 8}, "price 8"),
        (-1, {"stops": [1]}, "stops"),
    ],
)
def test_lines_that_make_no_sense_are_refused(line: int, change: dict[str, Any], why: str) -> None:
    assert why in broken(lambda lines: lines[line].update(change))


def test_lines_in_the_wrong_place_are_refused() -> None:
    assert "Nobody moves" in broken(lambda lines: lines.insert(0, {"price": 0}))
    assert "Nobody moves" in broken(lambda lines: lines.insert(5, {"price": 0}))
    assert "shuffled here" in broken(lambda lines: lines.pop(7))
    assert "M5" in broken(lambda lines: lines.insert(len(lines), {"seat": 0, "do": "stop"}))


def test_the_end_of_a_round_has_its_own_line() -> None:
    market = Market(doyen=3).offer(5, 7, 1, 2).stop(1, {2: ["jewels", 7]})
    record = market.match.record()
    assert record["moves"][-1] == {"price": 0}
    record["moves"][-1]["more"] = 1
    with pytest.raises(BadRecord, match="end of the round"):
        registan.replay(record)
    record["moves"][-1] = {"price": 1, "stops": [0]}
    with pytest.raises(BadRecord, match="end of the round"):
        registan.replay(record)


def test_moves_are_written_and_read() -> None:
    market = Market().offer(5, 7, 1, 2)
    for action, move in (
        (OFFER + 5, {"do": "offer", "value": 5}),
        (WAIT, {"do": "wait"}),
        (STOP, {"do": "stop"}),
        (NAME + 1, {"do": "name", "item": ["jewels", 7]}),
        (CAMEL, {"do": "name", "item": "camel"}),
    ):
        assert moves.write(BOX, market.state, 0, action) == move
        assert moves.read(BOX, market.state, move) == action


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": "sell"},
        {"do": "offer"},
        {"do": "offer", "value": 0},
        {"do": "offer", "value": 10},
        {"do": "offer", "value": "5"},
        {"do": "name"},
        {"do": "name", "item": "jewels"},
        {"do": "name", "item": ["jewels"]},
        {"do": "name", "item": ["wool", 7]},
        {"do": "name", "item": [["jewels"], 7]},
        {"do": "name", "item": ["jewels", True]},
        {"do": "name", "item": ["jewels", 3]},
        {"do": "name", "item": ["clothes", 7]},
    ],
)
def test_moves_that_cannot_be_read(move: Any) -> None:
    market = Market().offer(5, 7, 1, 2)
    with pytest.raises(BadMove) as error:
        moves.read(BOX, market.state, move)
    assert error.value.text("en") != error.value.text("fr")


@pytest.mark.parametrize(
    "change",
    [
        {"types": ["fruit", "jewels"]},
        {"types": ["fruit", "jewels", "jewels"]},
        {"types": ["fruit", "jewels", ["spices"]]},
        {"types": None},
        {"bank": "fruit"},
        {"bank": None},
        {"bank_cards": [1, 2, 3]},
        {"bank_cards": None},
        {"camels": [2, 3, 4, 5] * 3},
        {"camels": ["2"] * 16},
        {"doyen": 3},
        {"doyen": True},
    ],
)
def test_a_set_up_of_another_box_is_refused(change: dict[str, Any]) -> None:
    record = Market(3).match.record()
    record["setup"] = record["setup"] | change
    with pytest.raises(RegistanError):
        registan.replay(record)


def test_the_order_of_the_camels_is_kept_from_everybody() -> None:
    market = Market(doyen=3).offer(5, 7, 1, 2).stop(8, {0: "camel", 1: "camel"})
    for seat in (-1, 0, 3):
        assert market.match.log(seat)[-1] == {"chance": "camels", "order": 16}
        assert market.match.log(seat)[:-1] == market.lines[:-1]


def test_every_line_can_be_told_in_both_languages() -> None:
    match = played(4)
    for lang in LANGUAGES:
        for line in match.record()["moves"]:
            text = tell(BOX, line, lang, lambda seat: f"Seat{seat}")
            assert text.endswith(".")
            assert "{" not in text
            assert ("seat" not in line) or f"Seat{line['seat']}" in text
        for seat in range(2):
            for do in ({"do": "wait"}, {"do": "stop"}, {"do": "offer", "value": 3}, {"do": "name", "item": "camel"}):
                assert tell(BOX, do, lang, str)
                assert tell(BOX, {"seat": seat, **do}, lang, str).startswith(str(seat))
        assert tell(BOX, {"chance": "camels", "order": 16}, lang, str)
    stops = {"price": 7, "stops": [0, 2, 3]}
    assert tell(BOX, stops, "en", "ABCD".__getitem__) == "A, C and D call stop at 7."
    assert tell(BOX, stops | {"stops": [1]}, "fr", "ABCD".__getitem__) == "B dit stop à 7."


def test_the_view_says_what_one_has_sealed() -> None:
    market = Market()
    market.match.play(0, {"do": "offer", "value": 5})
    assert market.match.view(0)["sealed"] == {"do": "offer", "value": 5}
    assert market.match.view(1)["sealed"] is None
    assert market.match.view()["sealed"] is None
    assert market.match.view(0)["legal"] == []
    assert market.match.view(1)["legal"] == market.match.legal(1)
    assert market.match.view()["asked"] == "offer"


def test_the_view_of_a_finished_game_shows_all() -> None:
    match = played(3, hidden_purchases=True)
    view = match.view()
    assert (view["asked"], view["round"], view["waiting"], view["legal"]) == ("over", 10, [], [])
    for seat, score in enumerate(match.scores()):
        shown = view["seats"][seat]
        assert isinstance(shown["goods"], list)
        assert isinstance(shown["camels"], list)
        assert shown["dirhams"] == int(match.state.money[seat])
        assert shown["score"]["total"] == score["total"]
        assert len(shown["score"]["carried"]) <= shown["score"]["capacity"]


def test_undo_takes_a_seal_back() -> None:
    market = Market().offer(5, 7, 1, 2)
    before = market.state.tobytes()
    market.match.play(1, {"do": "stop"})
    market.match.undo()
    assert market.state.tobytes() == before
