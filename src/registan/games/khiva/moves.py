"""Khiva: actions, chance and states as written in the game record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from registan.core.bits import bits
from registan.core.errors import BadMove
from registan.core.game import Box, Json, Record
from registan.games.khiva.box import COLOUR_NAMES
from registan.games.khiva.rules import begin_deal
from registan.games.khiva.state import (
    CARPET,
    CARPETS,
    CHOICE,
    COLOURS,
    GEMS,
    MOVE,
    NOTHING,
    SACKS,
    SALT,
    SHOPS,
    VALUES,
    cards_of,
    code_of,
    codes,
)

UNORDERED = frozenset({"hands", "teapots", "undelivered", "delivered", "salt"})
FREE: frozenset[str] = frozenset()
CARD_NAMES = tuple(f"{colour}-{value}" for colour in COLOUR_NAMES for value in range(1, VALUES + 1))
TAKES = {SALT: "salt", CARPET: "carpet", NOTHING: "nothing"}
_CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES)}
_TAKE_NUMBERS = {name: number for number, name in TAKES.items()}


def card_names(cards: int) -> list[str]:
    """Return the names of the cards in a set."""
    return [CARD_NAMES[card] for card in members(cards)]


def members(numbers: int) -> list[int]:
    """Return the members of a set, lowest first."""
    found = []
    while numbers:
        found.append((numbers & -numbers).bit_length() - 1)
        numbers &= numbers - 1
    return found


def carpet_name(values: Sequence[int], carpet: int) -> list[Any]:
    """Return a carpet as written in the record, colour and value; `values` are those of the box."""
    return [COLOUR_NAMES[carpet // 3], values[carpet % 3]]


def carpet_names(values: Sequence[int], carpets: int) -> list[list[Any]]:
    """Return the carpets in a set."""
    return [carpet_name(values, carpet) for carpet in members(carpets)]


def write(box: Box, s: Record, seat: int, action: int) -> Json:
    """Return an action as written in the record, without the seat."""
    return choice(int(s.players), action) if action >= CHOICE else answer(int(s.camel), action)


def choice(players: int, action: int) -> Json:
    """Return the choice that an action stands for, given the number of players."""
    play, give = divmod(action - CHOICE, codes(players))
    return {"do": "choose", "play": card_names(cards_of(play, players)), "give": card_names(cards_of(give, players))}


def answer(camel: int, action: int) -> Json:
    """Return what an action other than a choice stands for while a camel is active."""
    if action >= SALT:
        return {"do": "take", "what": TAKES[action]}
    return {"do": "move", "camel": COLOUR_NAMES[camel], "gems": action - GEMS}


def read(box: Box, s: Record, move: Json) -> int:
    """Return the number of a written move; raise BadMove if it cannot be one of Khiva."""
    do = move.get("do")
    if do == "choose":
        players = int(s.players)
        play, give = (code_of(_cards(move, part, 2 if players == 2 else 1), players) for part in ("play", "give"))
        return CHOICE + play * codes(players) + give
    if do == "move":
        gems, camel = move.get("gems"), move.get("camel")
        if camel not in COLOUR_NAMES:
            raise BadMove("error.khiva.camel", camel=camel, camels=", ".join(COLOUR_NAMES))
        if type(gems) is not int or not 0 <= gems < SALT:
            raise BadMove("error.khiva.gems", gems=gems)
        if s.phase == MOVE and camel != COLOUR_NAMES[int(s.camel)]:
            raise BadMove("error.khiva.other_camel", camel=camel, active=COLOUR_NAMES[int(s.camel)])
        return GEMS + gems
    if do == "take":
        what = move.get("what")
        if not isinstance(what, str) or what not in _TAKE_NUMBERS:
            raise BadMove("error.khiva.take", what=what)
        return _TAKE_NUMBERS[what]
    raise BadMove("error.unknown_move", game="khiva", do=do, moves="choose, move, take")


def _cards(line: Json, part: str, n: int | None = None) -> int:
    """Return the set of n different cards written in a field of a line."""
    return _card_set(line.get(part), part, n)


def _card_set(names: Any, part: str, n: int | None) -> int:
    if not isinstance(names, list):
        raise BadMove("error.khiva.cards", part=part, n=n)
    cards = 0
    for name in names:
        if not isinstance(name, str) or name not in _CARD_NUMBERS:
            raise BadMove("error.khiva.card", card=name)
        cards |= 1 << _CARD_NUMBERS[name]
    if bits(cards) != len(names) or n not in (None, len(names)):
        raise BadMove("error.khiva.cards", part=part, n=len(names) if n is None else n)
    return cards


def question(box: Box, s: Record, answers: list[tuple[int, int]]) -> list[tuple[Json, Json]] | None:
    """Every decision is one line per seat."""
    return None


def replay(box: Box, s: Record, line: Json, play: Callable[[int, int], None]) -> None:
    """All lines are moves and deals."""
    raise BadMove("error.record.unexpected")


def write_setup(box: Box, s: Record) -> Json:
    """Return the setup: hands, cards shown, and both piles from the top."""
    piles = [int(value) for value in s.carrying] + [int(v) for v in s.teapots[: s.teapots_left][::-1]]
    setup: Json = {
        "hands": [card_names(int(s.hand[seat])) for seat in range(s.players)],
        "teapots": piles,
        "carpets": [carpet_name(box.unpacked.carpets, int(c) - 1) for c in s.carpet_pile[: s.carpets_left][::-1]],
    }
    if s.players == 2:
        setup["shown"] = card_names(int(s.shown))
    return setup


def apply_setup(box: Box, s: Record, setup: Json) -> None:
    """Set up a blank state as written."""
    teapots: Any = setup.get("teapots")
    count = int(box.record.teapot_count)
    in_box = sorted(int(t) for t in box.record.teapots[:count])
    if not _whole_numbers(teapots) or sorted(teapots) != in_box:
        raise BadMove("error.khiva.teapots", n=count)
    s.carrying[:] = teapots[:COLOURS]
    s.teapots_left = count - COLOURS
    s.teapots[: s.teapots_left] = teapots[COLOURS:][::-1]
    numbers = {(name[0], name[1]): i for i in range(CARPETS) for name in [carpet_name(box.unpacked.carpets, i)]}
    carpets = setup.get("carpets")
    try:
        pile = [numbers[colour, value] for colour, value in carpets or ()]
    except (KeyError, TypeError, ValueError):
        pile = []
    if sorted(pile) != list(range(CARPETS)):
        raise BadMove("error.khiva.carpets", n=CARPETS)
    s.carpet_pile[:] = [carpet + 1 for carpet in reversed(pile)]
    s.carpets_left = CARPETS
    s.salt_left = SACKS
    _deal(s, setup, 8 if s.players == 2 else 5)


def _whole_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int for value in values)


def _deal(s: Record, line: Json, each: int) -> None:
    """Give the cards written in a line to the hands, and ask for the first choice."""
    hands = line.get("hands")
    if not isinstance(hands, list) or len(hands) != s.players:
        raise BadMove("error.khiva.hands", players=int(s.players), n=each)
    dealt = [_card_set(hand, "hands", each) for hand in hands]
    shown = _cards(line, "shown", 4) if s.players == 2 else 0
    held = 0
    for cards in (*dealt, shown, *(int(hand) for hand in s.hand)):
        if held & cards:
            raise BadMove("error.khiva.twice", card=card_names(held & cards)[0])
        held |= cards
    for seat, cards in enumerate(dealt):
        s.kept[seat] = s.hand[seat]
        s.hand[seat] |= cards
    s.shown = shown
    begin_deal(s)


def write_event(box: Box, before: Record, s: Record) -> Json:
    """Return the line of a deal."""
    dealt = [card_names(int(s.hand[seat]) ^ int(before.hand[seat])) for seat in range(s.players)]
    return {"chance": "deal", "hands": dealt} | ({"shown": card_names(int(s.shown))} if s.players == 2 else {})


def apply_event(box: Box, s: Record, line: Json) -> None:
    """Deal as written."""
    if line.get("chance") != "deal":
        raise BadMove("error.khiva.deal")
    _deal(s, line, 6 if s.players == 2 else 4)


def write_state(box: Box, s: Record) -> Json:
    """Return the whole state, secrets included."""
    seats = range(s.players)
    return {
        "gems": [int(s.gems[seat]) for seat in seats],
        "hands": [card_names(int(s.hand[seat])) for seat in seats],
        "camels": {name: place(s, camel) for camel, name in enumerate(COLOUR_NAMES)},
        "carrying": {name: int(s.carrying[camel]) or None for camel, name in enumerate(COLOUR_NAMES)},
        "teapots": [teapots_of(s, seat) for seat in seats],
        "undelivered": [carpet_names(box.unpacked.carpets, int(s.undelivered[seat])) for seat in seats],
        "delivered": [carpet_names(box.unpacked.carpets, int(s.delivered[seat])) for seat in seats],
        "salt": [sacks_of(box, s, seat) for seat in seats],
    }


def place(s: Record, camel: int) -> list[int] | None:
    """Return where a camel is: None on the Khiva board, else path and shop."""
    return path_and_shop(int(s.place[camel]))


def path_and_shop(here: int) -> list[int] | None:
    """Return a place as written in the record: None for number 0, else path and shop."""
    return [(here - 1) // SHOPS, (here - 1) % SHOPS + 1] if here else None


def teapots_of(s: Record, seat: int) -> list[int]:
    """Return the values of the teapots a seat has taken."""
    return [value for value, count in enumerate(s.won[seat]) for _ in range(int(count))]


def sacks_of(box: Box, s: Record, seat: int) -> list[int]:
    """Return the values of the sacks of salt a seat has taken."""
    return [box.unpacked.salt[sack] for sack in members(int(s.salt[seat]))]


def score_details(box: Box, s: Record, seat: int) -> Json:
    """Nothing but the points."""
    return {}


def comparable(score: Json) -> Json:
    """Every part of a score must be the same."""
    return score


def redact(line: Json, seat: int, players: int) -> Json:
    """Return a line as the seat may read it: without what others gave each other or were dealt."""
    if "chance" in line:
        mine = [hand if other == seat else len(hand) for other, hand in enumerate(line["hands"])]
        return {**line, "hands": mine}
    if line["do"] == "choose" and seat not in (line["seat"], (line["seat"] + 1) % players):
        return {**line, "give": len(line["give"])}
    return line
