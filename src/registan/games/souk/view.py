"""Le Marché de Samarkand: what a seat sees (M24), as JSON, made only from what it may know."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from registan.core.game import SPECTATOR, Box, Json
from registan.core.views import NOTHING as NO_MOVES
from registan.core.views import Part, PerSeat
from registan.games.souk.brings import BRINGS, brings, brought
from registan.games.souk.moves import camels_of, goods_name, goods_names, read_item, score_details, seats_in, write
from registan.games.souk.rules import SCORES
from registan.games.souk.scoring import harmony_of, of_stall
from registan.games.souk.state import CAMEL, CARDS, NAME, ROUNDS, stalls

__all__ = ["BRINGS", "PARTS", "TOLD", "brings", "brought", "settled"]

PHASES = ("offer", "count", "name")
TOLD = ("name",)


def settled(box: Box, before: Any, after: Any, answers: list[Json], line: Json) -> Json:
    """M7, M12 to M14: what came of naming a card, when all who stopped had named one."""
    seat, price = line["seat"], int(before.price)
    if before.money[seat] < price:
        fine = min(int(box.record.fine), int(before.money[seat]))
        return {"fined": True, "pays": [[fine, "dirham"]] if fine else []}
    action = read_item(box, before, line["item"])
    camel = action == CAMEL
    stall = action - NAME
    seller = stall if stall < before.players and not camel else None
    card = 0 if camel else 1 << stall * CARDS + int(before.for_sale[stall]) - 1

    def bought(who: int) -> bool:
        if camel:
            return int(sum(after.held[who])) > int(sum(before.held[who]))
        return bool(int(after.goods[who]) & card)

    buyer = next((one["seat"] for one in answers if one["item"] == line["item"] and bought(one["seat"])), None)
    if buyer is None:  # M13: half the price each, rounded up
        return {"disputed": True, "pays": [[(price + 1) // 2, "dirham"]], "seller": seller}
    if buyer != seat:  # M12
        return {"buyer": buyer}
    return {"buyer": seat, "gets": [[1, "camel" if camel else "goods"]], "pays": [[price, "dirham"]], "seller": seller}


def _asked(box: Box, s: Any, audience: int) -> int | None:
    return None if s.over else s.phase


def _seats(box: Box, members: int) -> list[int]:
    return seats_in(members)


def _sale_key(box: Box, s: Any, audience: int) -> Any:
    return s.players, s.kind, s.for_sale


def _sale(box: Box, key: Any) -> list[Json]:
    """Return the goods cards that are for sale, and who sells each: null for the bank."""
    players, kind, for_sale = key
    s = SimpleNamespace(kind=kind)
    return [
        {"item": goods_name(box, s, stall, card - 1), "seller": stall if stall < players else None}
        for stall, card in enumerate(for_sale)
        if card
    ]


def _bank_key(box: Box, s: Any, audience: int) -> Any:
    return (s.kind[3], s.left[3].bit_count()) if s.players == 3 else None


def _bank(box: Box, key: Any) -> Json | None:
    """Return the bank's stall: its type, and how many cards it still has to sell."""
    return None if key is None else {"type": _type(box, key[0]), "cards": key[1]}


def _type(box: Box, kind: int) -> str:
    name: str = goods_name(box, SimpleNamespace(kind=(kind,)), 0, 0)[0]
    return name


def _discarded_key(box: Box, s: Any, audience: int) -> Any:
    a, b, c, d, e = s.goods
    return s.players, s.kind, s.left, s.for_sale, a | b | c | d | e


def _discarded(box: Box, key: Any) -> list[list[Any]]:
    """M11, M13: cards turned up that are neither for sale nor bought have left the game."""
    players, kind, left, for_sale, owned = key
    s = SimpleNamespace(players=players, kind=kind)
    gone = 0
    for stall in range(stalls(s)):
        on_sale = 1 << for_sale[stall] - 1 if for_sale[stall] else 0
        turned = ((1 << CARDS) - 1) & ~left[stall] & ~on_sale
        gone |= (turned & ~of_stall(owned, stall)) << (stall * CARDS)
    return goods_names(box, s, gone)


def _sealed_key(box: Box, s: Any, audience: int) -> Any:
    if audience == SPECTATOR or s.over or not s.sealed[audience]:
        return None
    return s.sealed[audience] - 1, s.kind, s.for_sale


def _sealed(box: Box, key: Any) -> Json | None:
    if key is None:
        return None
    action, kind, for_sale = key
    return write(box, SimpleNamespace(kind=kind, for_sale=for_sale), 0, action)


def _worth_key(box: Box, s: Any, audience: int) -> Any:
    if audience == SPECTATOR or s.over:
        return None
    return s.goods[audience].bit_count(), s.held[audience], *s.points[audience][2:]


def _worth(box: Box, key: Any) -> Json | None:
    """M19 to M22: what the audience's goods and camels would score now."""
    if key is None:
        return None
    goods, camels, *points = key
    room = sum(size * count for size, count in enumerate(camels))
    return {**dict(zip(SCORES[2:], points)), "carried": min(room, goods), "capacity": room}


def _seat_key(box: Box, s: Any, audience: int, seat: int) -> Any:
    """What a player has, in front of and behind the screen. Screens come down when the game is over."""
    goods = s.goods[seat]
    if seat == audience or s.over:
        score = (seat, _place(s, seat), s.players, s.harmony, *s.points[seat]) if s.over else None
        return s.kind[seat], s.kind, goods, s.held[seat], s.left[seat], s.money[seat], score
    shown = None if s.hidden_purchases else goods  # M8: not even how many
    return s.kind[seat], s.kind, shown, sum(s.held[seat]), -s.left[seat].bit_count() - 1, None, None


def _place(s: Any, seat: int) -> int:
    """M18: 1 for the richest; ties share the higher place."""
    return 1 + sum(int(s.money[other] > s.money[seat]) for other in range(s.players))


def _seat(box: Box, key: Any) -> Json:
    """Return what a player has. If only the number of cards left is known, it is below 0, -1 for none."""
    kind, kinds, goods, camels, left, money, score = key
    s = SimpleNamespace(kind=kinds, held=[camels])
    shown: Json = {
        "type": _type(box, kind),
        "cards": left.bit_count() if left >= 0 else -left - 1,
        "left": [value for _, value in goods_names(box, s, left)] if left >= 0 else None,
        "goods": None if goods is None else goods_names(box, s, goods),
        "camels": camels_of(s, 0) if left >= 0 else camels,
        "dirhams": money,
        "score": None,
    }
    return shown if score is None else shown | _scored(box, kinds, goods, camels, money, *score)


def _scored(
    box: Box,
    kind: Any,
    goods: int,
    camels: Any,
    money: int,
    seat: int,
    place: int,
    players: int,
    harmony: int,
    *points: int,
) -> Json:
    """Return the score of a seat, and where its points come from."""
    s = SimpleNamespace(
        players=players,
        harmony=harmony,
        kind=kind,
        goods={seat: goods},
        money={seat: money},
        held={(seat, size): count for size, count in enumerate(camels)},
    )
    score: Json = dict(zip(SCORES, points)) | score_details(box, s, seat)
    left = goods_names(box, s, goods)
    for card in score["carried"]:
        left.remove(card)
    tally: list[Json] = [{"part": "riches", "points": score["riches"], "dirhams": money, "place": place}]
    tally += [{"part": "presents", "points": card[1], "cards": [card]} for card in _presents(box, s, seat, score)]
    for value in sorted({value for _, value in score["carried"]}):
        cards = [card for card in score["carried"] if card[1] == value]
        tally.append({"part": "harmony", "points": harmony_of(box.record, s, len(cards)), "cards": cards})  # M21
    if score["empty"]:
        tally.append({"part": "empty", "points": score["empty"], "n": score["capacity"] - len(score["carried"])})
    return {"score": score, "tally": tally + ([{"part": "left", "points": 0, "cards": left}] if left else [])}


def _presents(box: Box, s: Any, seat: int, score: Json) -> list[Any]:
    """M20: the cards of the scored type: of those with the fewest cards, the one that brings most."""
    types = [_type(box, s.kind[stall]) for stall in range(stalls(s)) if stall != seat]
    carried = [[card for card in score["carried"] if card[0] == name] for name in types]
    fewest = min(map(len, carried))
    return next(cards for cards in carried if len(cards) == fewest and sum(v for _, v in cards) == score["presents"])


def _legal_key(box: Box, s: Any, audience: int) -> Any:
    return (tuple(s.actions), s.kind, s.for_sale) if s.actions else None


def _legal(box: Box, key: Any) -> list[Json]:
    if key is None:
        return NO_MOVES
    actions, kind, for_sale = key
    s = SimpleNamespace(kind=kind, for_sale=for_sale)
    return [write(box, s, 0, action) for action in actions]


PARTS = (
    Part("asked", _asked, lambda box, phase: "over" if phase is None else PHASES[phase]),
    Part("round", lambda box, s, _: min(s.rounds, ROUNDS)),
    Part("rounds", lambda box, s, _: ROUNDS),
    Part("doyen", lambda box, s, _: s.doyen),
    Part("price", lambda box, s, _: s.price or None),
    Part("stopped", lambda box, s, _: s.stopped, _seats),
    Part("for_sale", _sale_key, _sale),
    Part("camel", lambda box, s, _: s.camel or None),
    Part("camels_left", lambda box, s, _: s.camels_left),
    Part("bank", _bank_key, _bank),
    Part("discarded", _discarded_key, _discarded),
    Part("sealed", _sealed_key, _sealed, own=True),
    Part("worth", _worth_key, _worth, own=True),
    PerSeat("seats", _seat_key, _seat),
    Part("legal", _legal_key, _legal, own=True),
)
