"""A second implementation of Khiva from the rules page alone, slow and simple, to compare the engine with.

A position is a dictionary with the names of the record. Nothing here uses the engine.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

COLOURS = ("white", "blue", "green", "pink", "black")
ICONS = {1: 2, 2: 2, 3: 1, 4: 1, 5: 0}

Position = dict[str, Any]
Move = dict[str, Any]


def begin(players: int, setup: Move) -> Position:
    """K1, K2."""
    return {
        "players": players,
        "ask": "choose",
        "turn": 1,
        "choices": {},
        "hands": [set(hand) for hand in setup["hands"]],
        "gems": [0] * players,
        "camels": dict.fromkeys(COLOURS),
        "carrying": dict(zip(COLOURS, setup["teapots"])),
        "teapot pile": list(setup["teapots"][5:]),
        "carpet pile": [tuple(carpet) for carpet in setup["carpets"]],
        "salt pile": [10, 9, 8, 7, 6],
        "teapots": [[] for _ in range(players)],
        "undelivered": [[] for _ in range(players)],
        "delivered": [[] for _ in range(players)],
        "salt": [[] for _ in range(players)],
        "to come": [],
        "camel": None,
        "mover": None,
        "steps": 0,
    }


def fresh(part: Any) -> Any:
    """Return a copy of a position that shares nothing with it."""
    if isinstance(part, dict):
        return {key: fresh(value) for key, value in part.items()}
    if isinstance(part, list):
        return [fresh(value) for value in part]
    return set(part) if isinstance(part, set) else part


def asked(p: Position) -> list[int]:
    """Return who has to answer."""
    if p["ask"] == "choose":
        return [seat for seat in range(p["players"]) if seat not in p["choices"]]
    return [p["mover"]] if p["ask"] in ("move", "take") else []


def legal(p: Position, seat: int) -> list[Move]:
    """Return all legal moves of a seat."""
    if seat not in asked(p):
        return []
    if p["ask"] == "choose":
        n = 2 if p["players"] == 2 else 1
        hand = sorted(p["hands"][seat])
        return [
            {"do": "choose", "play": list(play), "give": list(give)}
            for play in combinations(hand, n)
            for give in combinations([card for card in hand if card not in play], n)
        ]
    if p["ask"] == "move":
        most = min(ICONS[p["steps"]], p["gems"][seat])
        return [{"do": "move", "camel": p["camel"], "gems": gems} for gems in range(most + 1)]
    choices = ["salt"] if p["salt pile"] and p["gems"][seat] >= 3 else []
    choices += ["carpet"] if p["carpet pile"] else []
    return [{"do": "take", "what": what} for what in choices or ["nothing"]]


def play(p: Position, seat: int, move: Move) -> Position:
    """Return the position after a move."""
    p = fresh(p)
    if move["do"] == "choose":
        p["choices"][seat] = move
        if len(p["choices"]) == p["players"]:
            show(p)
    elif move["do"] == "move":
        go(p, seat, move["gems"])
    else:
        if move["what"] == "salt":
            p["gems"][seat] -= 3
            p["salt"][seat].append(p["salt pile"].pop(0))
        elif move["what"] == "carpet":
            p["undelivered"][seat].append(p["carpet pile"].pop(0))
        activate(p)
    return p


def show(p: Position) -> None:
    """K3."""
    for seat, choice in p["choices"].items():
        p["hands"][seat] -= {*choice["play"], *choice["give"]}
    for seat, choice in p["choices"].items():
        p["hands"][(seat + 1) % p["players"]] |= set(choice["give"])
    p["to come"] = list(COLOURS)
    activate(p)


def activate(p: Position) -> None:
    """K4, K17: the next camel with a card; K13, K14 when there is none."""
    while p["to come"]:
        p["camel"] = p["to come"].pop(0)
        cards = sorted(
            (int(card.split("-")[1]), seat)
            for seat, choice in p["choices"].items()
            for card in choice["play"]
            if card.startswith(p["camel"] + "-")
        )
        if cards:
            (p["steps"], p["mover"]), *others = cards
            for _, seat in others:
                p["gems"][seat] += 1
            p["ask"] = "move"
            return
    p["choices"] = {}
    p["turn"] += 1
    if not (p["teapot pile"] and p["carpet pile"] and p["salt pile"]):
        p["ask"] = "over"
    elif p["turn"] > (3 if p["players"] == 2 else 4):
        p["ask"] = "deal"
    else:
        p["ask"] = "choose"


def way(p: Position, mover: int) -> list[tuple[int, int]]:
    """K6: the spaces before a camel, without those that hold another."""
    here = p["camels"][p["camel"]]
    path, shop = here or (mover, 0)
    out = [(mover, k) for k in range(1, 5)]
    spaces = out[shop:] if path == mover else [(path, k) for k in range(shop - 1, 0, -1)] + out
    return [space for space in spaces if space not in p["camels"].values()]


def go(p: Position, seat: int, gems: int) -> None:
    """K5 to K10."""
    ahead = way(p, seat)
    steps = p["steps"] + gems
    p["gems"][seat] -= gems
    camel = p["camel"]
    if steps > len(ahead):
        p["camels"][camel] = None
        if p["carrying"][camel] is not None:
            p["teapots"][seat].append(p["carrying"][camel])
        p["carrying"][camel] = p["teapot pile"].pop(0) if p["teapot pile"] else None
        p["delivered"][seat] += [c for c in p["undelivered"][seat] if c[0] == camel]
        p["undelivered"][seat] = [c for c in p["undelivered"][seat] if c[0] != camel]
    else:
        p["camels"][camel] = ahead[steps - 1]
        shop = ahead[steps - 1][1]
        if shop == 4:
            p["ask"] = "take"
            return
        if shop == 2 and p["carpet pile"]:
            p["undelivered"][seat].append(p["carpet pile"].pop(0))
        p["gems"][seat] += {1: 1, 2: 0, 3: 2}[shop]
    activate(p)


def deal(p: Position, hands: list[list[str]]) -> Position:
    """K13."""
    p = fresh(p)
    for seat, cards in enumerate(hands):
        assert not any(set(cards) & hand for hand in p["hands"])
        p["hands"][seat] |= set(cards)
    p["turn"] = 1
    p["ask"] = "choose"
    return p


def table(p: Position) -> Move:
    """Return the position as the record's `state` has it, lists without order sorted."""
    return {
        "gems": p["gems"],
        "hands": [sorted(hand) for hand in p["hands"]],
        "camels": {colour: list(place) if place else None for colour, place in p["camels"].items()},
        "carrying": p["carrying"],
        "teapots": [sorted(values) for values in p["teapots"]],
        "undelivered": [sorted(map(list, carpets)) for carpets in p["undelivered"]],
        "delivered": [sorted(map(list, carpets)) for carpets in p["delivered"]],
        "salt": [sorted(sacks) for sacks in p["salt"]],
    }


def scores(p: Position) -> list[Move]:
    """K15."""
    out = []
    for seat in range(p["players"]):
        parts = {
            "teapots": sum(p["teapots"][seat]),
            "carpets": sum(value for _, value in p["delivered"][seat]),
            "salt": sum(p["salt"][seat]),
            "gems": p["gems"][seat],
        }
        out.append({**parts, "total": sum(parts.values())})
    return out


def winners(p: Position) -> list[int]:
    """K16."""
    points = scores(p)
    rank = [(points[s]["total"], len(p["teapots"][s]), max(p["salt"][s], default=0)) for s in range(p["players"])]
    return [seat for seat in range(p["players"]) if rank[seat] == max(rank)]
