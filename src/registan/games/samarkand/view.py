"""Samarkand: what a seat sees and what its moves bring, as JSON, made only from what it may know."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import SEATS, SPECTATOR, Box, Ints, Json, Record
from registan.core.views import NOTHING as NO_MOVES
from registan.core.views import Part, PerSeat
from registan.games.samarkand.moves import camels, numbers, tiles_of, write
from registan.games.samarkand.rules import SCORES
from registan.games.samarkand.state import (
    ALL_PASSED,
    ALL_TRADE,
    CAMELS,
    DROP,
    END,
    FAMILIES,
    FIVE_PARTNERS,
    KEEP,
    MARKERS,
    MARRY,
    PASS,
    PLACE,
    SALE,
    SECOND,
    SELL,
    SPACES,
    TURN,
    WORD,
    dropped_by,
    hand_count,
    is_land,
    limit,
    stands,
)
from registan.games.samarkand.turns import ending, ending_with

PHASES = ("turn", "second", "sale", "discard")
ENDS_BY = {ALL_TRADE: "all_trade", FIVE_PARTNERS: "five_partners", ALL_PASSED: "all_passed"}
OWN_CAMEL, OTHER_CAMEL = 4, 1
"""S20: what a camel on the space of a card is worth."""

POINTS, GOOD, MET, RELATIONS, DIRHAMS, OTHERS, CARDS, DRAWN, DOWRY, DROPPED, WORTH, ASKED, ENDS = range(13)
"""What a move brings: points, the good taken + 1, the family met + 1, relationship markers, dirhams, those of others
(three bits per seat), the gain of cards in hand, cards drawn, dirhams paid, cards given up, what a card is worth if
kept, whether the mover is asked for a sale, whether the game ends."""
BRINGS = 13
TOLD = ("marry", "place")
"""Moves that bring something which everybody sees: the log says what."""


@compiled
def brings(box: Record, s: Record, seat: int, action: int, out: Ints) -> None:
    """S6 to S20: what a move brings the seat, and the dirhams that others get."""
    if action < PLACE:
        marrying(box, s, seat, action - MARRY, out)
    elif action < END:
        placing(box, s, seat, (action - PLACE) // SPACES, (action - PLACE) % SPACES, out)
    elif action >= DROP:
        cards = dropped_by(action)
        out[DROPPED] = bits(cards)
        while cards:
            out[POINTS] -= worth(box, s, seat, lowest(cards))
            cards &= cards - 1
    elif action == PASS:
        out[ENDS] = 1 if int(s.passes) + 1 == s.players else 0  # S5
    elif action >= SELL:
        out[WORTH] = worth(box, s, seat, int(s.good))
        if action < KEEP:
            out[DIRHAMS] = 3  # S14
            out[DROPPED] = 1
            out[POINTS] = 3 - int(out[WORTH])
    if s.phase != TURN and out[ENDS] == 0:
        out[ENDS] = 1 if ending(s) else 0  # S19: a condition was fulfilled earlier in this turn


@compiled
def worth(box: Record, s: Record, seat: int, card: int) -> int:
    """S20: what a card in the hand of a seat would score now."""
    space = int(box.space_of[card])
    points = 0
    for family in range(FAMILIES):
        if stands(s, family, space):
            points += OWN_CAMEL if (int(s.tiles[seat]) >> family) & 1 else OTHER_CAMEL
    return points


@compiled
def marrying(box: Record, s: Record, seat: int, family: int, out: Ints) -> None:
    """S6, S8, S20: the dowry is paid, cards in hand may gain value, and three may be drawn."""
    out[DOWRY] = box.dowry[family]
    if hand_count(s, seat) < limit(box, int(s.players)):
        out[DRAWN] = 3
    if not (int(s.tiles[seat]) >> family) & 1:
        hand = int(s.hand[seat])
        while hand:
            if stands(s, family, int(box.space_of[lowest(hand)])):
                out[CARDS] += OWN_CAMEL - OTHER_CAMEL
            hand &= hand - 1
    out[POINTS] = int(out[CARDS]) - int(out[DOWRY])


@compiled
def placing(box: Record, s: Record, seat: int, family: int, space: int, out: Ints) -> None:
    """S13 to S20: a goods marker, or the first meeting of two families, and what a card in hand gains."""
    other = -1
    for f in range(FAMILIES):
        if stands(s, f, space):
            other = f
    card = int(box.good_at[space]) - 1
    if card >= 0:
        if other < 0:
            out[GOOD] = card + 1  # S13, S15
        if (int(s.hand[seat]) >> card) & 1:
            out[ASKED] = 1 if other < 0 else 0  # S14
            out[CARDS] = OWN_CAMEL if (int(s.tiles[seat]) >> family) & 1 else OTHER_CAMEL
    out[POINTS] = int(out[CARDS]) + (1 if out[GOOD] > 0 else 0)
    if other < 0 or not is_land(box, space) or (int(s.met[family]) >> other) & 1:
        return
    out[MET] = other + 1  # S16 to S18
    for holder in range(s.players):
        tiles = int(s.tiles[holder])
        paid = 3 * ((tiles >> family) & 1) + ((tiles >> other) & 1)
        if holder == seat:
            out[DIRHAMS] = paid
        else:
            out[OTHERS] |= paid << (3 * holder)
    out[RELATIONS] = (bits(int(s.met[family])) < MARKERS) + (bits(int(s.met[other])) < MARKERS)
    out[POINTS] += int(out[RELATIONS]) + int(out[DIRHAMS])
    out[ENDS] = 1 if ending_with(s, family, other) else 0  # S19


def brought(box: Box, row: tuple[int, ...]) -> Json | None:
    """Return what a move brings."""
    points, good, met, relations, dirhams, others, cards, drawn, dowry, dropped, kept, asked, ends = row
    gets = [[int(good > 0), "goods"], [relations, "relation"], [dirhams, "dirham"], [drawn, "card"]]
    paid = [[seat, others >> 3 * seat & 7, "dirham"] for seat in range(SEATS)]
    entry = {
        "points": points,
        "gets": [got for got in gets if got[0]],
        "pays": [given for given in ([dowry, "dirham"], [dropped, "card"]) if given[0]],
        "others": [one for one in paid if one[1]],
        "open": [word for word, is_open in (("sale", asked), ("draw", drawn)) if is_open],
        "ends": bool(ends),
        "good": good,
        "meets": box.names.families[met - 1] if met else None,
        "cards": cards,
        "worth": kept,
    }
    return {name: value for name, value in entry.items() if value} or None


def _asked(box: Box, s: Any, audience: int) -> int | None:
    return None if s.over else s.phase


def _camels(box: Box, route: Any) -> Json:
    return camels(box, SimpleNamespace(route=route))


def _goods(box: Box, route: Any) -> list[int]:
    """Return the goods whose spaces no camel has reached."""
    taken = [0, 0, 0]
    for words in route:
        taken = [a | b for a, b in zip(taken, words)]
    spaces = enumerate(box.unpacked.space_of[: box.unpacked.goods])
    return _free(sum(1 << card for card, space in spaces if not taken[space // WORD] >> space % WORD & 1))


_free = lru_cache(4096)(numbers)


def _families_key(box: Box, s: Any, audience: int) -> Any:
    return s.treasury, s.domain, s.route, s.met


def _families(box: Box, key: Any) -> Json:
    names = box.names.families
    treasuries, domains, routes, met = key
    reserves = [CAMELS - sum(map(int.bit_count, words)) for words in routes]
    own = zip(names, box.unpacked.dowry, treasuries, domains, reserves, met)
    return {name: _family(names, *numbers) for name, *numbers in own}


@lru_cache(4096)
def _family(names: tuple[str, ...], dowry: int, treasury: int, tiles: int, reserve: int, met: int) -> Json:
    """Return what is in a family's domain, and which families it trades with."""
    return {
        "dowry": dowry,
        "treasury": treasury,
        "tiles": tiles,
        "camels": reserve,
        "markers": max(0, MARKERS - met.bit_count()),  # S18
        "partners": [names[other] for other in range(FAMILIES) if met >> other & 1],
    }


def _removed(box: Box, removed: int) -> list[str]:
    return [name for family, name in enumerate(box.names.families) if removed >> family & 1]


def _hand(box: Box, s: Any, audience: int) -> int | None:
    return None if audience == SPECTATOR else s.hand[audience]


def _numbers(box: Box, cards: int | None) -> list[int] | None:
    return None if cards is None else numbers(cards)


def _worth_key(box: Box, s: Any, audience: int) -> Any:
    return None if audience == SPECTATOR else (s.hand[audience], s.tiles[audience], s.route)


def _worth(box: Box, key: Any) -> list[int] | None:
    """S20: what each card in hand would score now."""
    if key is None:
        return None
    hand, tiles, route = key
    return [sum(_met_by(box, good, tiles, route).values()) for good in numbers(hand)]


def _met_by(box: Box, good: int, tiles: int, route: Any) -> dict[int, int]:
    """S20: the families with a camel on the space of a good, and what each adds to its card."""
    word, bit = divmod(box.unpacked.space_of[good - 1], WORD)
    there = [family for family, words in enumerate(route) if words[word] >> bit & 1]
    return {family: OWN_CAMEL if tiles >> family & 1 else OTHER_CAMEL for family in there}


def _tally(box: Box, hand: int, tiles: int, route: Any, score: tuple[int, ...]) -> list[Json]:
    """S20, S21: where the points come from, card by card."""
    found: list[Json] = []
    for good in numbers(hand):
        met = _met_by(box, good, tiles, route)
        camels = [[box.names.families[family], points] for family, points in met.items()]
        found.append({"part": "cards", "points": sum(met.values()), "good": good, "camels": camels})
    return found + [{"part": part, "points": points} for part, points in zip(SCORES[2:], score[2:]) if points]


def _seat_key(box: Box, s: Any, audience: int, seat: int) -> Any:
    """What a player has. S25: with hidden money only the audience's own is seen, until the end."""
    over, mine = bool(s.over), seat == audience
    money = s.dirhams[seat] if over or mine or not s.hidden_money else None
    hand = s.hand[seat] if over else None
    score = tuple(s.points[seat]) if over or mine else None
    held = s.held[seat], s.sold[seat], s.tiles[seat], s.twice[seat], s.goods[seat], s.relations[seat]
    return money, hand, *held, score, s.route if over else None


def _seat(box: Box, key: Any) -> Json:
    money, hand, held, sold, tiles, twice, goods, relations, score, route = key
    shown: Json = {
        "dirhams": money,
        "cards": held,
        "hand": _numbers(box, hand),
        "sold": numbers(sold),
        "tiles": tiles_of(box, SimpleNamespace(tiles=[tiles], twice=[twice]), 0),
        "goods": goods,
        "relations": relations,
        "score": None if score is None else dict(zip(SCORES, score)),
    }
    return shown if route is None else {**shown, "tally": _tally(box, hand, tiles, route, score)}


def _legal(box: Box, actions: tuple[int, ...]) -> list[Json]:
    """Return the legal moves. They do not depend on the state, so each is written once per box."""
    if not actions:
        return NO_MOVES
    known = _written(box.sha256)
    return [known.get(action) or known.setdefault(action, write(box, None, 0, action)) for action in actions]


@lru_cache(8)
def _written(box: str) -> dict[int, Json]:
    """Return the moves that were written for a box."""
    return {}


PARTS = (
    Part("board", lambda box, s, _: None, lambda box, _: box.key),
    Part("asked", _asked, lambda box, phase: "over" if phase is None else PHASES[phase]),
    Part("ended_by", lambda box, s, _: s.over, lambda box, over: [name for bit, name in ENDS_BY.items() if over & bit]),
    Part("turn", lambda box, s, _: s.turn),
    Part(
        "family",
        lambda box, s, _: s.family if s.phase in (SECOND, SALE) else None,
        lambda box, family: None if family is None else box.names.families[family],
    ),
    Part("good", lambda box, s, _: s.good + 1 if s.phase == SALE else None),
    Part("camels", lambda box, s, _: s.route, _camels),
    Part("goods", lambda box, s, _: s.route, _goods),
    Part("families", _families_key, _families),
    Part("deck", lambda box, s, _: s.deck_left),
    Part("discards", lambda box, s, _: sum(s.drops)),
    Part("bag", lambda box, s, _: s.bag_left),
    Part("removed", lambda box, s, _: s.removed, _removed),
    Part("limit", lambda box, s, _: limit(box.unpacked, s.players)),
    Part("hand", _hand, _numbers, own=True),
    Part("worth", _worth_key, _worth, own=True),
    PerSeat("seats", _seat_key, _seat),
    Part("legal", lambda box, s, _: tuple(s.actions), _legal, own=True),
)
