"""A second implementation of the game from the rules page alone, to check records of the engine line by line.

It shares no code and no algorithm with the engine: cards are lists of [type, value], and the best choice of what to
carry home is found by trying all.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

VALUES = [1, 1, 1, 2, 2, 3, 3, 4, 5, 7]
HARMONY = {"table": [0, 0, 1, 2, 4, 8, 16], "example": [0, 0, 2, 3, 4, 8, 16]}


class SecondOpinion:
    """A market as the record tells it."""

    def __init__(self, record: dict[str, Any]) -> None:
        setup = record["setup"]
        self.record = record
        self.n = record["players"]
        self.types = setup["types"]
        self.bank = setup.get("bank")
        self.bank_cards = list(setup.get("bank_cards", []))
        self.hands = [list(VALUES) for _ in self.types]
        self.money = [25 if self.n == 3 else 15] * self.n
        self.goods: list[list[Any]] = [[] for _ in self.types]
        self.camels: list[list[int]] = [[] for _ in self.types]
        self.pile = list(setup["camels"])
        self.camel = self.pile.pop(0)
        self.doyen, self.round = setup["doyen"], 1
        self.sale: list[Any] = []
        self.price = 0
        self.lines = iter(record["moves"])

    def replay(self) -> None:
        """Go through the whole record."""
        while self.round <= 10:
            self.play_round()
        assert next(self.lines, None) is None
        self.check_scores()

    def play_round(self) -> None:
        """Offers, stops and names down to the line of the price 0."""
        offers = [next(self.lines) for _ in range(self.n)]
        for seat, line in enumerate(offers):
            assert (line["seat"], line["do"]) == (seat, "offer")
            assert sorted(move["value"] for move in line["legal"]) == sorted(set(self.hands[seat]))
        for seat, line in enumerate(offers):
            self.hands[seat].remove(line["value"])
            self.sale.append([self.types[seat], line["value"]])
        if self.bank:
            self.sale.append([self.bank, self.bank_cards.pop(0)])
        self.next_camel()
        self.check(offers[-1])
        self.price = 11
        while True:
            line = next(self.lines)
            assert line["price"] < self.price, "the count only goes down"
            if line["price"] == 0:
                break
            self.stop(line)
        self.sale = []
        self.round += 1
        self.doyen = (self.doyen + 1) % self.n
        self.check(line)

    def next_camel(self) -> None:
        """A camel is turned up if none is."""
        if self.camel is None and self.pile:
            self.camel = self.pile.pop(0)

    def nameable(self, seat: int) -> list[Any]:
        """What the seat could name."""
        return [card for card in self.sale if card[0] != self.types[seat]] + (["camel"] if self.camel else [])

    def stop(self, line: dict[str, Any]) -> None:
        """Those who stopped name, and all is settled."""
        self.price = line["price"]
        assert line["may_stop"] == [seat for seat in range(self.n) if self.nameable(seat)]
        assert line["stops"]
        assert set(line["stops"]) <= set(line["may_stop"])
        self.check(line)
        names = []
        for seat in sorted(line["stops"]):
            name = next(self.lines)
            assert (name["seat"], name["do"]) == (seat, "name")
            assert sorted(map(str, (m["item"] for m in name["legal"]))) == sorted(map(str, self.nameable(seat)))
            names.append(name)
        before = list(self.money)
        able = [(name["seat"], name["item"]) for name in names if before[name["seat"]] >= self.price]
        for name in names:
            seat = name["seat"]
            if before[seat] < self.price:
                self.money[seat] -= min(1, before[seat])
        shuffled = False
        for item in {str(item): item for _, item in able}.values():
            shuffled |= self.settle(item, [seat for seat, wanted in able if wanted == item])
        if not shuffled and self.sale:
            self.next_camel()
        self.check(names[-1])
        if shuffled:
            chance = next(self.lines)
            assert chance["chance"] == "camels"
            assert sorted(chance["order"]) == sorted(self.pile)
            self.pile = list(chance["order"])
            if self.sale:
                self.next_camel()
            self.check(chance)

    def settle(self, item: Any, seats: list[int]) -> bool:
        """One card finds its end; return whether the camels must be shuffled."""
        seller = self.types.index(item[0]) if item != "camel" and item[0] in self.types else None
        if self.doyen in seats:
            seats = [self.doyen]
        each = self.price if len(seats) == 1 else -(-self.price // 2)
        for seat in seats:
            self.money[seat] -= each
            if seller is not None:
                self.money[seller] += each
        if item == "camel":
            (self.camels[seats[0]] if len(seats) == 1 else self.pile).append(self.camel)
            self.camel = None
            return len(seats) > 1
        self.sale.remove(item)
        if len(seats) == 1:
            self.goods[seats[0]].append(item)
        return False

    def check(self, line: dict[str, Any]) -> None:
        """The table is what the line says."""
        state = line["state"]
        assert state["dirhams"] == self.money
        for seat in range(self.n):
            assert sorted(state["goods"][seat]) == sorted(self.goods[seat])
            assert sorted(state["camels"][seat]) == sorted(self.camels[seat])
        assert sorted(state["for_sale"]) == sorted(self.sale)
        assert (state["camel"], state["doyen"], state["round"]) == (self.camel, self.doyen, self.round)

    def check_scores(self) -> None:
        """Riches by place, and the best of all ways to load the camels."""
        totals = []
        for seat, score in enumerate(self.record["scores"]):
            place = sum(other > self.money[seat] for other in self.money)
            riches = ([3, 1, 0] if self.n == 3 else [5, 3, 1, 0, 0])[place]
            buffer = sum(self.camels[seat])
            kept = min(buffer, len(self.goods[seat]))
            best = max(self.worth(seat, choice) for choice in combinations(self.goods[seat], kept))
            assert score["riches"] == riches
            assert score["presents"] + score["harmony"] == best
            assert score["empty"] == -2 * max(0, buffer - len(self.goods[seat]))
            totals.append(riches + best + score["empty"])
            assert score["total"] == totals[-1]
        assert self.record["winners"] == [seat for seat in range(self.n) if totals[seat] == max(totals)]

    def worth(self, seat: int, kept: tuple[Any, ...]) -> int:
        """Presents and harmony of goods carried home."""
        types = [name for name in [*self.types, self.bank] if name and name != self.types[seat]]
        by_type: list[list[int]] = [[value for name, value in kept if name == t] for t in types]
        fewest = min(map(len, by_type))
        counts = Counter(value for _, value in kept)
        harmony = HARMONY[self.record["options"].get("harmony", "table")]
        presents = max(sum(cards) for cards in by_type if len(cards) == fewest)
        return presents + sum(harmony[min(n, 6)] for n in counts.values())
