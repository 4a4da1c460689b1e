"""Khiva: what an action seems worth at a glance, in points. Uses only what the seat can see.

`weigh` looks with the eye `PLAIN`, whose numbers were chosen by hand; `registan train glance` tunes them by
self-play, and what it found is in `glance.json`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from registan.core.bits import bits
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.games.khiva.rules import landing, stop_on, way, winning_card
from registan.games.khiva.state import (
    CARDS,
    CARPET,
    CHOICE,
    CHOOSE,
    COLOURS,
    COUNTER,
    GEMS,
    MOVE,
    SACKS,
    SALT,
    SHOPS,
    VALUES,
    cards_of,
    codes,
)

CARELESS = (4.0, 6.0)
"""Carelessness and blunder of the novice of version 1, in points (`bots.novice`)."""
TUNING = {"greedy": 0.9}
"""Where the search differs from the default `bots.search_bot.Tuning`; `master@1` plays with it, so it stays."""


class Eye(NamedTuple):
    """What the glance goes by."""

    carpet: float
    """Points for a carpet, which counts only if its camel comes to the counter in time."""
    near: float
    """A point of the teapot of a camel on one's own path, as near to the counter as can be."""
    far: float
    """The same on somebody else's path, lost."""
    gem: float
    """Points for a gem, which may be spent or buy salt."""
    home: float
    promised: float
    """A point of a teapot, and of a carpet, that come to the counter."""
    rejected: float
    """Points for a card that is not accepted: the gem it earns."""
    accepted: float
    """How likely a card is still accepted, for each lower card that may be played."""
    theirs: float
    mine: float
    """A point that a card given away is worth to the neighbour, and to oneself."""
    pots: float
    rugs: float
    sacks: float
    """How many of a pile are left when only half of what comes later is worth it (K14)."""
    carpet_late: float
    near_late: float
    gem_late: float
    """The share of a carpet, of a camel's way and of a gem that is worth nothing when the game is about to end."""


PLAIN = Eye(
    carpet=2.2, near=0.25, far=0.25, gem=1.0, home=1.0, promised=1.0, rejected=1.0, accepted=0.72, theirs=0.5, mine=0.2,
    pots=3.0, rugs=3.0, sacks=1.0, carpet_late=0.0, near_late=0.0, gem_late=0.0,
)  # fmt: skip
STEPS = Eye(
    carpet=0.4, near=0.1, far=0.1, gem=0.2, home=0.15, promised=0.15, rejected=0.15, accepted=0.05, theirs=0.12,
    mine=0.15, pots=1.0, rugs=1.0, sacks=0.4, carpet_late=0.4, near_late=0.3, gem_late=0.15,
)  # fmt: skip
"""How far tuning first looks to both sides."""
CARPET_WORTH, LATE = PLAIN.carpet, 0.0
"""What a carpet is worth to the plain eye, which never thinks of the end."""


@compiled
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat."""
    glance(box, s, seat, actions, n, out, PLAIN)


@compiled
def glance(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, eye: Eye) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat, to that eye."""
    if s.phase == CHOOSE:
        weigh_choices(box, s, seat, actions, n, out, eye)
        return
    late = 1.0 - later(s, eye)
    for i in range(n):
        action = int(actions[i])
        if s.phase == MOVE:
            gems = action - GEMS
            steps = winning_card(s) % VALUES + 1 + gems
            place = landing(s, int(s.camel), seat, steps)
            out[i] = place_worth(box, s, seat, int(s.camel), place, late, eye) - gems * gem_worth(late, eye)
        elif action == SALT:
            out[i] = salt_worth(box, s, late, eye)
        else:
            out[i] = carpet_worth(late, eye) if action == CARPET else 0.0


@compiled
def later(s: Record, eye: Eye) -> float:
    """Return how much of what comes later is worth anything, from 1 down to 0 when a pile runs out (K14)."""
    least = min(
        float(s.teapots_left) / max(0.1, eye.pots),
        float(s.carpets_left) / max(0.1, eye.rugs),
        float(s.salt_left) / max(0.1, eye.sacks),
    )
    return least / (1.0 + least)


@compiled
def gem_worth(late: float, eye: Eye) -> float:
    """A gem can be spent while the game goes on."""
    return eye.gem * (1.0 - eye.gem_late * late)


@compiled
def salt_worth(box: Record, s: Record, late: float, eye: Eye) -> float:
    """The top sack, less the gems it costs."""
    if s.salt_left == 0:
        return 0.0
    return float(box.salt[SACKS - int(s.salt_left)]) - float(box.salt_price) * gem_worth(late, eye)


@compiled
def carpet_worth(late: float, eye: Eye) -> float:
    """A carpet can be delivered while the game goes on."""
    return eye.carpet * (1.0 - eye.carpet_late * late)


@compiled
def place_worth(box: Record, s: Record, seat: int, camel: int, place: int, late: float, eye: Eye) -> float:
    """What it brings the mover if a camel stops there: the effect, and how close it is to the mover's counter."""
    if place == 0:
        carpets = 0.0
        mine = (int(s.undelivered[seat]) >> (3 * camel)) & 7
        for rank in range(3):
            if (mine >> rank) & 1:
                carpets += float(box.carpets[rank])
        return eye.home * float(s.carrying[camel]) + eye.promised * carpets
    path = (place - 1) // SHOPS
    shop = (place - 1) % SHOPS + 1
    near = (eye.near if path == seat else -eye.far) * float(s.carrying[camel]) * shop / COUNTER
    near *= 1.0 - eye.near_late * late
    if shop == 1:
        return near + gem_worth(late, eye) * float(box.shop_1_gems)
    if shop == 3:
        return near + gem_worth(late, eye) * float(box.shop_3_gems)
    carpet = carpet_worth(late, eye) if s.carpets_left > 0 else 0.0
    if shop == SHOPS and s.gems[seat] >= box.salt_price:
        return near + max(carpet, salt_worth(box, s, late, eye))
    return near + carpet


@compiled
def card_worth(box: Record, s: Record, seat: int, card: int, gone: int, late: float, eye: Eye) -> float:
    """What a card brings its player on average: its best move if no lower card is played, else a gem."""
    camel = card // VALUES
    value = card % VALUES + 1
    best = -9.0
    places = way(s, camel, seat)
    gem = gem_worth(late, eye)
    for gems in range(min(int(box.icons[value - 1]), int(s.gems[seat])) + 1):
        worth = place_worth(box, s, seat, camel, stop_on(places, value + gems), late, eye) - gems * gem
        best = max(best, worth)
    accepted = 1.0
    for _ in range(bits(((1 << card) - (1 << (camel * VALUES))) & ~gone)):
        accepted *= eye.accepted
    return accepted * best + (1.0 - accepted) * eye.rejected


@compiled
def weigh_choices(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, eye: Eye) -> None:
    """Play what brings most; give what helps the neighbour least and costs nothing."""
    players = int(s.players)
    late = 1.0 - later(s, eye)
    gone = int(s.hand[seat])
    for turn in range(s.turn):
        for other in range(players):
            gone |= int(s.plays[turn, other])
    mine = np.zeros(CARDS, np.float64)
    theirs = np.zeros(CARDS, np.float64)
    for card in range(CARDS):
        if (int(s.hand[seat]) >> card) & 1:
            mine[card] = card_worth(box, s, seat, card, gone, late, eye)
            theirs[card] = card_worth(box, s, (seat + 1) % players, card, gone, late, eye)
    if players != 2:
        for i in range(n):
            play, give = (int(actions[i]) - CHOICE) // CARDS, (int(actions[i]) - CHOICE) % CARDS
            out[i] = mine[play] - (eye.theirs * theirs[give] + eye.mine * mine[give])
        return
    size = codes(players)
    for i in range(n):
        play = cards_of((int(actions[i]) - CHOICE) // size, players)
        give = cards_of((int(actions[i]) - CHOICE) % size, players)
        worth = 0.0
        for camel in range(COLOURS):
            first = True
            for card in range(camel * VALUES, (camel + 1) * VALUES):
                if (play >> card) & 1:
                    worth += mine[card] if first else eye.rejected  # K17: the second card of a colour earns a gem
                    first = False
                if (give >> card) & 1:
                    worth -= eye.theirs * theirs[card] + eye.mine * mine[card]
        out[i] = worth
