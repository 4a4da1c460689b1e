"""Helpers for tests: a market set up as wanted, and moves in the terms of the rulebook."""

from __future__ import annotations

from typing import Any

from registan.core.box import find_box
from registan.core.chance import Stream
from registan.core.game import Json, Record
from registan.core.match import Match
from registan.games.souk import GAME, checks
from registan.games.souk.box import TYPE_NAMES
from registan.games.souk.moves import camels_of, for_sale, goods_names
from registan.games.souk.state import CARDS, card_of

BOX = find_box(GAME)
CAMELS = [4, 2, 3, 5] * 4
BANK = [7, 1, 1, 1, 2, 2, 3, 3, 4, 5]


class Market:
    """Seat 0 sells fruit, 1 jewels, 2 spices, 3 carpets, 4 clothes; with 3 players the bank sells carpets."""

    def __init__(
        self, players: int = 4, doyen: int = 0, camels: list[int] | None = None, seed: int = 0, **options: Any
    ) -> None:
        setup: Json = {"types": list(TYPE_NAMES[:players]), "camels": camels or CAMELS, "doyen": doyen}
        if players == 3:
            setup |= {"bank": "carpets", "bank_cards": BANK}
        self.match = Match(GAME, BOX, players, options, Stream.from_seed(seed)).apply_setup(setup)

    @property
    def state(self) -> Record:
        return self.match.state

    @property
    def money(self) -> list[int]:
        return [int(self.state.money[seat]) for seat in range(self.match.players)]

    @property
    def for_sale(self) -> list[list[Any]]:
        return for_sale(BOX, self.state)

    @property
    def lines(self) -> list[Json]:
        return [written.line for written in self.match.written]

    def goods(self, seat: int) -> list[list[Any]]:
        return goods_names(BOX, self.state, int(self.state.goods[seat]))

    def camels(self, seat: int) -> list[int]:
        return camels_of(self.state, seat)

    def offer(self, *values: int) -> Market:
        """Every seller offers; without values the lowest card."""
        for seat in range(self.match.players):
            move = {"do": "offer", "value": values[seat]} if values else self.match.legal(seat)[0]
            self.match.play(seat, move)
        return self

    def wait(self, price: int) -> Market:
        """Everybody waits until that price is called."""
        while self.state.price > price:
            for seat in self.match.waiting:
                self.match.play(seat, {"do": "wait"})
        return self

    def stop(self, price: int, names: dict[int, Any]) -> Market:
        """The seats that name something stop at that price, all others wait; then they name."""
        self.wait(price)
        assert self.state.price == price
        for seat in self.match.waiting:
            self.match.play(seat, {"do": "stop" if seat in names else "wait"})
        for seat in sorted(names):
            self.match.play(seat, {"do": "name", "item": names[seat]})
        assert checks.faults(BOX.record, self.state) == 0
        return self

    def end_round(self) -> Market:
        """Everybody waits until the round is over."""
        now = int(self.state.rounds)
        while self.state.rounds == now:
            for seat in self.match.waiting:
                self.match.play(seat, {"do": "wait"})
        return self

    def buy_all_goods(self, seats: dict[str, int], price: int) -> Market:
        """What is for sale is bought at one price, by type."""
        cards = {card[0]: card for card in self.for_sale}
        return self.stop(price, {seat: cards[name] for name, seat in seats.items()})

    def own(self, seat: int, dirhams: int, goods: Any = (), camels: Any = ()) -> None:
        """Put money, goods and camels before a player, whatever the rules say."""
        s = self.state
        s.till += int(s.money[seat]) - dirhams
        s.money[seat] = dirhams
        s.goods[seat] = 0
        for name, value in goods:
            stall = TYPE_NAMES.index(name)
            free = (1 << CARDS) - 1 & ~(int(s.goods[seat]) >> stall * CARDS)
            s.goods[seat] |= 1 << stall * CARDS + card_of(BOX.record, free, value)
        for capacity in camels:
            s.held[seat, capacity] += 1

    def scores(self) -> list[Json]:
        return self.match.scores()
