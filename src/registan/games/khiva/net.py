"""Khiva: what the net looks at: the observation, what the seat has just sealed, and what this turn still brings."""

from __future__ import annotations

from registan.core.bits import lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, mark, mark_set, put
from registan.games.khiva import observe as seen
from registan.games.khiva.bot import CARPET_WORTH, LATE, PLAIN, card_worth, place_worth, salt_worth
from registan.games.khiva.rules import landing
from registan.games.khiva.state import (
    CARDS,
    CHOOSE,
    COLOURS,
    COUNTER,
    SHOPS,
    TAKE,
    VALUES,
    of_colour,
)

VERSION = 1
SCALE = 15.0
"""Points that are a clear win."""
TRAIN = {"lamda": 0.95, "batch": 2048}
"""Where learning differs from the default `lab.train.settings`."""
WORTH = 10.0


def layout(players: int) -> tuple[Block, ...]:
    """Return what each input is."""
    return (
        *seen.layout(players),
        Block("sealed_give", (CARDS,), "the cards that the seat is about to give"),
        Block("keep", (CARDS,), "the cards that it then keeps"),
        Block(
            "sealed_worth",
            (3,),
            "what the cards played and given seem worth: played, given, to the neighbour",
            WORTH,
            -1,
        ),
        Block("kept_worth", (2,), "the best card kept, and all of them", WORTH, -1),
        Block("sealed_stops", (5, COUNTER), "where the cards played may lead, by gems: shop 1 to 4, or the counter"),
        Block("sealed_load", (2,), "teapot and carpets that they may bring home", WORTH),
        Block("lower", (1,), "how many lower cards of the colour may be played by others", 4),
        Block(
            "pending",
            (COLOURS, players),
            "what the camels that are still to move in this turn bring, by seat",
            WORTH,
            -1,
        ),
    )


@compiled
def inputs(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the inputs into `out`, which is all 0; return how many there are."""
    i = seen.observe(box, s, seat, out)
    players = int(s.players)
    if s.phase == CHOOSE and s.over == 0 and s.turn < 4:
        sealed(box, s, seat, out, i)
    i += 2 * CARDS + 5 + 5 * COUNTER + 3
    if s.phase != CHOOSE:
        pending(box, s, seat, out, i)
    return i + COLOURS * players


@compiled
def quiet(box: Record, s: Record) -> bool:
    """Whether a turn begins: nobody has chosen yet."""
    return bool(s.phase == CHOOSE and s.waiting == (1 << int(s.players)) - 1)


@compiled
def sealed(box: Record, s: Record, seat: int, out: Ints, i: int) -> None:
    """Write what the seat has sealed in this turn, if anything, and what it keeps."""
    players = int(s.players)
    play = int(s.plays[s.turn, seat])
    give = int(s.gave[s.turn, seat])
    hand = int(s.hand[seat])
    gone = hand | seen.seen_cards(s)
    mark_set(out, i, CARDS, give)
    mark_set(out, i + CARDS, CARDS, hand & ~play & ~give)
    i += 2 * CARDS
    played = given = theirs = best = kept = 0.0
    for card in range(CARDS):
        if (hand >> card) & 1:
            mine = card_worth(box, s, seat, card, gone, LATE, PLAIN)
            if (play >> card) & 1:
                played += mine
                sealed_card(box, s, seat, card, gone, out, i + 5)
            elif (give >> card) & 1:
                given += mine
                theirs += card_worth(box, s, (seat + 1) % players, card, gone, LATE, PLAIN)
            else:
                best = max(best, mine)
                kept += mine
    put(out, i, played, WORTH)
    put(out, i + 1, given, WORTH)
    put(out, i + 2, theirs, WORTH)
    put(out, i + 3, best, WORTH)
    put(out, i + 4, kept, 3.0 * WORTH)


@compiled
def sealed_card(box: Record, s: Record, seat: int, card: int, gone: int, out: Ints, i: int) -> None:
    """Write where a card that was played may lead."""
    camel = card // VALUES
    value = card % VALUES + 1
    for gems in range(min(int(box.icons[value - 1]), int(s.gems[seat])) + 1):
        place = landing(s, camel, seat, value + gems)
        mark(out, i + gems * COUNTER, COUNTER, (place - 1) % SHOPS if place else COUNTER - 1)
        if place == 0:
            put(out, i + 5 * COUNTER, float(s.carrying[camel]), WORTH)
            promised = seen.carpets_worth(box, (int(s.undelivered[seat]) >> (3 * camel)) & 7)
            put(out, i + 5 * COUNTER + 1, float(promised), WORTH)
    lower = 0
    for other in range(camel * VALUES, card):
        lower += 1 - ((gone >> other) & 1)
    put(out, i + 5 * COUNTER + 2, float(lower), 4.0)


@compiled
def pending(box: Record, s: Record, seat: int, out: Ints, i: int) -> None:
    """Write what the best move of every camel that is still to move in this turn brings its mover."""
    players = int(s.players)
    for camel in range(int(s.camel), COLOURS):
        played = 0
        for other in range(players):
            played |= of_colour(int(s.plays[s.turn, other]), camel)
        if played == 0:
            continue
        for mover in range(players):
            if of_colour(int(s.plays[s.turn, mover]), camel) & (played & -played):
                best = move_worth(box, s, camel, mover, lowest(played) + 1)
                put(out, i + camel * players + (mover + players - seat) % players, best, WORTH)


@compiled
def move_worth(box: Record, s: Record, camel: int, mover: int, value: int) -> float:
    """Return what the best move of a camel brings its mover, or what there is to take at shop 4."""
    if camel == s.camel and s.phase == TAKE:
        return max(CARPET_WORTH, salt_worth(box, s, LATE, PLAIN) if s.gems[mover] >= box.salt_price else 0.0)
    best = -9.0
    for gems in range(min(int(box.icons[value - 1]), int(s.gems[mover])) + 1):
        best = max(best, place_worth(box, s, mover, camel, landing(s, camel, mover, value + gems), LATE, PLAIN) - gems)
    return best
