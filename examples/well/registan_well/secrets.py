"""The Well: who knows what. Hands are secret, and so is a choice until all have chosen."""

from __future__ import annotations

from registan.core.chance import below, draw
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan_well.rules import THIRSTS


@compiled
def hide(box: Record, s: Record, seat: int) -> None:
    """Blank everything that the seat (or SPECTATOR) cannot know."""
    for i in range(4):
        s.rng[i] = 0
    for other in range(s.players):
        if other != seat:
            s.chosen[other] = 0
            for action in range(THIRSTS):
                s.hand[other, action] = 0


@compiled
def guess(box: Record, s: Record, seat: int, rng: Ints) -> None:
    """Deal what `hide` blanked at random, consistent with what the seat knows."""
    cards = int(box.cards) - (1 if s.over != 0 or s.due != 0 else 0)
    for other in range(s.players):
        if other != seat:
            for _ in range(cards):
                card = below(rng, THIRSTS)
                s.hand[other, card] += 1
                if s.waiting != 0 and not (int(s.waiting) >> other) & 1:
                    s.chosen[other] = 1 + card
    for i in range(4):
        s.rng[i] = draw(rng)


@compiled
def seen(box: Record, s: Record, seat: int, actor: int, action: int) -> int:
    """Return what the seat observes when the actor acts, as a number: the last choice reveals all."""
    known = 1 + action if actor == seat else 0
    if int(s.waiting) == 1 << actor:
        for other in range(s.players):
            known = known * (THIRSTS + 1) + (1 + action if other == actor else int(s.chosen[other]))
    return known


@compiled
def unseal(box: Record, s: Record, seat: int) -> None:
    """W2: to a seat that is thinking, the others have not chosen yet."""
    for other in range(s.players):
        if other != seat and s.chosen[other] != 0:
            s.chosen[other] = 0
            s.waiting = int(s.waiting) | (1 << other)
