"""What a view says a move brings is what the rules do, whatever the hidden cards are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan.core import batch
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine
from registan.core.registry import find
from registan.core.views import view_of
from registan.games.samarkand.rules import SCORES
from registan.games.samarkand.state import PLACE, SALE
from registan.games.samarkand.turns import ending

SAMARKAND = find("samarkand")
THINGS = {"goods": "goods", "relation": "relations", "dirham": "dirhams", "card": "held"}
"""What things are in the state."""


def changes(entry: dict[str, Any], item: str) -> int:
    """Return how many of a thing the mover has more."""
    gets = sum(int(n) for n, got in entry.get("gets", ()) if got == item)
    return gets - sum(int(n) for n, paid in entry.get("pays", ()) if paid == item)


@pytest.mark.parametrize("board", ["silk-road", "oasis"])
@pytest.mark.parametrize("players", range(2, 6))
def test_s6_to_s20_moves_bring_what_views_say(players: int, board: str) -> None:
    box = find_box(SAMARKAND, board)
    engine = Engine(SAMARKAND, box, compiled=True)
    states = batch.sample(SAMARKAND, box, batch.blank(SAMARKAND, 6 if INTERPRET else 60, players), 71)
    for number, s in enumerate(states):
        if s.over:
            continue
        (seat,) = (other for other in range(players) if int(s.waiting) >> other & 1)
        view = view_of(engine, s.tobytes(), seat)
        actions = engine.legal(np.array([s]), seat)
        world = np.array([s])
        engine.hide(world, seat)
        batch.guess(box, world, seat, number)
        for i in range(number % 5, len(actions), 1 + len(actions) // 12):
            carried_out(engine, world, seat, actions[i], view["brings"][i] or {})


def carried_out(engine: Engine, world: Any, seat: int, action: int, entry: dict[str, Any]) -> None:
    """Carry a move out in a world that might be, and compare."""
    after, before = world.copy(), world[0]
    engine.apply(after, seat, action)
    now = after[0]
    for item, field in THINGS.items():
        assert int(now[field][seat]) - int(before[field][seat]) == changes(entry, item), item
    others = {other: n for other, n, _ in entry.get("others", ())}
    for other in range(before.players):
        if other != seat:
            assert int(now.dirhams[other]) - int(before.dirhams[other]) == others.get(other, 0)  # S17
    asked = now.phase == SALE and int(now.waiting) == 1 << seat and before.phase != SALE
    assert ("sale" in entry.get("open", ())) == asked  # S14
    assert entry.get("ends", False) == bool(now.over or ending(now))  # S19
    assert ("meets" in entry) == (now.met.tolist() != before.met.tolist())  # S16
    assert ("good" in entry) == (now.goods[seat] > before.goods[seat])  # S13
    if "draw" in entry.get("open", ()):  # S8: nobody knows what the new cards are worth
        now.hand[seat] = before.hand[seat]
    scores = engine.scores(np.array([before]))[0, seat], engine.scores(after)[0, seat]
    assert scores[1][0] - scores[0][0] == entry.get("points", 0)
    if action < PLACE or "cards" in entry:
        assert scores[1][SCORES.index("cards")] - scores[0][SCORES.index("cards")] == entry.get("cards", 0)


@pytest.mark.parametrize("players", range(2, 6))
def test_s20_each_card_in_hand_is_shown_with_what_it_is_worth(players: int) -> None:
    box = find_box(SAMARKAND)
    engine = Engine(SAMARKAND, box, compiled=True)
    for s in batch.sample(SAMARKAND, box, batch.blank(SAMARKAND, 4 if INTERPRET else 40, players), 72):
        for seat in range(players):
            view = view_of(engine, s.tobytes(), seat)
            assert len(view["worth"]) == len(view["hand"])
            assert sum(view["worth"]) == view["seats"][seat]["score"]["cards"]
            for move, entry in zip(view["legal"], view["brings"]):
                if move["do"] in ("sell", "keep"):
                    assert entry["worth"] == view["worth"][view["hand"].index(move["good"])]
        assert view_of(engine, s.tobytes(), -1)["worth"] is None
