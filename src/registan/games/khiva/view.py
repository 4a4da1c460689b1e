"""Khiva: what a seat sees and what its moves bring, as JSON, made only from what it may know."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from registan.core.bits import lowest
from registan.core.compiled import compiled
from registan.core.game import SPECTATOR, Box, Ints, Json, Record
from registan.core.views import NOTHING as NO_MOVES
from registan.core.views import Part, PerSeat
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.moves import (
    CARD_NAMES,
    answer,
    card_names,
    carpet_names,
    choice,
    members,
    path_and_shop,
)
from registan.games.khiva.rules import SCORES, landing, most_gems, winning_card
from registan.games.khiva.state import (
    CARDS,
    CARPET,
    CHOOSE,
    COUNTER,
    GEMS,
    MOVE,
    SACKS,
    SALT,
    SHOPS,
    TOP_COLOUR,
    VALUES,
    hand_size,
    turns_in_deal,
)

PHASES = ("choose", "move", "take")

PLACE, SPENT, WON, TEAPOT, DELIVERED, TOP, SACK, OPEN, POINTS, ENDS = range(10)
"""What a move brings: the place + 1, gems paid and gained, a teapot, carpets delivered, the top carpet, a sack."""
BRINGS = 10
COVERED = 6
"""A covered top carpet; otherwise it is its colour + 1."""
OPEN_SALT, OPEN_CARPET, OPEN_OTHERS = 1, 2, 4
"""What may be open: what is taken at shop 4, and how other camels move first."""


@compiled
def top_carpet(s: Record) -> int:
    """K1: what is visible of the top carpet: its colour + 1, COVERED, or 0 for an empty pile."""
    if s.carpets_left == 0:
        return 0
    top = int(s.carpet_pile[int(s.carpets_left) - 1])
    return top - TOP_COLOUR + 1 if top >= TOP_COLOUR else COVERED


TOLD = ("move", "take")
"""Moves that bring something which everybody sees: the log says what."""


@compiled
def brings(box: Record, s: Record, seat: int, action: int, out: Ints) -> None:
    """K5 to K9: what a move brings, without the gems of K4 for the next camel, which do not depend on it."""
    if s.phase == CHOOSE:
        return
    if s.phase == MOVE:
        gems = action - GEMS
        camel = int(s.camel)
        out[SPENT] = gems
        stop(box, s, seat, camel, landing(s, camel, seat, winning_card(s) % VALUES + 1 + gems), out)
    elif action == SALT:
        out[SPENT] = box.salt_price
        out[SACK] = box.salt[SACKS - int(s.salt_left)]
        out[POINTS] = int(out[SACK]) - int(out[SPENT])
    elif action == CARPET:
        out[TOP] = top_carpet(s)
    # K14: whether a pile is empty after it
    teapots = int(s.teapots_left) - (1 if out[PLACE] == 1 else 0)
    carpets = int(s.carpets_left) - (1 if out[TOP] > 0 and out[OPEN] == 0 else 0)
    salt = int(s.salt_left) - (1 if out[SACK] > 0 and out[OPEN] == 0 else 0)
    out[ENDS] = 1 if teapots <= 0 or carpets <= 0 or salt <= 0 else 0


@compiled
def stop(box: Record, s: Record, seat: int, camel: int, place: int, out: Ints) -> None:
    """K8, K9: what a camel brings its mover where it stops, after the gems in `out` are paid."""
    out[PLACE] = place + 1
    shop = (place - 1) % SHOPS + 1 if place else COUNTER
    if shop == 1:
        out[WON] = box.shop_1_gems
    elif shop == 2:
        out[TOP] = top_carpet(s)
    elif shop == 3:
        out[WON] = box.shop_3_gems
    elif shop == SHOPS:
        out[TOP] = top_carpet(s)
        if s.salt_left > 0 and int(s.gems[seat]) - out[SPENT] >= box.salt_price:
            out[SACK] = box.salt[SACKS - int(s.salt_left)]
        out[OPEN] = (OPEN_SALT if out[SACK] > 0 else 0) | (OPEN_CARPET if out[TOP] > 0 else 0)
    else:
        out[TEAPOT] = s.carrying[camel]
        out[DELIVERED] = int(s.undelivered[seat]) & (7 << (camel * 3))
    points = int(out[WON]) + int(out[TEAPOT]) - int(out[SPENT])
    for rank in range(3):
        if (int(out[DELIVERED]) >> (camel * 3 + rank)) & 1:
            points += int(box.carpets[rank])
    out[POINTS] = points


def brought(box: Box, row: tuple[int, ...]) -> Json | None:
    """Return what a move brings."""
    return _brought(box.unpacked.carpets, row) if any(row) else None


@lru_cache(4096)
def _brought(values: tuple[int, ...], row: tuple[int, ...]) -> Json:
    """Do so, given the values of the carpets in the box."""
    place, spent, won, teapot, delivered, top, sack, open_, points, ends = row
    taken = not open_ & (OPEN_SALT | OPEN_CARPET)
    carpets = carpet_names(values, delivered)
    gets: list[list[Any]] = [[won, "gem"], [bool(teapot), "teapot"], [len(carpets), "delivery"]]
    gets += [[bool(top), "carpet"], [bool(sack), "salt"]] if taken else []
    bits = ((OPEN_OTHERS, "others"), (OPEN_SALT, "salt"), (OPEN_CARPET, "carpet"))
    entry = {
        "points": points,
        "gets": [[int(n), item] for n, item in gets if n],
        "pays": [[spent, "gem"]] if spent else [],
        "open": [word for bit, word in bits if open_ & bit],
        "ends": bool(ends),
        "teapot": teapot,
        "delivers": carpets,
        "carpet": COLOUR_NAMES[top - 1] if 0 < top < COVERED else None,
        "salt": sack,
    }
    shown: Json = {name: value for name, value in entry.items() if value}
    return {**shown, "place": path_and_shop(place - 1)} if place else shown


def _asked(box: Box, s: Any, audience: int) -> int | None:
    return None if s.over else s.phase


def _camel(box: Box, s: Any, audience: int) -> int | None:
    return s.camel if s.phase >= MOVE else None


def _piles_key(box: Box, s: Any, audience: int) -> Any:
    return s.teapots_left, s.carpets_left, top_carpet(s), s.salt_left


def _piles(box: Box, key: Any) -> Json:
    teapots, carpets, top, salt = key
    colour = COLOUR_NAMES[top - 1] if 0 < top < COVERED else None  # None: covered (K1), or no carpet left
    return {
        "teapots": teapots,
        "carpets": carpets,
        "top_carpet": colour,
        "salt": list(box.unpacked.salt[SACKS - salt :]),
    }


def _camels(box: Box, key: Any) -> Json:
    return {name: _camel_at(here, teapot) for name, here, teapot in zip(COLOUR_NAMES, *key)}


@lru_cache(1024)
def _camel_at(here: int, teapot: int) -> Json:
    return {"place": path_and_shop(here), "teapot": teapot or None}


def _hand(box: Box, s: Any, audience: int) -> int | None:
    return None if audience == SPECTATOR else s.hand[audience]


def _cards(box: Box, cards: int | None) -> list[str] | None:
    return None if cards is None else _card_names(cards)


def _chosen_key(box: Box, s: Any, audience: int) -> Any:
    """The audience's own choice while it is sealed."""
    if audience == SPECTATOR or s.phase != CHOOSE or s.over or s.due or not s.plays[s.turn][audience]:
        return None
    return s.plays[s.turn][audience], s.gave[s.turn][audience]


def _chosen(box: Box, key: Any) -> Json | None:
    return None if key is None else {"play": _card_names(key[0]), "give": _card_names(key[1])}


FIGURES = CARDS * BRINGS


@compiled
def figures(box: Record, s: Record, audience: int, out: Ints) -> int:
    """K5 to K7: where the active camel would stop for 0, 1, … gems, or what each card in hand would bring now."""
    if s.over != 0:
        return 0
    n = 0
    if s.phase == MOVE:
        mover = lowest(int(s.waiting))
        steps = winning_card(s) % VALUES + 1
        for gems in range(most_gems(box, s, mover) + 1):
            out[n] = landing(s, int(s.camel), mover, steps + gems)
            n += 1
    elif s.phase == CHOOSE and audience != SPECTATOR:
        hand = int(s.hand[audience])
        while hand:
            card = lowest(hand)
            hand &= hand - 1
            out[n : n + BRINGS] = 0
            camel = card // VALUES
            stop(box, s, audience, camel, landing(s, camel, audience, card % VALUES + 1), out[n : n + BRINGS])
            out[n + OPEN] |= OPEN_OTHERS
            n += BRINGS
    return n


def _lands_key(box: Box, s: Any, audience: int) -> Any:
    return tuple(s.figures) if s.phase == MOVE and not s.over else None


def _lands(box: Box, places: tuple[int, ...] | None) -> list[list[int] | None] | None:
    """Return where the active camel would stop for 0, 1, … gems: path and shop, None for the counter."""
    return None if places is None else list(map(path_and_shop, places))


def _reach_key(box: Box, s: Any, audience: int) -> Any:
    if audience == SPECTATOR or s.phase != CHOOSE or s.over:
        return None
    return s.hand[audience], tuple(s.figures)


def _reach(box: Box, key: Any) -> Json | None:
    """Return where each card in hand would take its camel now, without gems, and what that brings.

    This is a hint while cards are chosen: camels that are activated earlier may change it.
    """
    if key is None:
        return None
    hand, numbers = key
    starts = range(0, len(numbers), BRINGS)
    return {CARD_NAMES[card]: brought(box, numbers[at : at + BRINGS]) for card, at in zip(members(hand), starts)}


def _discarded_key(box: Box, s: Any, audience: int) -> Any:
    return (s.plays[: s.turn], None) if s.phase == CHOOSE else (s.plays[: s.turn + 1], s.camel)


def _discarded(box: Box, key: Any) -> list[str]:
    """Return the cards played since the deal, except those whose camel has not moved yet (K11)."""
    plays, camel = key
    gone = 0
    for turn in plays:
        for cards in turn:
            gone |= cards
    if camel is not None:
        for cards in plays[-1]:
            gone &= ~(cards >> VALUES * camel << VALUES * camel)
    return _card_names(gone)


def _seat_key(box: Box, s: Any, audience: int, seat: int) -> Any:
    """What a player has. Tokens taken are face down (K9), but their owner may look (K18).

    The cards of this turn are face up from when they are revealed until their camel has moved (K11).
    """
    turn, lying = s.turn, 0
    if s.phase != CHOOSE:
        moved = VALUES * s.camel
        lying = s.plays[turn][seat] >> moved << moved
        turn += 1
    open_ = s.players, turn, s.gems[seat], lying, s.undelivered[seat], s.salt[seat]
    if s.open_scores or s.over or seat == audience:
        points = tuple(s.points[seat])
        return *open_, s.won[seat], s.delivered[seat], points[0], points if s.over else None
    return *open_, sum(s.won[seat]), s.delivered[seat].bit_count(), None, None


def _seat(box: Box, key: Any) -> Json:
    """Return what a player has; without points, the tokens are face down."""
    players, turn, gems, played, undelivered, salt, won, delivered, points, score = key
    up = points is not None
    shown: Json = {
        "gems": gems,
        "cards": hand_size(SimpleNamespace(players=players, turn=turn, phase=CHOOSE)),
        "played": _card_names(played),
        "teapots": [value for value, count in enumerate(won) for _ in range(count)] if up else won,
        "delivered": carpet_names(box.unpacked.carpets, delivered) if up else delivered,
        "undelivered": carpet_names(box.unpacked.carpets, undelivered),
        "salt": [box.unpacked.salt[sack] for sack in members(salt)],
        "points": points,
    }
    return shown if score is None else {**shown, "score": dict(zip(SCORES, score)), "tally": _tally(shown)}


def _tally(shown: Json) -> list[Json]:
    """K15: where the points come from, token by token; carpets that were not delivered bring nothing."""
    found: list[Json] = [{"part": "teapots", "points": value} for value in shown["teapots"]]
    for name in ("delivered", "undelivered"):
        for colour, value in shown[name]:
            points = value if name == "delivered" else 0
            found.append({"part": "carpets", "points": points, "colour": colour, "value": value})
    found += [{"part": "salt", "points": value} for value in shown["salt"]]
    return found + ([{"part": "gems", "points": shown["gems"]}] if shown["gems"] else [])


def _legal_key(box: Box, s: Any, audience: int) -> Any:
    return (s.players if s.phase == CHOOSE else -s.camel, tuple(s.actions)) if s.actions else None


def _legal(box: Box, key: Any) -> list[Json]:
    if key is None:
        return NO_MOVES
    which, actions = key
    return [_choice(which, action) for action in actions] if which > 0 else [answer(-which, a) for a in actions]


# Values that are the same at every table are made once, so that comparing them is free.
_choice = lru_cache(2048)(choice)
_card_names = lru_cache(4096)(card_names)

PARTS = (
    Part("asked", _asked, lambda box, phase: "over" if phase is None else PHASES[phase]),
    Part("turn", lambda box, s, _: s.turn + 1),
    Part("turns", lambda box, s, _: turns_in_deal(s.players)),
    Part("deal", lambda box, s, _: s.deals),
    Part("camel", _camel, lambda box, camel: None if camel is None else COLOUR_NAMES[camel]),
    Part("camels", lambda box, s, _: (s.place, s.carrying), _camels),
    Part("piles", _piles_key, _piles),
    Part("hand", _hand, _cards, own=True),
    Part("chosen", _chosen_key, _chosen, own=True),
    Part("icons", lambda box, s, _: None, lambda box, _: list(box.unpacked.icons)),
    Part(
        "shop_gems",
        lambda box, s, _: None,
        lambda box, _: {"1": box.unpacked.shop_1_gems, "3": box.unpacked.shop_3_gems},
    ),
    Part("salt_price", lambda box, s, _: box.unpacked.salt_price),
    Part("lands", _lands_key, _lands),
    Part("reach", _reach_key, _reach, own=True),
    Part("shown", lambda box, s, _: s.shown, _cards),
    Part("discarded", _discarded_key, _discarded),
    PerSeat("seats", _seat_key, _seat),
    Part("legal", _legal_key, _legal, own=True),
)
