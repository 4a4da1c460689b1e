"""Khiva: who knows what (K18), with a perfect memory.

Teapots and carpets are face up before they are taken, so their values stay known; `view` shows only what is face up. A
seat knows its own hand, what it was given and what it gave, turn by turn since the deal. In the last turn of a deal
each hand is just what was received in it, so a seat also knows what its left neighbour kept. It does not know what
others gave each other, their hands, the cards set aside, the order of the piles, and sealed choices.
"""

from __future__ import annotations

import numpy as np

from registan.core import chance as dice
from registan.core.compiled import compiled
from registan.core.game import SPECTATOR, Ints, Record
from registan.games.khiva.memory import recall
from registan.games.khiva.rules import landing, winning_card
from registan.games.khiva.state import (
    CARPET,
    CARPETS,
    CHOICE,
    CHOOSE,
    COLOURS,
    GEMS,
    SHOPS,
    TAKE,
    TEAPOTS,
    TOP_COLOUR,
    VALUES,
    code_of,
    codes,
    some_of,
)


@compiled
def hide(box: Record, s: Record, seat: int) -> None:
    """Blank everything that the seat (or SPECTATOR) cannot know."""
    players = int(s.players)
    before = (seat + players - 1) % players if seat != SPECTATOR else SPECTATOR
    after = (seat + 1) % players if seat != SPECTATOR else SPECTATOR
    for i in range(4):
        s.rng[i] = 0
    for other in range(players):
        if other == seat:
            continue
        s.hand[other] = 0
        if other != after:
            s.kept[other] = 0
        for turn in range(4):
            sealed = turn == s.turn and s.phase == CHOOSE
            if sealed:
                s.plays[turn, other] = 0
            if sealed or other != before:
                s.gave[turn, other] = 0
    for i in range(TEAPOTS):
        s.teapots[i] = 0
    top = int(s.carpets_left) - 1
    for i in range(CARPETS):
        if i != top or s.carpets != 0:
            s.carpet_pile[i] = 0  # K1: with the option, the top one is covered too
        elif s.carpet_pile[i] <= CARPETS:
            s.carpet_pile[i] = TOP_COLOUR + (int(s.carpet_pile[i]) - 1) // 3  # K1: only its colour is seen


@compiled
def guess(box: Record, s: Record, seat: int, rng: Ints) -> None:
    """Deal what `hide` blanked at random, consistent with what the seat knows."""
    recall(s, seat, rng)
    guess_choices(s, seat, rng)
    guess_teapots(box, s, rng)
    guess_carpets(s, rng)
    for i in range(4):
        s.rng[i] = (dice.draw(rng) << 31) ^ dice.draw(rng)


@compiled
def reshuffle(box: Record, s: Record, rng: Ints) -> None:
    """Shuffle the piles, with the visible colour on top of the carpets."""
    guess_teapots(box, s, rng)
    top = int(s.carpets_left) - 1
    if top >= 0 and s.carpet_pile[top] <= CARPETS:
        s.carpet_pile[top] = TOP_COLOUR + (int(s.carpet_pile[top]) - 1) // 3 if s.carpets == 0 else 0
    guess_carpets(s, rng)
    for i in range(4):
        s.rng[i] = (dice.draw(rng) << 31) ^ dice.draw(rng)


@compiled
def guess_choices(s: Record, seat: int, rng: Ints) -> None:
    """Seats that have answered the open question chose something from their current hand."""
    players = int(s.players)
    if s.phase != CHOOSE or s.waiting == 0:
        return
    for other in range(players):
        if other != seat and not (int(s.waiting) >> other) & 1:
            n = 2 if players == 2 else 1
            play = some_of(int(s.hand[other]), n, rng)
            s.plays[s.turn, other] = play
            s.gave[s.turn, other] = some_of(int(s.hand[other]) ^ play, n, rng)


@compiled
def guess_teapots(box: Record, s: Record, rng: Ints) -> None:
    """The pile holds the teapots that are neither on camels nor with players."""
    count = np.zeros(10, np.int64)
    for i in range(box.teapot_count):
        count[box.teapots[i]] += 1
    for camel in range(COLOURS):
        if s.carrying[camel] > 0:
            count[s.carrying[camel]] -= 1
    for seat in range(s.players):
        for value in range(1, 10):
            count[value] -= s.won[seat, value]
    n = 0
    for value in range(1, 10):
        for _ in range(count[value]):
            s.teapots[n] = value
            n += 1
    dice.shuffle(rng, s.teapots, n)


@compiled
def guess_carpets(s: Record, rng: Ints) -> None:
    """The pile holds the carpets that nobody has taken, with the visible colour on top, if any."""
    left = int(s.carpets_left)
    if left == 0:
        return
    colour = int(s.carpet_pile[left - 1]) - TOP_COLOUR  # below 0 if the top carpet is covered
    taken = 0
    for seat in range(s.players):
        taken |= int(s.undelivered[seat]) | int(s.delivered[seat])
    n = 0
    for carpet in range(CARPETS):
        if not (taken >> carpet) & 1:
            s.carpet_pile[n] = carpet + 1
            n += 1
    dice.shuffle(rng, s.carpet_pile, n)
    if colour < 0:
        return
    # The first of the right colour in a shuffled pile is as likely as any other of that colour.
    for i in range(left - 1, -1, -1):
        if (int(s.carpet_pile[i]) - 1) // 3 == colour:
            s.carpet_pile[i], s.carpet_pile[left - 1] = s.carpet_pile[left - 1], s.carpet_pile[i]
            return


@compiled
def seen(box: Record, s: Record, seat: int, actor: int, action: int) -> int:
    """Return what the seat observes when the actor acts, as a number; the seat cannot tell equal numbers apart.

    A sealed choice tells others nothing. The last one reveals what everybody plays, and to each seat what it is given.
    """
    if s.phase != CHOOSE:
        return action
    mine = action if actor == seat else 0
    if int(s.waiting) != 1 << actor:
        return mine
    players = int(s.players)
    n = codes(players)
    for other in range(players):
        play = code_of(int(s.plays[s.turn, other]), players)
        give = code_of(int(s.gave[s.turn, other]), players)
        if other == actor:
            play, give = (action - CHOICE) // n, (action - CHOICE) % n
        mine = mine * n + play
        if seat != SPECTATOR and (other + 1) % players == seat:
            mine = mine * n + give
    return mine


@compiled
def reveals(box: Record, s: Record, seat: int, action: int) -> bool:
    """K3: the last choice opens all. K8 to K10: a carpet or a teapot that is turned up was covered before."""
    if s.phase == CHOOSE:
        return int(s.waiting) == 1 << seat
    if s.phase == TAKE:
        return action == CARPET
    place = landing(s, int(s.camel), seat, winning_card(s) % VALUES + 1 + action - GEMS)
    if place == 0:
        return bool(s.teapots_left > 0)
    return bool((place - 1) % SHOPS + 1 == 2 and s.carpets_left > 0)


@compiled
def unseal(box: Record, s: Record, seat: int) -> None:
    """K3: to a seat that is thinking, the others have not chosen yet."""
    if s.phase == CHOOSE:
        for other in range(s.players):
            if other != seat:
                s.plays[s.turn, other] = 0
                s.gave[s.turn, other] = 0
                s.waiting |= 1 << other
