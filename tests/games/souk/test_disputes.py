"""Several want the same card, or cannot pay for it: M12 to M14."""

from __future__ import annotations

from tests.games.souk.market import Market


def test_m12_the_doyen_buys_at_the_full_price_and_the_others_pay_nothing() -> None:
    market = Market(doyen=2).offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 2: ["jewels", 7], 3: ["jewels", 7]})
    assert market.money == [15, 22, 8, 15]
    assert market.goods(2) == [["jewels", 7]]
    assert market.goods(0) == market.goods(3) == []


def test_m12_the_doyen_of_the_day_counts_not_the_first() -> None:
    market = Market(doyen=2).offer().end_round().offer(5, 7, 1, 2)
    market.stop(7, {0: ["jewels", 7], 2: ["jewels", 7]})
    assert market.money == [11, 23, 11, 15]  # seat 3 is doyen now


def test_m13_in_a_dispute_at_7_each_pays_4_and_the_card_leaves() -> None:
    market = Market(doyen=3).offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 2: ["jewels", 7]})
    assert market.money == [11, 23, 11, 15]
    assert market.goods(0) == market.goods(2) == []
    assert ["jewels", 7] not in market.for_sale
    assert market.match.view()["discarded"] == [["jewels", 7]]


def test_m13_a_dispute_about_the_banks_goods_is_paid_to_the_bank() -> None:
    market = Market(3, doyen=2).offer().stop(7, {0: ["carpets", 7], 1: ["carpets", 7]})
    assert market.money == [21, 21, 25]
    assert market.state.till == 8


def test_m13_a_disputed_camel_is_shuffled_back_and_the_next_turned_up() -> None:
    camels = set()
    for seed in range(30):
        market = Market(doyen=3, seed=seed, camels=[4, 2, 3, 5] * 4).offer().stop(10, {0: "camel", 1: "camel"})
        assert market.money == [10, 10, 15, 15]
        assert market.state.till == 10
        line = market.lines[-1]
        assert line["chance"] == "camels"
        assert sorted(line["order"]) == sorted([4, 2, 3, 5] * 4)
        assert market.state.camel == line["order"][0]
        assert market.state.camels_left == 15
        assert market.state.price == 9
        assert market.lines[-2]["do"] == "name"
        camels.add(int(market.state.camel))
    assert camels == {2, 3, 4, 5}


def test_m13_a_single_camel_is_shuffled_all_the_same() -> None:
    market = Market(doyen=3, camels=[2] * 4 + [3, 4, 5] * 4).offer()
    market.state.camels_left = 0
    market.state.camels[:] = 0
    for seat, size in ((0, 2), (1, 3), (2, 4), (3, 5)):
        market.state.held[seat, size] = 4
    market.state.held[0, 2] = 3
    market.stop(3, {0: "camel", 1: "camel"})
    assert market.lines[-1] == {"chance": "camels", "order": [2]}
    assert market.state.camel == 2


def test_m13_without_goods_the_next_camel_waits_for_the_next_round() -> None:
    market = Market(doyen=3).offer()
    market.buy_all_goods({"fruit": 1, "jewels": 0, "spices": 3, "carpets": 2}, 6)
    market.stop(4, {0: "camel", 1: "camel"})
    assert market.lines[-2]["chance"] == "camels"
    assert len(market.lines[-2]["order"]) == 16
    assert market.lines[-1] == {"price": 0}
    assert market.state.camel == 0
    market.offer()
    assert market.state.camel != 0


def test_m13_a_dispute_at_1_ends_the_round_after_the_shuffle() -> None:
    market = Market(doyen=3).offer().stop(1, {0: "camel", 1: "camel"})
    assert [line.get("chance", line.get("price")) for line in market.lines[-2:]] == ["camels", 0]
    assert market.state.rounds == 2
    assert market.state.camel != 0  # goods were left when it was turned up


def test_m14_who_cannot_pay_the_full_price_is_fined() -> None:
    market = Market(doyen=3)
    market.own(0, 6)
    market.own(1, 0)
    before = int(market.state.till)
    market.offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 1: ["spices", 1]})
    assert market.money == [5, 0, 15, 15]  # nothing if penniless
    assert market.state.till == before + 1
    assert len(market.for_sale) == 4


def test_m14_who_cannot_pay_takes_no_part_in_a_dispute_though_half_would_do() -> None:
    market = Market(doyen=3)
    market.own(0, 6)
    market.offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 2: ["jewels", 7]})
    assert market.money == [5, 22, 8, 15]
    assert market.goods(2) == [["jewels", 7]]


def test_m12_m14_a_doyen_who_cannot_pay_has_no_privilege() -> None:
    market = Market(doyen=0)
    market.own(0, 6)
    market.offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 2: ["jewels", 7], 3: ["jewels", 7]})
    assert market.money == [5, 23, 11, 11]  # a dispute between the two others


def test_m14_who_can_pay_is_judged_before_anything_is_paid() -> None:
    market = Market(doyen=3)
    market.own(1, 6)
    market.offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 1: ["fruit", 5]})
    assert market.money == [8, 6 - 1 + 7, 15, 15]  # the price of the jewels came too late
    assert market.goods(1) == []
    poor = Market(doyen=3)
    poor.own(1, 0)
    poor.offer(5, 7, 1, 2).stop(7, {0: ["jewels", 7], 1: ["fruit", 5]})
    assert poor.money == [8, 7, 15, 15]  # and so for the fine


def test_m10_m14_whether_goods_are_left_is_judged_when_all_is_settled() -> None:
    market = Market(5, doyen=4).offer()
    market.buy_all_goods({"fruit": 1, "jewels": 0, "spices": 3, "clothes": 2}, 6)
    assert market.for_sale == [["carpets", 1]]
    market.stop(4, {0: "camel", 1: ["carpets", 1]})  # the last goods go at the price at which the camel goes
    assert market.state.camel == 0
    assert market.state.rounds == 2
    disputed = Market(5, doyen=4).offer()
    disputed.buy_all_goods({"fruit": 1, "jewels": 0, "spices": 3, "clothes": 2}, 6)
    disputed.stop(4, {0: "camel", 1: "camel", 2: ["carpets", 1], 4: ["carpets", 1]})
    assert disputed.state.camel == 0
    assert disputed.state.camels_left == 16
