"""Samarkand: actions, chance and states as written in the game record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.bits import bits
from registan.core.errors import BadMove
from registan.core.game import Box, Json, Record
from registan.games.samarkand.rules import furnish
from registan.games.samarkand.state import (
    DECK,
    DROP,
    END,
    KEEP,
    MARKERS,
    MARRY,
    PASS,
    PLACE,
    SELL,
    SET,
    SPACES,
    WORD,
    drop_of,
    dropped_by,
    reserve,
)
from registan.games.samarkand.turns import clear_discards, draw, reshuffle, turn_up_tile

UNORDERED = frozenset({"hands", "sold", "tiles", "camels"})
FREE: frozenset[str] = frozenset()
_WORDS = "marry, discard, place, end, sell, keep, pass"


def numbers(cards: int) -> list[int]:
    """Return the numbers of the goods in a set of cards."""
    found = []
    while cards:
        found.append((cards & -cards).bit_length())
        cards &= cards - 1
    return found


def write(box: Box, s: Record, seat: int, action: int) -> Json:
    """Return an action as written in the record, without the seat."""
    keys = box.names
    if action < PLACE:
        return {"do": "marry", "family": keys.families[action - MARRY]}
    if action < END:
        family, space = divmod(action - PLACE, SPACES)
        return {"do": "place", "family": keys.families[family], "space": keys.spaces[space]}
    if action == END:
        return {"do": "end"}
    if action == PASS:
        return {"do": "pass"}
    if action < KEEP:
        return {"do": "sell", "good": action - SELL + 1}
    if action < DROP:
        return {"do": "keep", "good": action - KEEP + 1}
    return {"do": "discard", "cards": numbers(dropped_by(action))}


def read(box: Box, s: Record, move: Json) -> int:
    """Return the number of a written move; raise BadMove if it cannot be one of Samarkand.

    Nothing here depends on the state: a refusal must not reveal whether somebody is asked for a sale (S14).
    """
    do = move.get("do")
    if do == "marry":
        return MARRY + _family(box, move)
    if do == "place":
        return PLACE + _family(box, move) * SPACES + _space(box, move)
    if do in ("end", "pass"):
        return END if do == "end" else PASS
    if do in ("sell", "keep"):
        good = move.get("good")
        if type(good) is not int or not 1 <= good <= box.unpacked.goods:
            raise BadMove("error.samarkand.good", good=good, n=box.unpacked.goods)
        return (SELL if do == "sell" else KEEP) + good - 1
    if do == "discard":
        cards = _cards(box, move.get("cards"), "cards")
        if len(cards) > 2:
            raise BadMove("error.samarkand.discard", n=len(cards))
        low, high = [*sorted(cards), -1, -1][:2]
        return drop_of(low, high)
    raise BadMove("error.unknown_move", game="samarkand", do=do, moves=_WORDS)


def _family(box: Box, move: Json) -> int:
    key = move.get("family")
    if not isinstance(key, str) or key not in box.names.family_numbers:
        raise BadMove("error.samarkand.family", family=key, families=", ".join(box.names.families))
    number: int = box.names.family_numbers[key]
    return number


def _space(box: Box, move: Json) -> int:
    key = move.get("space")
    if not isinstance(key, str) or key not in box.names.space_numbers:
        raise BadMove("error.samarkand.space", space=key)
    number: int = box.names.space_numbers[key]
    return number


def _cards(box: Box, goods: Any, part: str) -> list[int]:
    """Return the cards for a list of different goods, in its order."""
    n = box.unpacked.goods
    if not isinstance(goods, list) or any(type(good) is not int or not 1 <= good <= n for good in goods):
        raise BadMove("error.samarkand.cards", part=part, n=n)
    if len(set(goods)) != len(goods):
        raise BadMove("error.samarkand.twice", part=part)
    return [good - 1 for good in goods]


def question(box: Box, s: Record, answers: list[tuple[int, int]]) -> list[tuple[Json, Json]] | None:
    """One seat decides at a time, and its answer is one line."""
    return None


def replay(box: Box, s: Record, line: Json, play: Callable[[int, int], None]) -> None:
    """All lines are moves and chance."""
    raise BadMove("error.record.unexpected")


def write_setup(box: Box, s: Record) -> Json:
    """Return the setup: start player, hands, and both piles from the top."""
    setup: Json = {
        "board": box.key,
        "first": int(s.turn),
        "hands": [numbers(int(s.hand[seat])) for seat in range(s.players)],
        "deck": [int(card) for card in s.deck[: s.deck_left][::-1]],
    }
    if s.players == 2:
        setup["bag"] = [box.names.families[int(tile) - 1] for tile in s.bag[: s.bag_left][::-1]]
    return setup


def apply_setup(box: Box, s: Record, setup: Json) -> None:
    """Set up a blank state as written."""
    players = int(s.players)
    if setup.get("board") != box.key:
        raise BadMove("error.samarkand.board", board=setup.get("board"), box=box.key)
    first = setup.get("first")
    if type(first) is not int or not 0 <= first < players:
        raise BadMove("error.samarkand.first", first=first, last=players - 1)
    hands = setup.get("hands")
    if not isinstance(hands, list) or len(hands) != players:
        raise BadMove("error.samarkand.hands", players=players)
    dealt = [_cards(box, hand, "hands") for hand in hands]
    deck = _cards(box, setup.get("deck"), "deck")
    if any(len(hand) != 2 for hand in dealt):
        raise BadMove("error.samarkand.hands", players=players)
    if sorted([*deck, *(card for hand in dealt for card in hand)]) != list(range(box.record.goods)):
        raise BadMove("error.samarkand.all_cards", n=int(box.record.goods))
    for seat, hand in enumerate(dealt):
        s.hand[seat] = sum(1 << card for card in hand)
        s.held[seat] = len(hand)
    s.deck_left = len(deck)
    s.deck[: len(deck)] = [card + 1 for card in reversed(deck)]
    bag = setup.get("bag")
    if players == 2:
        if not isinstance(bag, list) or sorted(map(str, bag)) != sorted(box.names.families):
            raise BadMove("error.samarkand.bag", n=len(box.names.families))
        s.bag[: len(bag)] = [box.names.family_numbers[family] + 1 for family in reversed(bag)]
    elif bag is not None:
        raise BadMove("error.samarkand.no_bag")
    furnish(box.record, s, first)


def write_event(box: Box, before: Record, s: Record) -> Json:
    """Return the line of a reshuffle or of a tile from the bag."""
    if before.due == DECK:
        # Some of the new deck has been drawn already: shuffle again with the same generator.
        again = before.copy()
        reshuffle(again)
        return {"chance": "deck", "cards": [int(card) for card in again.deck[: again.deck_left][::-1]]}
    return {"chance": "tile", "family": box.names.families[int(before.bag[before.bag_left - 1]) - 1]}


def apply_event(box: Box, s: Record, line: Json) -> None:
    """Reshuffle, or turn up a tile, as written."""
    if s.due == DECK:
        if line.get("chance") != "deck":
            raise BadMove("error.samarkand.deck")
        cards = _cards(box, line.get("cards"), "cards")
        if sum(1 << card for card in cards) != sum(int(pile) for pile in s.dropped):
            raise BadMove("error.samarkand.new_deck")
        clear_discards(s)
        s.deck_left = len(cards)
        s.deck[: len(cards)] = [card + 1 for card in reversed(cards)]
        draw(s)
        return
    if line.get("chance") != "tile":
        raise BadMove("error.samarkand.tile")
    if _family(box, line) != int(s.bag[s.bag_left - 1]) - 1:
        next_one = box.names.families[int(s.bag[s.bag_left - 1]) - 1]
        raise BadMove("error.samarkand.other_tile", family=line["family"], next=next_one)
    turn_up_tile(s)


def write_state(box: Box, s: Record) -> Json:
    """Return the whole state, secrets included."""
    seats = range(s.players)
    families = list(enumerate(box.names.families))
    return {
        "dirhams": [int(s.dirhams[seat]) for seat in seats],
        "treasuries": {key: int(s.treasury[family]) for family, key in families},
        "hands": [numbers(int(s.hand[seat])) for seat in seats],
        "sold": [numbers(int(s.sold[seat])) for seat in seats],
        "tiles": [tiles_of(box, s, seat) for seat in seats],
        "goods": [int(s.goods[seat]) for seat in seats],
        "relations": [int(s.relations[seat]) for seat in seats],
        "camels": camels(box, s),
        "left": {key: reserve(s, family) for family, key in families},
        "domains": {key: int(s.domain[family]) for family, key in families},
        "markers": {key: markers_left(s, family) for family, key in families},
    }


def tiles_of(box: Box, s: Record, seat: int) -> list[str]:
    """Return the families of a seat's tiles, with a family twice if it holds two of its tiles."""
    tiles: list[str] = []
    for family, key in enumerate(box.names.families):
        tiles += [key] * ((int(s.tiles[seat]) >> family & 1) + (int(s.twice[seat]) >> family & 1))
    return tiles


def camels(box: Box, s: Record) -> dict[str, list[str]]:
    """Return the families on every space that is occupied."""
    standing: dict[int, list[str]] = {}
    for family, key in enumerate(box.names.families):
        for word in range(SET):
            here = int(s.route[family][word])
            while here:
                space = word * WORD + (here & -here).bit_length() - 1
                standing.setdefault(space, []).append(key)
                here &= here - 1
    return {box.names.spaces[space]: standing[space] for space in sorted(standing)}


def markers_left(s: Record, family: int) -> int:
    """S18: how many relationship markers are left on a family's stack."""
    return max(0, MARKERS - bits(int(s.met[family])))


def score_details(box: Box, s: Record, seat: int) -> Json:
    """Nothing but the points."""
    return {}


def comparable(score: Json) -> Json:
    """Every part of a score must be the same."""
    return score


def redact(line: Json, seat: int, players: int) -> Json:
    """Return a line as the seat may read it: without others' discards and new decks, and nothing of a card kept."""
    if line.get("chance") == "deck":
        return {**line, "cards": len(line["cards"])}
    if line.get("seat") != seat:
        if line.get("do") == "discard":
            return {**line, "cards": len(line["cards"])}
        if line.get("do") == "keep":
            return {}  # S14
    return line
