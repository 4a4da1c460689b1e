"""Helpers for tests: set up a game as far as it matters, and play it in the terms of the rulebook.

Cards are named as in the record ("white-4"). A hand names the cards that matter and is filled up with others.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import registan
from registan.core.box import find_box
from registan.core.chance import Stream
from registan.core.errors import IllegalMove
from registan.core.game import Json
from registan.core.match import Match
from registan.games.khiva import GAME, checks
from registan.games.khiva.state import MOVE, TAKE

COLOURS = ("white", "blue", "green", "pink", "black")
CARDS = tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, 6))
CARPETS = tuple(f"{colour}-{value}" for colour in COLOURS for value in (3, 4, 5))
TEAPOTS = (2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7)
BOX = find_box(GAME)


def deal(
    *hands: str,
    shown: str = "",
    teapots: Sequence[int] = (),
    carpets: str = "",
    options: Mapping[str, Any] | None = None,
    **more: bool,
) -> Match:
    """Set up a game: as many players as hands; piles begin with what is named, from the top."""
    named = [hand.split() for hand in hands]
    open_cards = shown.split()
    spare = [card for card in CARDS if card not in [*flat(named), *open_cards]]
    for hand in named:
        while len(hand) < (8 if len(hands) == 2 else 5):
            hand.append(spare.pop())
    setup = {"hands": named, "teapots": first(teapots, TEAPOTS), "carpets": pile_of_carpets(carpets)}
    if len(hands) == 2:
        setup["shown"] = open_cards + [spare.pop() for _ in range(4 - len(open_cards))]
    return Match(GAME, BOX, len(hands), {**(options or {}), **more}, Stream.from_seed(1)).apply_setup(setup)


def first(top: Sequence[Any], rest: Sequence[Any]) -> list[Any]:
    """Return a pile with these on top and below them what is left of all."""
    below = list(rest)
    for piece in top:
        below.remove(piece)
    return [*top, *below]


def flat(hands: Sequence[Sequence[str]]) -> list[str]:
    """Return the cards of all hands."""
    return [card for hand in hands for card in hand]


def carpet(name: str) -> list[Any]:
    colour, value = name.split("-")
    return [colour, int(value)]


def pile_of_carpets(top: str) -> list[list[Any]]:
    return [carpet(name) for name in first(top.split(), CARPETS)]


def put(match: Match, camels: Mapping[str, tuple[int, int]] | None = None, gems: Sequence[int] = ()) -> None:
    """Place camels at (path, shop), and hand out gems."""
    for colour, (path, shop) in (camels or {}).items():
        match.state.place[COLOURS.index(colour)] = 1 + path * 4 + shop - 1
    for seat, n in enumerate(gems):
        match.state.gems[seat] = n
    honest(match)


def own(
    match: Match, seat: int, *, undelivered: str = "", delivered: str = "", teapots: Sequence[int] = (), salt: int = 0
) -> None:
    """Let a seat have tokens: carpets and teapots from anywhere in the piles, salt from the top."""
    s = match.state
    for names, to in ((undelivered, s.undelivered), (delivered, s.delivered)):
        for name in names.split():
            number = CARPETS.index(name)
            pile = [c for c in s.carpet_pile[: s.carpets_left] if c != number + 1]
            s.carpets_left -= 1
            s.carpet_pile[:] = pile + [0] * (15 - len(pile))
            to[seat] |= 1 << number
    for value in teapots:
        kettles = list(s.teapots[: s.teapots_left])
        kettles.remove(value)
        s.teapots_left -= 1
        s.teapots[: len(kettles) + 1] = [*kettles, 0]
        s.won[seat, value] += 1
    for _ in range(salt):
        s.salt[seat] |= 1 << (5 - int(s.salt_left))
        s.salt_left -= 1
    honest(match)


def leave(match: Match, *, teapots: int = 17, carpets: int = 15, salt: int = 5) -> None:
    """Leave only so many in the piles: the last seat has got the others already."""
    s, last = match.state, match.players - 1
    while s.teapots_left > teapots:
        own(match, last, teapots=[int(s.teapots[s.teapots_left - 1])])
    while s.carpets_left > carpets:
        own(match, last, delivered=CARPETS[int(s.carpet_pile[s.carpets_left - 1]) - 1])
    own(match, last, salt=max(0, int(s.salt_left) - salt))


def honest(match: Match) -> None:
    """Nothing may be missing or twice on the table."""
    assert checks.faults(BOX.record, match.state) == 0


def turn(match: Match, *choices: str) -> None:
    """Let each seat choose, "white-4 > pink-1" or just "white-4": then it gives the last others of its hand."""
    for seat, choice in enumerate(choices):
        choose(match, seat, choice)


def choose(match: Match, seat: int, choice: str) -> None:
    play, _, give = (part.split() for part in choice.partition(">"))
    if not give:
        hand = [card for card in now(match)["hands"][seat] if card not in play]
        give = hand[-len(play) :]
    match.play(seat, {"do": "choose", "play": play, "give": give})


def walk(match: Match, gems: int = 0) -> None:
    """The mover moves the camel whose turn it is."""
    match.play(match.waiting[0], {"do": "move", "camel": COLOURS[match.state.camel], "gems": gems})


def take(match: Match, what: str) -> None:
    """The mover takes something at shop 4."""
    match.play(match.waiting[0], {"do": "take", "what": what})


def finish_turn(match: Match) -> None:
    """Let all camels go that still have to, without gems, and take the first thing that can be had at shops 4."""
    while match.state.phase in (MOVE, TAKE):
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])


def whole_turn(match: Match, *choices: str) -> None:
    turn(match, *choices)
    finish_turn(match)


def any_turn(match: Match) -> None:
    """Play a turn that does not matter."""
    for seat in range(match.players):
        match.play(seat, match.legal(seat)[0])
    finish_turn(match)


def now(match: Match) -> Json:
    """Return the whole table as the record writes it."""
    return GAME.moves.write_state(BOX, match.state)


def active(match: Match) -> tuple[str, int]:
    """Return which camel moves now, and who moves it."""
    assert match.state.phase == MOVE
    return COLOURS[match.state.camel], match.waiting[0]


def refused(match: Match, seat: int, move: Json) -> str:
    """Return the id of the rule that a move breaks; the table must stay as it was."""
    before = match.state.tobytes()
    try:
        match.play(seat, move)
    except IllegalMove as error:
        assert match.state.tobytes() == before
        return error.rule
    return ""


def random_game(players: int, seed: int, **options: Any) -> Match:
    """Return a game played at random to its end."""
    match = registan.new("khiva", players, seed=seed, **options)
    chance = random.Random(seed)
    while not match.over:
        play_any(match, chance)
    return match


def play_any(match: Match, chance: random.Random) -> None:
    """Play any legal move of any seat that is asked."""
    seat = chance.choice(match.waiting)
    match.play_action(seat, chance.choice(match.actions(seat)))
