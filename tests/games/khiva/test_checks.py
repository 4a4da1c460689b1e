"""What must hold in every state is noticed when it does not."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import registan
from registan.core.game import Record
from registan.games.khiva import checks
from tests.games.khiva.table import BOX, play_any


def state_of(turns: int = 5) -> Record:
    """Return a state some turns into a game, in its second deal."""
    match, chance = registan.new("khiva", 4, seed=1), random.Random(1)
    while match.state.deals == 1 or match.state.turn < turns - 4 or not any(match.state.undelivered):
        play_any(match, chance)
    return match.state.copy()


def card_twice(s: Record) -> None:
    s.hand[0] = s.hand[1]


def card_too_many(s: Record) -> None:
    s.hand[0] |= ~int(s.hand[0]) & -~int(s.hand[0])


def card_played_and_held(s: Record) -> None:
    s.hand[0] = (int(s.hand[0]) & (int(s.hand[0]) - 1)) | int(s.plays[0, 0])


def card_played_twice(s: Record) -> None:
    s.plays[0, 1] = s.plays[0, 0]


def card_shown_and_held(s: Record) -> None:
    s.shown = s.hand[0]


def gift_not_received(s: Record) -> None:
    s.gave[0, 0] = s.plays[0, 1]


def kept_lost(s: Record) -> None:
    s.kept[0] = 0


def teapot_missing(s: Record) -> None:
    s.carrying[0] = 0


def carpet_gone_from_the_pile(s: Record) -> None:
    s.carpets[s.carpets_left - 1] = 0


def carpet_twice_in_the_pile(s: Record) -> None:
    s.carpets[0] = s.carpets[1]


def carpet_in_two_places(s: Record) -> None:
    seat = next(seat for seat in range(4) if s.undelivered[seat])
    s.delivered[seat] |= s.undelivered[seat]


def carpet_missing(s: Record) -> None:
    s.undelivered[:] = 0


def sack_with_two_players(s: Record) -> None:
    s.salt[0] = s.salt[1] = 1


def sack_missing(s: Record) -> None:
    s.salt_left = 1


def camel_on_no_path(s: Record) -> None:
    s.place[0] = 17


def camels_on_one_shop(s: Record) -> None:
    s.place[0] = s.place[1] = 3


def gems_below_zero(s: Record) -> None:
    s.gems[2] = -1


def nobody_asked(s: Record) -> None:
    s.waiting = 0


@pytest.mark.parametrize(
    ("spoil", "number"),
    [
        (card_twice, 1),
        (card_too_many, 1),
        (card_played_and_held, 1),
        (card_played_twice, 1),
        (card_shown_and_held, 1),
        (gift_not_received, 2),
        (kept_lost, 2),
        (teapot_missing, 3),
        (carpet_gone_from_the_pile, 4),
        (carpet_twice_in_the_pile, 4),
        (carpet_in_two_places, 4),
        (carpet_missing, 4),
        (sack_with_two_players, 5),
        (sack_missing, 5),
        (camel_on_no_path, 6),
        (camels_on_one_shop, 7),
        (gems_below_zero, 8),
        (nobody_asked, 9),
    ],
)
def test_a_spoilt_state_is_noticed(spoil: Callable[[Record], None], number: int) -> None:
    s = state_of()
    assert checks.faults(BOX.record, s) == 0
    spoil(s)
    assert checks.faults(BOX.record, s) == number


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_state_of_random_games_holds(players: int) -> None:
    match, chance = registan.new("khiva", players, seed=7), random.Random(7)
    while not match.over:
        assert checks.faults(BOX.record, match.state) == 0
        play_any(match, chance)
    assert checks.faults(BOX.record, match.state) == 0
