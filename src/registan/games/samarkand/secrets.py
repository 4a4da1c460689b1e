"""Samarkand: who knows what (S25), with a perfect memory.

Every payment is public, so a perfect memory knows all money even with the option `hidden_money`: `hide` keeps it, and
only `view` leaves it out. Tiles in the bag follow by elimination; their order is secret, as is that of the deck.

Cards. A seat knows its hand, the cards sold, and its own discards. After a reshuffle it still knows that those were in
the new deck, so another player can only have drawn them since. The state therefore remembers, for each reshuffle, whose
discards went into the deck and how many cards everybody has drawn since, and `guess` gives nobody more of the seat's
former discards than that player has drawn. (It only counts; it does not work out in which turn a card must have been
drawn and discarded again.) What others put back stays secret, and a guess does not invent what they remember of it. A
goods marker taken without a sale tells nothing for certain: perhaps nobody holds the card, perhaps its holder kept it.
When the game is over, all hands are shown for the score.

Sales (S14). While a holder is asked, the others see the game as it continues if the card is kept, byte for byte. They
cannot know that somebody is asked, and if the card is kept they never will.
"""

from __future__ import annotations

import numpy as np

from registan.core import chance as dice
from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import SEATS, SPECTATOR, Ints, Record
from registan.games.samarkand.checks import drawn_since
from registan.games.samarkand.state import (
    DROP,
    FAMILIES,
    GOODS,
    KEEP,
    PLACE,
    RESHUFFLES,
    SALE,
    all_cards,
    dropped_by,
    hand_count,
    limit,
)
from registan.games.samarkand.turns import go_on

HANDS, PILE, IN_DECK = 0, SEATS, 2 * SEATS
"""Where a card can be: HANDS + seat, PILE + the seat that discarded it, or the deck."""
PLACES = 2 * SEATS + 1


@compiled
def hide(box: Record, s: Record, seat: int) -> None:
    """Blank everything that the seat (or SPECTATOR) cannot know."""
    if s.phase == SALE and (seat == SPECTATOR or int(s.waiting) != 1 << seat):
        go_on(box, s)  # S14: as if the card were kept
    for i in range(4):
        s.rng[i] = 0
    for other in range(s.players):
        if other != seat:
            if s.over == 0:
                s.hand[other] = 0
            s.dropped[other] = 0
            for i in range(RESHUFFLES):
                s.put_back[i, other] = 0
    for i in range(GOODS):
        s.deck[i] = 0
    for i in range(FAMILIES):
        s.bag[i] = 0


@compiled
def guess(box: Record, s: Record, seat: int, rng: Ints) -> None:
    """Deal what `hide` blanked at random, consistent with what the seat knows."""
    guess_cards(box, s, seat, rng)
    if s.bag_left > 0:
        guess_bag(s, rng)
    for i in range(4):
        s.rng[i] = (dice.draw(rng) << 31) ^ dice.draw(rng)


@compiled
def reshuffle(box: Record, s: Record, rng: Ints) -> None:
    """Shuffle the deck and the bag; hands and discards stay."""
    dice.shuffle(rng, s.deck, int(s.deck_left))
    if s.bag_left > 0:
        guess_bag(s, rng)
    for i in range(4):
        s.rng[i] = (dice.draw(rng) << 31) ^ dice.draw(rng)


@compiled
def guess_bag(s: Record, rng: Ints) -> None:
    """S23: the bag holds the second tiles that have not come out of it."""
    n = 0
    for family in range(FAMILIES):
        tiles = int(s.domain[family]) + ((int(s.removed) >> family) & 1)
        for seat in range(s.players):
            tiles += ((int(s.tiles[seat]) >> family) & 1) + ((int(s.twice[seat]) >> family) & 1)
        if tiles == 1:
            s.bag[n] = family + 1
            n += 1
    dice.shuffle(rng, s.bag, n)


@compiled
def guess_cards(box: Record, s: Record, seat: int, rng: Ints) -> None:
    """Put every card that the seat does not see in a possible place.

    Cards that the seat saw go into a deck come first, the latest reshuffle before the others, because not everybody can
    have them. Each of them finds a place, since it has one in the true state, where the same bounds apply.
    """
    room = np.zeros(PLACES, np.int64)
    may_have = np.zeros((SEATS, RESHUFFLES), np.int64)
    unseen = all_cards(box) & ~look_around(s, seat, room, may_have)
    for since in range(s.shuffles - 1, -1, -1):
        if seat != SPECTATOR:
            back = unseen & int(s.put_back[since, seat])
            unseen ^= back
            deal_out(s, back, since, room, may_have, rng)
    deal_out(s, unseen, -1, room, may_have, rng)
    dice.shuffle(rng, s.deck, int(s.deck_left))


@compiled
def look_around(s: Record, seat: int, room: Ints, may_have: Ints) -> int:
    """Return the cards that the seat sees; count the free places, and who may have how many former discards."""
    seen = 0
    if seat != SPECTATOR:
        seen |= int(s.hand[seat]) | int(s.dropped[seat])
    room[IN_DECK] = s.deck_left
    for other in range(s.players):
        seen |= int(s.sold[other]) | int(s.hand[other])
        if other == seat:
            continue
        room[HANDS + other] = int(s.held[other]) - bits(int(s.hand[other]))
        room[PILE + other] = s.drops[other]
        back = 0
        for since in range(RESHUFFLES - 1, -1, -1):
            if seat != SPECTATOR:
                back |= int(s.put_back[since, seat])
            known = bits((int(s.sold[other]) | int(s.hand[other])) & back)
            may_have[other, since] = drawn_since(s, other, since) - known
    return seen


@compiled
def deal_out(s: Record, cards: int, since: int, room: Ints, may_have: Ints, rng: Ints) -> None:
    """Put cards that were in the deck at a reshuffle (-1: nothing is known of them) in free places."""
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        total = 0
        for place in range(PLACES):
            if may_go(place, since, may_have):
                total += room[place]
        slot = dice.below(rng, total)
        place = 0
        while not may_go(place, since, may_have) or slot >= room[place]:
            slot -= room[place] if may_go(place, since, may_have) else 0
            place += 1
        room[place] -= 1
        if place == IN_DECK:
            s.deck[room[place]] = card + 1
            continue
        if place < PILE:
            s.hand[place - HANDS] |= 1 << card
        else:
            s.dropped[place - PILE] |= 1 << card
        for before in range(since + 1):
            may_have[place % SEATS, before] -= 1


@compiled
def may_go(place: int, since: int, may_have: Ints) -> bool:
    """Whether a card that was in the deck at a reshuffle may be in a place now."""
    if place != IN_DECK:
        for before in range(since + 1):
            if may_have[place % SEATS, before] <= 0:
                return False
    return True


@compiled
def seen(box: Record, s: Record, seat: int, actor: int, action: int) -> int:
    """Return what the seat observes when the actor acts, as a number; the seat cannot tell equal numbers apart.

    Others see nothing of a card kept (S14), and only the number of discards.
    """
    if seat == actor:
        return action + 1
    if KEEP <= action < DROP:
        return 0
    if action >= DROP:
        return DROP + 1 + bits(dropped_by(action))
    return action + 1


@compiled
def reveals(box: Record, s: Record, seat: int, action: int) -> bool:
    """S8: a marriage shows cards, unless the hand is full. S14: a card that is kept looks like one nobody holds."""
    return action < PLACE and hand_count(s, seat) < limit(box, int(s.players))
