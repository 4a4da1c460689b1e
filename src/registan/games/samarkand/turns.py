"""Samarkand: a turn, from the chosen action to the next player (S5 to S19, S23, S24)."""

from __future__ import annotations

from registan.core.bits import bits, lowest
from registan.core.chance import shuffle
from registan.core.compiled import compiled
from registan.core.game import Record
from registan.games.samarkand.state import (
    ALL_PASSED,
    ALL_TRADE,
    DECK,
    DISCARD,
    DROP,
    END,
    FAMILIES,
    FIVE_PARTNERS,
    KEEP,
    MARKERS,
    MARRY,
    PASS,
    PLACE,
    SALE,
    SECOND,
    SPACES,
    TILE,
    TURN,
    WORD,
    crowded,
    dropped_by,
    free,
    hand_count,
    is_land,
    limit,
    reserve,
    stands,
    takes_part,
)


@compiled
def act(box: Record, s: Record, seat: int, action: int) -> None:
    """Carry out a legal action, up to the next decision or chance event."""
    if action < PLACE:
        marry(box, s, seat, action - MARRY)
    elif action < END:
        place(box, s, seat, (action - PLACE) // SPACES, (action - PLACE) % SPACES)
    elif action == END:
        end_turn(s)
    elif action == PASS:
        s.passes += 1
        if s.passes == s.players:
            s.over = ALL_PASSED  # S5
        end_turn(s)
    elif action >= DROP:
        discard(s, seat, dropped_by(action))
    else:
        if action < KEEP:
            sell(s, seat)
        go_on(box, s)


@compiled
def marry(box: Record, s: Record, seat: int, family: int) -> None:
    """S6, S8: the dowry goes to the treasury, the tile to the player, who draws 3 cards if below the limit."""
    s.dirhams[seat] -= box.dowry[family]
    s.treasury[family] += box.dowry[family]
    s.domain[family] -= 1
    s.twice[seat] |= int(s.tiles[seat]) & (1 << family)  # S24
    s.tiles[seat] |= 1 << family
    s.passes = 0
    s.waiting = 0
    if hand_count(s, seat) < limit(box, int(s.players)):
        s.phase = DISCARD
        s.to_draw = 3
        draw(s)
    else:
        end_marriage(s)


@compiled
def draw(s: Record) -> None:
    """S8, S9: draw, unless the discards must be reshuffled first; then ask what to discard."""
    while s.to_draw > 0:
        if s.deck_left == 0:
            s.due = DECK
            return
        s.to_draw -= 1
        take_card(s, int(s.turn))
        if s.shuffles > 0:
            s.drawn[s.shuffles - 1, s.turn] += 1
    s.waiting = 1 << int(s.turn)


@compiled
def take_card(s: Record, seat: int) -> None:
    """Take the top card of the deck into a hand."""
    s.deck_left -= 1
    s.hand[seat] |= 1 << (int(s.deck[s.deck_left]) - 1)
    s.deck[s.deck_left] = 0
    s.held[seat] += 1


@compiled
def discard(s: Record, seat: int, cards: int) -> None:
    """S8, S9: cards go face down on the discard pile."""
    count = bits(cards)
    s.hand[seat] ^= cards
    s.held[seat] -= count
    s.dropped[seat] |= cards
    s.drops[seat] += count
    end_marriage(s)


@compiled
def end_marriage(s: Record) -> None:
    """S23: with two players a tile comes out of the bag at the end of a turn with a marriage."""
    if s.bag_left > 0:
        s.phase = TURN
        s.waiting = 0
        s.due = TILE
    else:
        end_turn(s)


@compiled
def place(box: Record, s: Record, seat: int, family: int, space: int) -> None:
    """S10, S12 to S16: a camel goes on the map, and what it finds there is settled."""
    if s.phase == SECOND:
        s.treasury[family] -= 1  # S10: the treasury pays for the second camel
        s.supply += 1
    s.passes = 0
    s.family = family
    s.camels += 1
    other = -1
    for f in range(FAMILIES):
        if stands(s, f, space):
            other = f
    s.route[family, space // WORD] |= 1 << (space % WORD)
    card = int(box.good_at[space]) - 1
    if other >= 0:
        if is_land(box, space):  # S16
            meet(s, seat, family, other)
    elif card >= 0:  # S15: only the first camel
        s.goods[seat] += 1  # S13
        for holder in range(s.players):
            if (int(s.hand[holder]) >> card) & 1:
                s.good = card
                s.phase = SALE
                s.waiting = 1 << holder  # S14
                return
    go_on(box, s)


@compiled
def meet(s: Record, seat: int, family: int, other: int) -> None:
    """S17, S18: the first meeting of two families pays all who belong to them, and the active player twice a marker."""
    if (int(s.met[family]) >> other) & 1:
        return
    for holder in range(s.players):
        if (int(s.tiles[holder]) >> family) & 1:
            pay(s, holder, 3)
        if (int(s.tiles[holder]) >> other) & 1:
            pay(s, holder, 1)
    s.relations[seat] += (bits(int(s.met[family])) < MARKERS) + (bits(int(s.met[other])) < MARKERS)
    s.met[family] |= 1 << other
    s.met[other] |= 1 << family


@compiled
def sell(s: Record, seat: int) -> None:
    """S14: the owner lays the card face up and gets 3 dirhams."""
    s.hand[seat] ^= 1 << int(s.good)
    s.held[seat] -= 1
    s.sold[seat] |= 1 << int(s.good)
    pay(s, seat, 3)


@compiled
def go_on(box: Record, s: Record) -> None:
    """S10, S12: the camel is settled; a second one is offered if possible, else the turn is over."""
    if may_go_on(box, s):
        s.good = 0
        s.phase = SECOND
        s.waiting = 1 << int(s.turn)
    else:
        end_turn(s)


@compiled
def may_go_on(box: Record, s: Record) -> bool:
    """S10: whether the treasury can pay for a second camel, and one is in reserve and has a space."""
    family = int(s.family)
    return s.camels == 1 and s.treasury[family] > 0 and may_place(box, s, family, crowded(s))


@compiled
def may_place(box: Record, s: Record, family: int, taken: tuple[int, int, int]) -> bool:
    """S10, S11: whether a family has a camel left and a space for it."""
    a, b, c = free(box, s, family, taken)
    return (a | b | c) != 0 and reserve(s, family) > 0


@compiled
def ending(s: Record) -> int:
    """S19: which conditions for the end are fulfilled."""
    return ending_with(s, -1, -1)


@compiled
def ending_with(s: Record, family: int, other: int) -> int:
    """S19: which conditions for the end are fulfilled once these two families have met; -1 for none."""
    alone = 0
    five = 0
    for f in range(FAMILIES):
        partners = bits(int(s.met[f])) + (f in (family, other))
        alone += partners == 0 and takes_part(s, f)
        five += partners >= MARKERS
    return (ALL_TRADE if alone == 0 else 0) + (FIVE_PARTNERS if five > 0 else 0)


@compiled
def end_turn(s: Record) -> None:
    """S4, S19: the game ends now or the next player is asked."""
    s.phase = TURN
    s.family = 0
    s.camels = 0
    s.good = 0
    s.waiting = 0
    s.over |= ending(s)
    if s.over == 0:
        s.turn = (int(s.turn) + 1) % int(s.players)
        s.waiting = 1 << int(s.turn)


@compiled
def chance(box: Record, s: Record) -> None:
    """S9, S23: the event that is due."""
    if s.due == DECK:
        reshuffle(s)
        draw(s)
    else:
        turn_up_tile(s)


@compiled
def reshuffle(s: Record) -> None:
    """S9: the discards are shuffled and become the deck."""
    pile = clear_discards(s)
    n = 0
    while pile:
        s.deck[n] = lowest(pile) + 1
        pile &= pile - 1
        n += 1
    shuffle(s.rng, s.deck, n)
    s.deck_left = n


@compiled
def clear_discards(s: Record) -> int:
    """S9: pick up the discard pile and return its cards; everybody remembers their own."""
    pile = 0
    for seat in range(s.players):
        mine = int(s.dropped[seat])
        pile |= mine
        for before in range(s.shuffles):
            s.put_back[before, seat] = int(s.put_back[before, seat]) & ~mine
        s.put_back[s.shuffles, seat] = mine
        s.dropped[seat] = 0
        s.drops[seat] = 0
    s.shuffles += 1
    s.due = 0
    return pile


@compiled
def turn_up_tile(s: Record) -> None:
    """S23: the tile from the bag goes to its family if anybody has married into it, else out of the game."""
    s.bag_left -= 1
    family = int(s.bag[s.bag_left]) - 1
    s.bag[s.bag_left] = 0
    if ((int(s.tiles[0]) | int(s.tiles[1])) >> family) & 1:
        s.domain[family] += 1
    else:
        s.removed |= 1 << family
    s.due = 0
    end_turn(s)


@compiled
def pay(s: Record, seat: int, amount: int) -> None:
    """Pay a player from the supply."""
    s.dirhams[seat] += amount
    s.supply -= amount
