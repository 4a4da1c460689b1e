"""Khiva: the rules K1 to K17 as plain functions over the state."""

from __future__ import annotations

import numpy as np

from registan.core.bits import bits, lowest
from registan.core.chance import below, shuffle
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record
from registan.games.khiva.state import (
    CARDS,
    CARPET,
    CARPETS,
    CARPETS_GONE,
    CHOICE,
    CHOOSE,
    COLOURS,
    COUNTER,
    DEAL,
    GEMS,
    MOVE,
    NOTHING,
    PAIRS,
    SACKS,
    SALT,
    SALT_GONE,
    SHOPS,
    STATE,
    TAKE,
    TEAPOTS_GONE,
    VALUES,
    actions,
    cards_of,
    code_of,
    codes,
    of_colour,
    pair,
    some_of,
    turns_in_deal,
)

__all__ = [
    "MOST",
    "SCORES",
    "STATE",
    "act",
    "actions",
    "breaks",
    "chance",
    "legal",
    "pick",
    "scores",
    "setup",
    "winners",
]

MOST = 420
PLACE_BITS = 5
"""Bits for the number of a place."""
SCORES = ("total", "teapots", "carpets", "salt", "gems")


@compiled
def setup(box: Record, s: Record) -> None:
    """K1, K2: teapots on the camels, carpets in a pile, cards to the players."""
    count = int(box.teapot_count)
    for i in range(count):
        s.teapots[i] = box.teapots[i]
    shuffle(s.rng, s.teapots, count)
    s.teapots_left = count
    for camel in range(COLOURS):
        load(s, camel)
    for i in range(CARPETS):
        s.carpet_pile[i] = i + 1
    shuffle(s.rng, s.carpet_pile, CARPETS)
    s.carpets_left = CARPETS
    s.salt_left = SACKS
    deal(s)


@compiled
def load(s: Record, camel: int) -> None:
    """K1, K9: the top teapot of the pile goes on a camel's back, if there is one."""
    s.carrying[camel] = 0
    if s.teapots_left > 0:
        s.teapots_left -= 1
        s.carrying[camel] = s.teapots[s.teapots_left]
        s.teapots[s.teapots_left] = 0


@compiled
def deal(s: Record) -> None:
    """K2, K13: all cards that nobody holds are shuffled and hands are filled up; with two players four are shown."""
    players = int(s.players)
    pool = np.zeros(CARDS, np.int64)
    held = 0
    for seat in range(players):
        held |= int(s.hand[seat])
    n = 0
    for card in range(CARDS):
        if not (held >> card) & 1:
            pool[n] = card
            n += 1
    shuffle(s.rng, pool, n)
    each = (8 if players == 2 else 5) - bits(int(s.hand[0]))
    for seat in range(players):
        s.kept[seat] = s.hand[seat]
        for _ in range(each):
            n -= 1
            s.hand[seat] |= 1 << pool[n]
    s.shown = 0
    if players == 2:
        for i in range(4):
            s.shown |= 1 << pool[i]
    begin_deal(s)


@compiled
def begin_deal(s: Record) -> None:
    """Forget the turns of the deal before and ask everybody for the first choice of this one."""
    for turn in range(4):
        for seat in range(SEATS):
            s.plays[turn, seat] = 0
            s.gave[turn, seat] = 0
    s.turn = 0
    s.due = 0
    s.deals += 1
    ask_all(s)


@compiled
def ask_all(s: Record) -> None:
    """K3: everybody is asked at once."""
    s.phase = CHOOSE
    s.camel = 0
    s.waiting = (1 << int(s.players)) - 1


@compiled
def breaks(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of the rule that an action breaks, 0 if it is legal."""
    if s.over != 0:
        return 14  # K14: the game has ended
    asked = (int(s.waiting) >> seat) & 1
    if s.phase == CHOOSE:
        players = int(s.players)
        n = codes(players)
        if not asked or action < CHOICE or action >= CHOICE + n * n:
            return 3  # K3: everybody chooses once, and nothing else is asked now
        play = cards_of((action - CHOICE) // n, players)
        give = cards_of((action - CHOICE) % n, players)
        hand = int(s.hand[seat])
        return 0 if play & give == 0 and (play | give) & ~hand == 0 else 3  # K3: different cards from the seat's hand
    if s.phase == MOVE:
        return 0 if asked and 0 <= action <= most_gems(box, s, seat) else 5  # K5
    if not asked or action < SALT or action > NOTHING:
        return 8  # K8
    return 0 if may_take(box, s, seat, action) else 8


@compiled
def most_gems(box: Record, s: Record, seat: int) -> int:
    """K5: as many gems as the card has icons, and no more than the player has."""
    icons = int(box.icons[winning_card(s) % VALUES])
    return min(icons, int(s.gems[seat]))


@compiled
def may_take(box: Record, s: Record, seat: int, action: int) -> bool:
    """K8: salt for 3 gems, or the top carpet; nothing only if neither is available."""
    salt = s.salt_left > 0 and s.gems[seat] >= box.salt_price
    carpet = s.carpets_left > 0
    if action == SALT:
        return bool(salt)
    if action == CARPET:
        return bool(carpet)
    return not salt and not carpet


@compiled
def legal(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
    count = 0
    if s.over != 0 or not (int(s.waiting) >> seat) & 1:
        return 0
    if s.phase == CHOOSE:
        return legal_choices(s, seat, out)
    if s.phase == MOVE:
        for gems in range(most_gems(box, s, seat) + 1):
            out[count] = GEMS + gems
            count += 1
        return count
    for action in range(SALT, NOTHING + 1):
        if may_take(box, s, seat, action):
            out[count] = action
            count += 1
    return count


@compiled
def legal_choices(s: Record, seat: int, out: Ints) -> int:
    """K3: every card (or pair) to play with every other one to give."""
    hand = int(s.hand[seat])
    count = 0
    if s.players != 2:
        plays = hand
        while plays:
            play = lowest(plays)
            plays &= plays - 1
            gives = hand & ~(1 << play)
            while gives:
                out[count] = CHOICE + play * CARDS + lowest(gives)
                gives &= gives - 1
                count += 1
        return count
    for b in range(1, CARDS):
        if not (hand >> b) & 1:
            continue
        for a in range(b):
            if not (hand >> a) & 1:
                continue
            rest = hand ^ (1 << a) ^ (1 << b)
            for d in range(1, CARDS):
                if not (rest >> d) & 1:
                    continue
                for c in range(d):
                    if (rest >> c) & 1:
                        out[count] = CHOICE + pair(a, b) * PAIRS + pair(c, d)
                        count += 1
    return count


@compiled
def pick(box: Record, s: Record, seat: int, rng: Ints, out: Ints) -> int:
    """Return a legal action, all equally likely."""
    if s.phase != CHOOSE:
        return int(out[below(rng, legal(box, s, seat, out))])
    players = int(s.players)
    n = 2 if players == 2 else 1
    hand = int(s.hand[seat])
    play = some_of(hand, n, rng)  # without listing all pairs of cards to play and to give
    give = some_of(hand ^ play, n, rng)
    return CHOICE + code_of(play, players) * codes(players) + code_of(give, players)


@compiled
def act(box: Record, s: Record, seat: int, action: int) -> None:
    """Carry out a legal action, up to the next decision or deal."""
    if s.phase == CHOOSE:
        players = int(s.players)
        n = codes(players)
        s.plays[s.turn, seat] = cards_of((action - CHOICE) // n, players)
        s.gave[s.turn, seat] = cards_of((action - CHOICE) % n, players)
        s.waiting = int(s.waiting) ^ (1 << seat)
        if s.waiting == 0:
            reveal(box, s)
    elif s.phase == MOVE:
        move_camel(box, s, seat, action - GEMS)
    else:
        take(box, s, seat, action)
        next_camel(box, s, int(s.camel) + 1)


@compiled
def reveal(box: Record, s: Record) -> None:
    """K3: cards played are shown, cards given enter their new hand, and the camels set out."""
    players = int(s.players)
    for seat in range(players):
        s.hand[seat] ^= s.plays[s.turn, seat] | s.gave[s.turn, seat]
    for seat in range(players):
        s.hand[(seat + 1) % players] |= s.gave[s.turn, seat]
    next_camel(box, s, 0)


@compiled
def winning_card(s: Record) -> int:
    """K4: the lowest card played this turn in the colour of the active camel."""
    values = 0
    for seat in range(s.players):
        values |= of_colour(int(s.plays[s.turn, seat]), int(s.camel))
    return int(s.camel) * VALUES + lowest(values)


@compiled
def next_camel(box: Record, s: Record, first: int) -> None:
    """K4: the next camel for which a card was played; without one the turn is over."""
    players = int(s.players)
    for camel in range(first, COLOURS):
        played = 0
        for seat in range(players):
            played |= of_colour(int(s.plays[s.turn, seat]), camel)
        if played:
            s.camel = camel
            best = played & -played
            for seat in range(players):
                mine = of_colour(int(s.plays[s.turn, seat]), camel)
                if mine & best:
                    s.waiting = 1 << seat
                s.gems[seat] += bits(mine & ~best)  # K4, K17: every other card earns a gem, the mover's too
            s.phase = MOVE
            return
    end_turn(s)


@compiled
def end_turn(s: Record) -> None:
    """K14: the game ends with the turn in which a pile was emptied; otherwise the next turn, or K13 the next deal."""
    s.turn += 1
    s.phase = CHOOSE
    s.camel = 0
    s.waiting = 0
    if s.teapots_left == 0:
        s.over |= TEAPOTS_GONE
    if s.carpets_left == 0:
        s.over |= CARPETS_GONE
    if s.salt_left == 0:
        s.over |= SALT_GONE
    if s.over == 0:
        if s.turn == turns_in_deal(int(s.players)):
            s.due = DEAL
        else:
            ask_all(s)


@compiled
def landing(s: Record, camel: int, mover: int, steps: int) -> int:
    """K6, K7: where a camel arrives, 0 for the mover's counter."""
    return stop_on(way(s, camel, mover), steps)


@compiled
def way(s: Record, camel: int, mover: int) -> int:
    """K6, K7: the free places on a camel's way to the mover's counter, nearest first, in PLACE_BITS bits each."""
    taken = 0
    for other in range(COLOURS):
        taken |= 1 << int(s.place[other])
    place = int(s.place[camel])
    found = 0
    at = 0
    first = mover * SHOPS + 1
    if place != 0:
        shop = (place - 1) % SHOPS + 1
        if (place - 1) // SHOPS == mover:
            first = place + 1
        else:
            for back in range(place - 1, place - shop, -1):
                free = 1 - ((taken >> back) & 1)  # without a branch: nobody can predict it
                found |= (free * back) << at
                at += PLACE_BITS * free
    for here in range(first, mover * SHOPS + COUNTER):
        free = 1 - ((taken >> here) & 1)
        found |= (free * here) << at
        at += PLACE_BITS * free
    return found


@compiled
def stop_on(way: int, steps: int) -> int:
    """K6, K7: where a camel stops on its way, 0 for the counter."""
    return (way >> (PLACE_BITS * (steps - 1))) & ((1 << PLACE_BITS) - 1)


@compiled
def move_camel(box: Record, s: Record, seat: int, gems: int) -> None:
    """K5 to K9: the mover pays, the camel goes, and the place where it stops has its effect."""
    camel = int(s.camel)
    s.gems[seat] -= gems
    place = landing(s, camel, seat, winning_card(s) % VALUES + 1 + gems)
    s.place[camel] = place
    shop = (place - 1) % SHOPS + 1 if place else COUNTER
    if shop == 1:
        s.gems[seat] += box.shop_1_gems
    elif shop == 2:
        take_carpet(s, seat)
    elif shop == 3:
        s.gems[seat] += box.shop_3_gems
    elif shop == SHOPS:
        s.phase = TAKE
        return
    else:
        arrive(s, camel, seat)
    next_camel(box, s, camel + 1)


@compiled
def arrive(s: Record, camel: int, seat: int) -> None:
    """K9: at the counter the mover takes the teapot and turns in the carpets of the camel's colour."""
    s.won[seat, s.carrying[camel]] += s.carrying[camel] > 0
    mine = int(s.undelivered[seat]) & (7 << (camel * 3))
    s.undelivered[seat] ^= mine
    s.delivered[seat] |= mine
    load(s, camel)


@compiled
def take(box: Record, s: Record, seat: int, action: int) -> None:
    """K8: what is taken at shop 4."""
    if action == SALT:
        s.gems[seat] -= box.salt_price
        s.salt[seat] |= 1 << (SACKS - int(s.salt_left))
        s.salt_left -= 1
    elif action == CARPET:
        take_carpet(s, seat)


@compiled
def take_carpet(s: Record, seat: int) -> None:
    """K8, K10: the player takes the top carpet, if there is one."""
    if s.carpets_left > 0:
        s.carpets_left -= 1
        s.undelivered[seat] |= 1 << (int(s.carpet_pile[s.carpets_left]) - 1)
        s.carpet_pile[s.carpets_left] = 0


@compiled
def chance(box: Record, s: Record) -> None:
    """K13: the deal that is due."""
    deal(s)


@compiled
def scores(box: Record, s: Record, out: Ints) -> None:
    """K15: teapots, delivered carpets, salt and gems."""
    for seat in range(s.players):
        teapots = 0
        for value in range(1, 10):
            teapots += value * int(s.won[seat, value])
        carpets = 0
        for carpet in range(CARPETS):
            if (int(s.delivered[seat]) >> carpet) & 1:
                carpets += int(box.carpets[carpet % 3])
        salt = 0
        for sack in range(SACKS):
            if (int(s.salt[seat]) >> sack) & 1:
                salt += int(box.salt[sack])
        out[seat, 1], out[seat, 2], out[seat, 3], out[seat, 4] = teapots, carpets, salt, s.gems[seat]
        out[seat, 0] = teapots + carpets + salt + int(s.gems[seat])


@compiled
def winners(box: Record, s: Record) -> int:
    """K16: most points, then most teapots, then the most valuable single sack, then shared."""
    parts = np.zeros((SEATS, 5), np.int64)
    scores(box, s, parts)
    best = -1
    who = 0
    for seat in range(s.players):
        teapots = 0
        for value in range(1, 10):
            teapots += int(s.won[seat, value])
        sack = 0
        for i in range(SACKS):
            if (int(s.salt[seat]) >> i) & 1:
                sack = max(sack, int(box.salt[i]))
        key = (int(parts[seat, 0]) * 100 + teapots) * 100 + sack
        if key > best:
            best = key
            who = 0
        if key == best:
            who |= 1 << seat
    return who
