"""The souk: what the net looks at: the observation, what the seat has sealed, and what things are worth to all."""

from __future__ import annotations

from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, mark, put
from registan.games.souk import observe as seen
from registan.games.souk.bot import PLAIN, USUAL, dirham, item_worth, name_worth, standing, stop_worth, wealth
from registan.games.souk.state import (
    ACTIONS,
    CAMEL,
    COUNT,
    NAME,
    NAMES,
    OFFERS,
    STOP,
    may_name,
    stalls,
)

VERSION = 1
SCALE = 8.0
"""Points that are a clear win."""
TRAIN = {"inputs": 160, "choices": 4}
"""Where learning differs from the default `lab.train.settings`."""


def layout(players: int) -> tuple[Block, ...]:
    """Return what each input is."""
    n = 5 if players == 5 else 4
    return (
        *seen.layout(players),
        Block("sealed", (ACTIONS,), "what the seat has sealed"),
        Block("stop", (2,), "what stopping seems worth, and that again if the seat has stopped", 5, -1),
        Block("name", (1,), "what the card that it named seems worth", 5, -1),
        Block("limits", (players, n + 1), "the price down to which each would leave things, less the price", 10, -1),
        Block("hoped", (players,), "points that each may hope for", 40),
        Block("before", (players,), "such points of the seat less those of each", 10, -1),
    )


@compiled
def inputs(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the inputs into `out`, which is all 0; return how many there are."""
    players = int(s.players)
    i = seen.observe(box, s, seat, out)
    answer = int(s.sealed[seat]) - 1 if s.waiting != 0 else -1
    i = mark(out, i, ACTIONS, answer)
    if s.phase == COUNT and s.over == 0 and s.price > 0:
        worth = stop_worth(box, s, seat, PLAIN)
        put(out, i, worth, 5.0)
        if answer == STOP:
            put(out, i + 1, worth, 5.0)
    if s.phase == NAMES and answer >= NAME:
        put(out, i + 2, name_worth(box, s, seat, answer, PLAIN), 5.0)
    i += 3
    n = stalls(s)
    hoped = i + players * (n + 1)
    mine = 0.0
    for k in range(players):
        other = (seat + k) % players
        at = standing(box, s, other, PLAIN)
        if s.phase != OFFERS and s.over == 0:
            each = max(0.05, dirham(box, s, other, USUAL, PLAIN))
            for place in range(n + 1):
                item = NAME + seen.stall_of(s, seat, place) if place < n else CAMEL
                if may_name(s, other, item):
                    top = min(max(0.0, item_worth(box, s, other, item, at, PLAIN)) / each, float(s.money[other]))
                    put(out, i + place, top - float(s.price), 10.0)
        i += n + 1
        total = at[4] + wealth(box, s, other, float(s.money[other]), PLAIN)
        if k == 0:
            mine = total
        put(out, hoped + k, total, 40.0)
        put(out, hoped + players + k, mine - total, 10.0)
    return hoped + 2 * players


@compiled
def quiet(box: Record, s: Record) -> bool:
    """Whether everybody is asked, for an offer or at a price, and nobody has answered yet."""
    if s.phase == NAMES:
        return False
    for seat in range(s.players):
        if s.sealed[seat] != 0:
            return False
    return True
