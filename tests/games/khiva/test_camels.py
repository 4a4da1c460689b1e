"""K4 to K7: which camel moves, who moves it, how far and where to."""

from __future__ import annotations

import pytest

from registan.core.game import Json
from registan.core.match import Match
from tests.games.khiva.table import active, deal, finish_turn, now, put, refused, turn, walk


def move(camel: str, gems: int) -> Json:
    return {"do": "move", "camel": camel, "gems": gems}


def test_k4_the_lowest_card_moves_the_camel() -> None:
    match = deal("pink-4", "pink-2", "pink-3", "white-1")
    turn(match, "pink-4", "pink-2", "pink-3", "white-1")
    walk(match)
    assert active(match) == ("pink", 1)
    walk(match)
    assert now(match)["camels"]["pink"] == [1, 2]


@pytest.mark.parametrize("lowest", range(5))
def test_k4_the_lowest_of_five_cards_moves_the_camel(lowest: int) -> None:
    values = [5, 4, 3, 2]
    values.insert(lowest, 1)
    plays = [f"green-{value}" for value in values]
    match = deal(*plays)
    turn(match, *plays)
    assert active(match) == ("green", lowest)
    assert now(match)["gems"] == [int(seat != lowest) for seat in range(5)]


def test_k4_every_other_card_of_the_colour_earns_a_gem_before_the_camel_moves() -> None:
    match = deal("pink-4", "pink-2", "pink-3", "black-1")
    turn(match, "pink-4", "pink-2", "pink-3", "black-1")
    assert active(match) == ("pink", 1)
    assert now(match)["gems"] == [1, 0, 1, 0]


def test_k4_the_gem_of_another_colour_is_paid_when_that_camel_is_activated() -> None:
    match = deal("white-4", "white-2", "black-3", "black-1")
    turn(match, "white-4", "white-2", "black-3", "black-1")
    assert now(match)["gems"] == [1, 0, 0, 0]
    walk(match)
    assert now(match)["gems"] == [1, 0, 1, 0]


def test_k4_camels_are_activated_in_their_order() -> None:
    plays = "black-1", "pink-1", "green-1", "blue-1", "white-1"
    match = deal(*plays)
    turn(match, *plays)
    order = []
    while match.view()["asked"] == "move":
        order.append(active(match))
        walk(match)
    assert order == [("white", 4), ("blue", 3), ("green", 2), ("pink", 1), ("black", 0)]


def test_k4_a_camel_without_a_card_stays() -> None:
    match = deal("white-3", "green-3", "black-3")
    put(match, camels={"blue": (0, 2), "pink": (1, 4)})
    turn(match, "white-3", "green-3", "black-3")
    finish_turn(match)
    assert now(match)["camels"]["blue"] == [0, 2]
    assert now(match)["camels"]["pink"] == [1, 4]


@pytest.mark.parametrize(("value", "icons"), [(1, 2), (2, 2), (3, 1), (4, 1), (5, 0)])
def test_k5_as_many_gems_may_be_spent_as_the_card_has_icons(value: int, icons: int) -> None:
    match = deal(f"white-{value}", "blue-1", "blue-2")
    put(match, gems=[9, 0, 0])
    turn(match, f"white-{value}", "blue-1", "blue-2")
    assert match.legal(0) == [move("white", gems) for gems in range(icons + 1)]
    assert refused(match, 0, move("white", icons + 1)) == "K5"


@pytest.mark.parametrize("gems", [0, 1, 2, 3])
def test_k5_only_the_movers_own_gems_are_spent(gems: int) -> None:
    match = deal("white-2", "blue-1", "blue-2")
    put(match, gems=[gems, 9, 9])
    turn(match, "white-2", "blue-1", "blue-2")
    most = min(gems, 2)
    assert len(match.legal(0)) == most + 1
    assert refused(match, 0, move("white", most + 1)) == "K5"
    walk(match, most)
    assert now(match)["gems"][0] == gems - most + (2 if most == 1 else 0)  # shop 3 gives two
    assert now(match)["camels"]["white"] == [0, 2 + most]


@pytest.mark.parametrize(("gems", "place"), [(0, [0, 1]), (1, [0, 2]), (2, [0, 3])])
def test_k5_the_camel_moves_by_the_cards_value_and_one_step_for_each_gem(gems: int, place: list[int]) -> None:
    match = deal("white-1", "blue-1", "blue-2")
    put(match, gems=[2, 0, 0])
    turn(match, "white-1", "blue-1", "blue-2")
    walk(match, gems)
    assert now(match)["camels"]["white"] == place


def test_k5_moving_is_compulsory() -> None:
    match = deal("white-1", "blue-1", "blue-2")
    turn(match, "white-1", "blue-1", "blue-2")
    assert match.legal(0) == [move("white", 0)]
    assert refused(match, 0, {"do": "take", "what": "nothing"}) == "K5"
    assert refused(match, 0, {"do": "choose", "play": ["blue-3"], "give": ["blue-4"]}) == "K5"


def test_k5_nobody_else_moves_the_camel() -> None:
    match = deal("white-1", "white-2", "blue-2")
    turn(match, "white-1", "white-2", "blue-2")
    assert match.waiting == [0]
    assert match.legal(1) == match.legal(2) == []
    assert refused(match, 1, move("white", 0)) == "K5"


def test_k5_gems_may_be_spent_on_steps_that_are_lost() -> None:
    match = deal("white-4", "blue-1", "blue-2")
    put(match, camels={"white": (0, 4)}, gems=[1, 0, 0])
    turn(match, "white-4", "blue-1", "blue-2")
    assert match.legal(0) == [move("white", 0), move("white", 1)]
    walk(match, 1)
    assert now(match)["gems"][0] == 0
    assert len(now(match)["teapots"][0]) == 1


HOME = None
WAYS = [
    # from, steps, others, to: the mover is seat 0, HOME the Khiva board, where a camel comes by the counter
    (HOME, 1, {}, [0, 1]),
    (HOME, 4, {}, [0, 4]),
    (HOME, 5, {}, HOME),
    ([0, 1], 1, {}, [0, 2]),  # outwards on the own path
    ([0, 2], 2, {}, [0, 4]),
    ([0, 4], 1, {}, HOME),
    ([1, 1], 1, {}, [0, 1]),  # the Khiva board is no step: k - 1 + j
    ([1, 2], 1, {}, [1, 1]),
    ([1, 2], 2, {}, [0, 1]),
    ([2, 4], 3, {}, [2, 1]),
    ([2, 4], 4, {}, [0, 1]),
    ([2, 3], 5, {}, [0, 3]),
    ([1, 3], 1, {"pink": (1, 2)}, [1, 1]),  # leaping over one on the way back
    ([1, 3], 2, {"pink": (1, 2)}, [0, 1]),
    ([1, 4], 1, {"pink": (1, 2), "black": (1, 3)}, [1, 1]),
    ([1, 2], 1, {"pink": (1, 1), "black": (0, 1)}, [0, 2]),  # ... and on the way out
    (HOME, 1, {"pink": (0, 1)}, [0, 2]),
    (HOME, 2, {"pink": (0, 1), "black": (0, 3)}, [0, 4]),
    (HOME, 3, {"pink": (0, 1), "black": (0, 3)}, HOME),
    (HOME, 1, {"blue": (0, 1), "green": (0, 2), "pink": (0, 3), "black": (0, 4)}, HOME),
    (HOME, 2, {"pink": (1, 1), "black": (2, 2)}, [0, 2]),  # other paths do not matter
    ([0, 1], 1, {"pink": (0, 2)}, [0, 3]),
    ([0, 3], 1, {"pink": (0, 2)}, [0, 4]),  # one behind does not count
]


@pytest.mark.parametrize(("start", "steps", "others", "end"), WAYS)
def test_k6_the_way_leads_back_to_khiva_and_out_along_the_movers_path(
    start: list[int] | None, steps: int, others: dict[str, tuple[int, int]], end: list[int] | None
) -> None:
    match = deal(f"white-{steps}", "", "")
    here = {"white": (start[0], start[1])} if start else {}
    put(match, camels={**here, **others})
    won = now(match)["carrying"]["white"]
    turn(match, f"white-{steps}", *_not_white(match))
    walk(match)
    assert now(match)["camels"]["white"] == end
    assert now(match)["teapots"][0] == ([won] if end is None else [])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(("k", "j"), [(k, j) for k in range(1, 5) for j in range(1, 5) if k - 1 + j <= 5])
def test_k6_from_shop_k_of_another_the_movers_shop_j_is_k_minus_1_plus_j_steps_away(
    players: int, k: int, j: int
) -> None:
    card, mover = f"white-{k - 1 + j}", players - 1
    match = deal(*[""] * mover, f"{card} blue-1")
    put(match, camels={"white": (0, k)})
    turn(match, *_not_white(match, mover), f"{card} blue-1" if players == 2 else card)
    walk(match)
    assert now(match)["camels"]["white"] == [mover, j]


def _not_white(match: Match, mover: int = 0) -> list[str]:
    """Return what the others may play so that it does not matter."""
    hands = now(match)["hands"]
    each = 2 if match.players == 2 else 1
    others = [[c for c in hand if not c.startswith("white")] for s, hand in enumerate(hands) if s != mover]
    return [" ".join(hand[-each:]) for hand in others]


@pytest.mark.parametrize("start", [None, (0, 1), (0, 2), (0, 3), (0, 4), (1, 1)])
def test_k7_a_camel_stops_at_the_counter_and_steps_left_over_are_lost(start: tuple[int, int] | None) -> None:
    match = deal("white-5", "blue-1", "blue-2", teapots=[7, 2, 2, 2, 3, 6])
    put(match, camels={"white": start} if start else {})
    turn(match, "white-5", "blue-1", "blue-2")
    walk(match)
    assert now(match)["teapots"][0] == [7]
    assert now(match)["camels"]["white"] is None
    assert now(match)["carrying"]["white"] == 6
