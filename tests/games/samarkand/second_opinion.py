"""A second implementation of Samarkand from the rules page alone, slow and simple, to compare the engine with.

A position is a dictionary with the names of the record. Nothing here uses the engine; the map comes from its file.
"""

from __future__ import annotations

import tomllib
from copy import deepcopy
from itertools import combinations
from typing import Any

Position = dict[str, Any]
Move = dict[str, Any]


class Map:
    """What the file of a board says."""

    def __init__(self, text: str) -> None:
        data = tomllib.loads(text)
        self.near = {space["key"]: set(space["neighbours"]) for space in data["spaces"]}
        self.land = {space["key"] for space in data["spaces"] if space["kind"] == "land"}
        self.start = {family["key"]: family["start"] for family in data["families"]}
        self.dowry = {family["key"]: family["dowry"] for family in data["families"]}
        self.good_on = {good["space"]: good["number"] for good in data["goods"]}


def begin(board: Map, players: int, setup: Move) -> Position:
    """S1 to S4, S23."""
    return {
        "board": board,
        "players": players,
        "ask": "turn",
        "turn": setup["first"],
        "hands": [set(hand) for hand in setup["hands"]],
        "sold": [set() for _ in range(players)],
        "deck": list(setup["deck"]),
        "discards": set(),
        "to draw": 0,
        "dirhams": [10] * players,
        "treasuries": dict.fromkeys(board.start, 0),
        "tiles": [[] for _ in range(players)],
        "domains": dict.fromkeys(board.start, 1 if players == 2 else 2),
        "bag": list(setup.get("bag", [])),
        "goods": [0] * players,
        "relations": [0] * players,
        "markers": dict.fromkeys(board.start, 5),
        "partners": {family: set() for family in board.start},
        "camels": {space: [family] for family, space in board.start.items()},
        "family": None,
        "placed": 0,
        "good": None,
        "passes": 0,
        "over": False,
    }


def cards_allowed(p: Position) -> int:
    """S7."""
    return {2: 10, 3: 10, 4: 7, 5: 6}[p["players"]]


def cards_of(p: Position, seat: int) -> int:
    """S7: in hand and sold."""
    return len(p["hands"][seat]) + len(p["sold"][seat])


def left(p: Position, family: str) -> int:
    """Return a family's reserve of camels."""
    return 12 - sum(family in here for here in p["camels"].values())


def asked(p: Position) -> int | None:
    """Return who has to answer."""
    if p["over"] or p["ask"] in ("deck", "tile"):
        return None
    if p["ask"] == "sale":
        holders: list[int] = [seat for seat, hand in enumerate(p["hands"]) if p["good"] in hand]
        return holders[0]
    turn: int = p["turn"]
    return turn


def places(p: Position, family: str) -> list[Move]:
    """S10, S11: where a camel of a family may go."""
    if left(p, family) == 0:
        return []
    mine = [space for space, here in p["camels"].items() if family in here]
    around = {space for here in mine for space in p["board"].near[here]}
    return [
        {"do": "place", "family": family, "space": space}
        for space in around
        if len(p["camels"].get(space, [])) < 2 and family not in p["camels"].get(space, [])
    ]


def legal(p: Position) -> list[Move]:
    """Return all legal moves of who is asked."""
    seat = asked(p)
    if seat is None:
        return []
    if p["ask"] == "sale":
        return [{"do": "sell", "good": p["good"]}, {"do": "keep", "good": p["good"]}]
    if p["ask"] == "discard":
        sizes = [n for n in (0, 1, 2) if cards_of(p, seat) - n <= cards_allowed(p)]
        hand = sorted(p["hands"][seat])
        return [{"do": "discard", "cards": list(cards)} for n in sizes for cards in combinations(hand, n)]
    if p["ask"] == "second":
        return [*places(p, p["family"]), {"do": "end"}]
    moves: list[Move] = []
    for family, tiles in p["domains"].items():
        new = family not in p["tiles"][seat] or p["players"] == 2
        if tiles and new and p["dirhams"][seat] >= p["board"].dowry[family]:
            moves.append({"do": "marry", "family": family})
    for family in set(p["tiles"][seat]):
        moves += places(p, family)
    return moves or [{"do": "pass"}]


def play(p: Position, move: Move) -> Position:
    """Return the position after a move, up to the next question or chance."""
    p = deepcopy(p)
    seat = asked(p)
    assert seat is not None
    do = move["do"]
    if do != "pass":
        p["passes"] = 0
    if do == "marry":
        marry(p, seat, move["family"])
    elif do == "discard":
        p["hands"][seat] -= set(move["cards"])
        p["discards"] |= set(move["cards"])
        after_marriage(p)
    elif do == "place":
        place(p, seat, move["family"], move["space"])
    elif do == "end":
        finish(p)
    elif do == "pass":
        p["passes"] += 1
        if p["passes"] == p["players"]:
            p["over"] = True
        else:
            finish(p)
    else:
        if do == "sell":
            p["hands"][seat].remove(p["good"])
            p["sold"][seat].add(p["good"])
            p["dirhams"][seat] += 3
        after_camel(p)
    return p


def marry(p: Position, seat: int, family: str) -> None:
    """S6, S8."""
    below = cards_of(p, seat) < cards_allowed(p)
    p["dirhams"][seat] -= p["board"].dowry[family]
    p["treasuries"][family] += p["board"].dowry[family]
    p["domains"][family] -= 1
    p["tiles"][seat].append(family)
    if below:
        p["to draw"] = 3
        draw(p)
    else:
        after_marriage(p)


def draw(p: Position) -> None:
    """S8, S9."""
    while p["to draw"]:
        if not p["deck"]:
            p["ask"] = "deck"
            return
        p["hands"][p["turn"]].add(p["deck"].pop(0))
        p["to draw"] -= 1
    p["ask"] = "discard"


def new_deck(p: Position, cards: list[int]) -> Position:
    """S9: the discards came out of the shuffle in this order."""
    p = deepcopy(p)
    assert p["ask"] == "deck"
    assert sorted(cards) == sorted(p["discards"])
    p["deck"], p["discards"] = list(cards), set()
    draw(p)
    return p


def after_marriage(p: Position) -> None:
    """S23."""
    if p["bag"]:
        p["ask"] = "tile"
    else:
        finish(p)


def tile(p: Position, family: str) -> Position:
    """S23: this tile came out of the bag."""
    p = deepcopy(p)
    assert p["ask"] == "tile"
    assert p["bag"].pop(0) == family
    if any(family in tiles for tiles in p["tiles"]):
        p["domains"][family] += 1
    finish(p)
    return p


def place(p: Position, seat: int, family: str, space: str) -> None:
    """S10 to S18."""
    if p["ask"] == "second":
        p["treasuries"][family] -= 1
    p["family"] = family
    p["placed"] += 1
    here = p["camels"].setdefault(space, [])
    here.append(family)
    good = p["board"].good_on.get(space)
    if len(here) == 2:
        if space in p["board"].land and here[0] not in p["partners"][family]:
            relationship(p, seat, family, here[0])
    elif good is not None:
        p["goods"][seat] += 1
        if any(good in hand for hand in p["hands"]):
            p["ask"], p["good"] = "sale", good
            return
    after_camel(p)


def relationship(p: Position, seat: int, active: str, other: str) -> None:
    """S17, S18."""
    p["partners"][active].add(other)
    p["partners"][other].add(active)
    for family, bonus in ((active, 3), (other, 1)):
        for holder in range(p["players"]):
            if family in p["tiles"][holder]:
                p["dirhams"][holder] += bonus
        if p["markers"][family]:
            p["markers"][family] -= 1
            p["relations"][seat] += 1


def after_camel(p: Position) -> None:
    """S10, S12."""
    family = p["family"]
    if p["placed"] == 1 and p["treasuries"][family] and places(p, family):
        p["ask"] = "second"
    else:
        finish(p)


def finish(p: Position) -> None:
    """S4, S19."""
    p.update(ask="turn", family=None, placed=0, good=None)
    counts = [len(partners) for partners in p["partners"].values()]
    if min(counts) >= 1 or max(counts) >= 5:
        p["over"] = True
    else:
        p["turn"] = (p["turn"] + 1) % p["players"]


def table(p: Position) -> dict[str, Any]:
    """Return the position as the record writes it."""
    return {
        "dirhams": p["dirhams"],
        "treasuries": p["treasuries"],
        "hands": [sorted(hand) for hand in p["hands"]],
        "sold": [sorted(cards) for cards in p["sold"]],
        "tiles": [sorted(tiles) for tiles in p["tiles"]],
        "goods": p["goods"],
        "relations": p["relations"],
        "camels": {space: sorted(here) for space, here in p["camels"].items()},
        "left": {family: left(p, family) for family in p["domains"]},
        "domains": p["domains"],
        "markers": p["markers"],
    }


def scores(p: Position) -> list[dict[str, int]]:
    """S20, S21."""
    out = []
    spaces = {good: space for space, good in p["board"].good_on.items()}
    for seat in range(p["players"]):
        cards = sum(
            4 if family in p["tiles"][seat] else 1
            for card in p["hands"][seat]
            for family in p["camels"].get(spaces[card], [])
        )
        parts = {"cards": cards, "goods": p["goods"][seat], "relations": p["relations"][seat]}
        parts["dirhams"] = p["dirhams"][seat]
        out.append({**parts, "total": sum(parts.values())})
    return out
