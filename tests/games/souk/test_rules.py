"""The rules M1 to M11, M15 to M17 and M24, read like the rulebook."""

from __future__ import annotations

from typing import Any

import pytest

import registan
from registan.core.errors import BadInput, IllegalMove
from registan.games.souk import GAME
from registan.games.souk.box import TYPE_NAMES
from registan.games.souk.state import ACTIONS
from tests.games.souk.market import BOX, Market


def refused(market: Market, seat: int, move: dict[str, object]) -> str:
    before = market.state.tobytes()
    with pytest.raises(IllegalMove) as error:
        market.match.play(seat, move)
    assert market.state.tobytes() == before
    return error.value.rule


@pytest.mark.parametrize("players", [4, 5])
def test_m1_each_player_gets_one_type_and_15_dirhams(players: int) -> None:
    market = Market(players)
    assert market.money == [15] * players
    assert market.state.till == 0
    for seat in range(players):
        offers = [move["value"] for move in market.match.legal(seat)]
        assert offers == [1, 2, 3, 4, 5, 7]
        assert market.match.view(seat)["seats"][seat]["left"] == [1, 1, 1, 2, 2, 3, 3, 4, 5, 7]
    assert market.match.view()["bank"] is None
    market.offer()
    assert [card[0] for card in market.for_sale] == list(TYPE_NAMES[:players])


def test_m1_types_are_dealt_at_random() -> None:
    deals = {tuple(registan.new("souk", 4, seed).record()["setup"]["types"]) for seed in range(60)}
    assert {deal[0] for deal in deals} == set(TYPE_NAMES)
    assert {name for name in TYPE_NAMES for deal in deals if name not in deal} == set(TYPE_NAMES)


def test_m2_with_three_the_bank_sells_a_fourth_type_from_a_shuffled_pile() -> None:
    market = Market(3)
    assert market.money == [25] * 3
    market.offer()
    assert market.for_sale[3] == ["carpets", 7]
    market.end_round().offer()
    assert market.for_sale[3] == ["carpets", 1]
    assert market.match.view()["bank"] == {"type": "carpets", "cards": 8}
    setups = [registan.new("souk", 3, seed).record()["setup"] for seed in range(20)]
    assert len({tuple(setup["bank_cards"]) for setup in setups}) > 15
    assert all(setup["bank"] not in setup["types"] for setup in setups)


def test_m3_the_camels_are_shuffled_and_the_top_one_is_turned_up() -> None:
    market = Market(camels=[5, 2, 3, 4] * 4)
    assert market.match.view()["camel"] == 5
    assert market.match.view()["camels_left"] == 15
    setups = [registan.new("souk", 4, seed).record()["setup"]["camels"] for seed in range(20)]
    assert len({tuple(camels) for camels in setups}) == 20
    assert all(sorted(camels) == sorted([2, 3, 4, 5] * 4) for camels in setups)


def test_m4_the_first_doyen_may_be_named() -> None:
    for doyen in range(4):
        match, drawn = registan.new("souk", 4, seed=5, first=doyen), registan.new("souk", 4, seed=5)
        assert match.view()["doyen"] == doyen
        assert match.record()["setup"] == {**drawn.record()["setup"], "doyen": doyen}, "nothing else changes"
        assert match.record()["options"] == {}
        assert registan.replay(match.record()).state.doyen == doyen


@pytest.mark.parametrize("seat", [-1, 4, True, "1"])
def test_m4_a_seat_that_does_not_exist_is_no_first_doyen(seat: Any) -> None:
    with pytest.raises(BadInput) as refused:
        registan.new("souk", 4, first=seat)
    assert refused.value.key == "error.seat"


def test_m4_the_first_doyen_is_drawn_and_the_office_passes_to_the_left() -> None:
    assert {registan.new("souk", 5, seed).view()["doyen"] for seed in range(60)} == {0, 1, 2, 3, 4}
    market = Market(3, doyen=1)
    doyens = []
    for _ in range(5):
        doyens.append(market.match.view()["doyen"])
        market.offer().end_round()
    assert doyens == [1, 2, 0, 1, 2]


def test_m5_offers_are_secret_and_turned_up_at_once() -> None:
    one, other = Market(), Market()
    one.match.play(0, {"do": "offer", "value": 5})
    other.match.play(0, {"do": "offer", "value": 7})
    assert one.match.hidden(1).tobytes() == other.match.hidden(1).tobytes()
    assert one.match.hidden(0).tobytes() != other.match.hidden(0).tobytes()
    assert one.for_sale == []
    for seat, value in ((3, 1), (1, 7), (2, 2)):
        one.match.play(seat, {"do": "offer", "value": value})
    assert one.for_sale == [["fruit", 5], ["jewels", 7], ["spices", 2], ["carpets", 1]]
    assert [line["seat"] for line in one.lines] == [0, 1, 2, 3]


def test_m5_only_own_cards_that_are_left_are_offered_once() -> None:
    market = Market()
    market.match.play(0, {"do": "offer", "value": 7})
    assert refused(market, 0, {"do": "offer", "value": 5}) == "M5"
    assert refused(market, 1, {"do": "stop"}) == "M5"
    assert refused(market, 1, {"do": "offer", "value": 6}) == "M5"
    for seat in (1, 2, 3):
        market.match.play(seat, {"do": "offer", "value": 7})
    market.end_round()
    assert refused(market, 0, {"do": "offer", "value": 7}) == "M5"
    assert {"do": "offer", "value": 7} not in market.match.legal(0)


def test_m5_a_missing_camel_is_turned_up_with_the_offers() -> None:
    market = Market(camels=[2, 3, 4, 5] * 4).offer()
    market.buy_all_goods({"fruit": 1, "jewels": 0, "spices": 3, "carpets": 2}, 3)
    market.stop(2, {0: "camel"})
    assert market.state.camel == 0
    assert market.state.camels_left == 15
    market.offer()
    assert market.state.camel == 3
    market.end_round().offer()
    assert market.state.camel == 3  # M5: not while one lies face up
    assert market.state.camels_left == 14


def test_m6_the_count_goes_from_10_and_everybody_may_stop() -> None:
    market = Market(doyen=2)
    market.own(3, 0)
    market.offer()
    assert market.state.price == 10
    assert market.match.waiting == [0, 1, 2, 3]
    for seat in range(4):
        assert market.match.legal(seat) == [{"do": "wait"}, {"do": "stop"}]
    prices = []
    while market.state.rounds == 1:
        prices.append(int(market.state.price))
        for seat in market.match.waiting:
            market.match.play(seat, {"do": "wait"})
    assert prices == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]  # M6: nothing is sold at 0
    assert market.lines[-1] == {"price": 0}


def test_m6_who_could_name_nothing_is_not_asked() -> None:
    market = Market(camels=[2] * 4 + [3, 4, 5] * 4).offer()
    market.state.camels_left = 0  # no camel is left in the pile
    market.state.camels[:] = 0
    for seat, size in ((0, 2), (1, 3), (2, 4), (3, 5)):
        market.state.held[seat, size] = 4
    market.state.held[0, 2] = 3
    market.stop(10, {0: "camel"})
    assert market.match.waiting == [0, 1, 2, 3]
    market.buy_all_goods({"fruit": 1, "jewels": 0, "spices": 3}, 5)
    assert market.for_sale == [["carpets", 1]]
    assert market.match.waiting == [0, 1, 2]
    assert refused(market, 3, {"do": "stop"}) == "M6"
    assert refused(market, 3, {"do": "wait"}) == "M6"
    assert refused(market, 0, {"do": "name", "item": ["carpets", 1]}) == "M6"
    market.stop(4, {0: ["carpets", 1]})
    assert market.state.rounds == 2  # nothing is left that anybody could name: the count runs on by itself
    assert market.lines[-2:] == [{"seat": 0, "do": "name", "item": ["carpets", 1]}, {"price": 0}]


def test_m7_a_card_wanted_by_one_is_sold_at_that_price_and_paid_to_its_seller() -> None:
    market = Market().offer(5, 7, 1, 2).stop(6, {2: ["jewels", 7], 0: ["carpets", 2], 3: "camel"})
    assert market.money == [9, 21, 9, 15 + 6 - 6]
    assert market.state.till == 6  # the camel's price goes to the bank
    assert market.goods(2) == [["jewels", 7]]
    assert market.goods(0) == [["carpets", 2]]
    assert market.camels(3) == [4]
    assert market.for_sale == [["fruit", 5], ["spices", 1]]


def test_m7_the_banks_goods_are_paid_to_the_bank() -> None:
    market = Market(3).offer().stop(8, {0: ["carpets", 7]})
    assert market.money == [17, 25, 25]
    assert market.state.till == 8
    assert market.goods(0) == [["carpets", 7]]


def test_m7_only_a_face_up_card_that_is_not_ones_own_is_named() -> None:
    market = Market().offer(5, 7, 1, 2).wait(9)
    for seat in range(4):
        market.match.play(seat, {"do": "stop" if seat < 2 else "wait"})
    assert market.match.legal(0) == [
        {"do": "name", "item": ["jewels", 7]},
        {"do": "name", "item": ["spices", 1]},
        {"do": "name", "item": ["carpets", 2]},
        {"do": "name", "item": "camel"},
    ]
    assert refused(market, 0, {"do": "name", "item": ["fruit", 5]}) == "M7"
    assert refused(market, 0, {"do": "wait"}) == "M7"
    assert refused(market, 2, {"do": "name", "item": ["fruit", 5]}) == "M7"
    market.match.play(0, {"do": "name", "item": "camel"})
    assert refused(market, 0, {"do": "name", "item": "camel"}) == "M7"


def test_m8_bought_goods_lie_face_up_and_camels_behind_the_screen() -> None:
    market = Market().offer(5, 7, 1, 2).stop(6, {2: ["jewels", 7], 3: "camel"})
    seen = market.match.view(0)["seats"]
    assert seen[2]["goods"] == [["jewels", 7]]
    assert seen[3]["camels"] == 1
    assert market.match.view(3)["seats"][3]["camels"] == [4]


def test_m8_with_the_option_bought_goods_are_hidden_too() -> None:
    market = Market(hidden_purchases=True).offer(5, 7, 1, 2).stop(6, {2: ["jewels", 7]})
    assert market.match.view(0)["seats"][2]["goods"] is None, "not even how many"
    assert market.match.view()["seats"][2]["goods"] is None
    assert market.match.view(2)["seats"][2]["goods"] == [["jewels", 7]]


def test_m8_hidden_purchases_can_be_read_in_their_round_and_never_again() -> None:
    market = Market(hidden_purchases=True).offer(5, 7, 1, 2).stop(6, {2: ["jewels", 7]})
    sale = [{"price": 6, "stops": [2]}, {"seat": 2, "do": "name", "item": ["jewels", 7]}]
    for seat in (-1, 0, 2):
        assert market.match.log(seat)[-2:] == sale
    market.end_round()
    assert market.match.log(0)[-3:] == [*sale, {"price": 0}], "until the next cards are turned up"
    before = [line for line in market.lines if line.get("do") == "offer" or line.get("price") == 0]
    market.offer()
    offers = market.lines[-4:]
    for seat in range(-1, 4):
        assert market.match.log(seat) == [*before, *offers]
    assert [line for line in market.match.record()["moves"] if line in sale] == sale, "the record stays complete"
    market.match.undo()
    assert market.match.log(0)[-3:] == [*sale, {"price": 0}]


def test_m8_a_sale_that_ends_its_round_can_be_read() -> None:
    market = Market(hidden_purchases=True).offer(5, 7, 1, 2).stop(1, {2: ["jewels", 7]})
    assert market.state.rounds == 2
    assert market.match.log(0)[-2:] == [{"seat": 2, "do": "name", "item": ["jewels", 7]}, {"price": 0}]


def test_m8_without_the_option_and_at_the_end_everything_can_be_read() -> None:
    every: list[dict[str, Any]] = [{}, {"hidden_purchases": True}]
    for options in every:
        market = Market(**options)
        for _ in range(10):
            market.offer()
            market.stop(1, {0: market.for_sale[1]})
            if not options:
                assert market.match.log(3) == market.lines
        assert market.match.over
        assert market.match.log(3) == market.lines


def test_m9_the_count_goes_on_one_lower_and_one_may_stop_again() -> None:
    market = Market().offer(5, 7, 1, 2).stop(6, {2: ["jewels", 7]})
    assert market.state.price == 5
    assert 2 in market.match.waiting
    market.stop(5, {2: ["carpets", 2]})
    assert market.goods(2) == [["jewels", 7], ["carpets", 2]]
    assert market.state.price == 4


def test_m10_the_next_camel_comes_at_once_while_goods_are_left() -> None:
    market = Market(camels=[4, 2, 3, 5] * 4).offer().stop(6, {0: "camel"})
    assert market.state.camel == 2
    market.stop(5, {0: "camel"})
    assert market.state.camel == 3
    assert market.camels(0) == [2, 4]


def test_m10_without_goods_no_camel_comes_before_the_next_round() -> None:
    market = Market(camels=[4, 2, 3, 5] * 4).offer()
    market.buy_all_goods({"fruit": 1, "jewels": 0, "spices": 3, "carpets": 2}, 6)
    assert market.state.camel == 4
    assert market.state.price == 5  # M10: the count runs on when only the camel is left
    assert market.match.waiting == [0, 1, 2, 3]
    market.stop(3, {1: "camel"})
    assert market.state.camel == 0
    assert market.state.rounds == 2


def test_m10_an_empty_pile_gives_no_more_camels() -> None:
    market = Market(camels=[2] * 4 + [3, 4, 5] * 4).offer()
    market.state.camels_left = 0
    market.state.camels[:] = 0
    for seat, size in ((0, 2), (1, 3), (2, 4), (3, 5)):
        market.state.held[seat, size] = 4
    market.state.held[0, 2] = 3
    market.stop(6, {0: "camel"})
    assert market.state.camel == 0
    assert {"do": "name", "item": "camel"} not in market.match.legal(1)
    market.end_round().offer()
    assert market.state.camel == 0


def test_m11_at_0_unsold_goods_leave_and_the_camel_stays() -> None:
    market = Market().offer(5, 7, 1, 2).stop(6, {2: ["jewels", 7]}).end_round()
    assert market.for_sale == []
    assert market.state.camel == 4
    assert market.match.view()["discarded"] == [["fruit", 5], ["spices", 1], ["carpets", 2]]
    assert [market.goods(seat) for seat in range(4)] == [[], [], [["jewels", 7]], []]


def test_m15_all_seals_at_a_price_are_opened_together() -> None:
    """Who seals first does not matter, and a seal is seen by nobody before the last one."""
    states = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)):
        market = Market().offer(5, 7, 1, 2)
        for seat in order[:-1]:
            plain = market.match.hidden(order[-1])[0]
            market.match.play(seat, {"do": "stop" if seat in (0, 2) else "wait"})
            now = market.match.hidden(order[-1])[0]
            now.waiting = plain.waiting
            assert now.tobytes() == plain.tobytes()
            assert market.state.stopped == 0
        market.match.play(order[-1], {"do": "stop" if order[-1] in (0, 2) else "wait"})
        assert market.match.view()["stopped"] == [0, 2]
        assert market.lines[-1] == {"price": 10, "stops": [0, 2]}
        market.state.rng[:] = 0
        states.append(market.state.tobytes())
    assert len(set(states)) == 1


def test_m16_those_who_stopped_name_in_secret_and_at_once() -> None:
    markets = [Market().offer(5, 7, 1, 2), Market().offer(5, 7, 1, 2)]
    for market, item in zip(markets, (["spices", 1], "camel")):
        for seat in range(4):
            market.match.play(seat, {"do": "stop" if seat in (0, 1, 3) else "wait"})
        assert market.match.waiting == [0, 1, 3]
        market.match.play(1, {"do": "name", "item": item})
        assert market.money == [15] * 4
        assert market.match.waiting == [0, 3]
    for seat in (0, 2, 3):
        assert markets[0].match.hidden(seat).tobytes() == markets[1].match.hidden(seat).tobytes()


def test_m17_the_game_ends_after_ten_rounds() -> None:
    market = Market()
    for round_ in range(1, 11):
        assert market.state.rounds == round_
        assert not market.match.over
        market.offer().end_round()
    assert market.match.over
    assert market.state.rounds == 11
    assert market.match.waiting == []
    for seat in range(4):
        assert market.match.legal(seat) == []
        assert all(GAME.rules.breaks(BOX.record, market.state, seat, action) == 17 for action in range(ACTIONS))
    assert refused(market, 0, {"do": "wait"}) == "M17"


def test_m24_money_and_camels_are_behind_screens_until_the_end() -> None:
    market = Market(3).offer(5, 7, 1).stop(6, {2: ["jewels", 7], 0: "camel"})
    for seat in (-1, 0, 1, 2):
        view = market.match.view(seat)
        for other in range(3):
            mine = seat == other
            assert (view["seats"][other]["dirhams"] is not None) == mine
            assert isinstance(view["seats"][other]["camels"], list) == mine
            assert (view["seats"][other]["left"] is not None) == mine
        assert view["for_sale"] == [
            {"item": ["fruit", 5], "seller": 0},
            {"item": ["spices", 1], "seller": 2},
            {"item": ["carpets", 7], "seller": None},
        ]
        assert (view["price"], view["doyen"], view["camel"]) == (5, 0, 2)
        hidden = market.match.hidden(seat)[0]
        assert not hidden.camels.any()
        assert not hidden.bank.any()
    for _ in range(10):
        market.end_round()
        if not market.match.over:
            market.offer()
    assert [seat["dirhams"] for seat in market.match.view()["seats"]] == [19, 31, 19]
    assert [seat["score"]["riches"] for seat in market.match.view()["seats"]] == [1, 3, 1]


def test_every_rule_is_on_the_page() -> None:
    from registan.core.rulebook import rules_by_id

    for lang in ("en", "fr"):
        assert list(rules_by_id(GAME.folder, lang)) == [f"M{n}" for n in range(1, GAME.rule_count + 1)]
